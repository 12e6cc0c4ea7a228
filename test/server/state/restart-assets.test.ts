import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openFolder, type StartedEmulator, start } from './house.js'

const still = () => readFile('fixtures/media/first-frame.png')

const upload = async ({ url }: StartedEmulator, key = 'k') => {
  const form = new FormData()
  form.append('file', new Blob([new Uint8Array(await still())], { type: 'image/png' }), 'first-frame.png')
  const response = await fetch(`${url}/v1/asset/upload`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}` },
    body: form,
  })
  return ((await response.json()) as { data: { task_id: string } }).data.task_id
}

const resolve = async ({ ask }: StartedEmulator, jobId: string) =>
  (await ask('GET', `/v1/asset/jobs/get-asset-id?task_id=${jobId}`)).body.data

const uses = async ({ ask }: StartedEmulator, asset: string) =>
  ask('POST', '/provC/v2/video_generation', {
    model: 'gamma-H3',
    duration: 5,
    content: [
      { type: 'text', text: 'a lighthouse' },
      { type: 'image_url', role: 'first_frame', image_url: { url: `asset://${asset}` } },
    ],
  })

/** An asset that was ready when its emulator was stopped, and the job that uploaded it. */
const leaveAsset = async (file: string) => {
  const house = await start(file)
  const job = await upload(house)
  await house.clock.advance({ to: 'idle' })
  const { asset_id } = await resolve(house, job)
  await house.stop()
  return { job, asset_id }
}

test('an asset can be used after a restart, and its job still names it', async () => {
  const file = join(await openFolder(), 'state.jsonl')
  const { job, asset_id } = await leaveAsset(file)
  const second = await start(file)
  expect((await resolve(second, job)).asset_id).toBe(asset_id)
  expect((await uses(second, asset_id)).status).toBe(200)
})

test('an asset that was being processed is ready when the clock says so', async () => {
  const file = join(await openFolder(), 'state.jsonl')
  const first = await start(file)
  const job = await upload(first)
  await first.stop()
  const second = await start(file)
  const { happened } = await second.clock.advance({ to: 'idle' })
  expect(happened).toMatchObject([{ kind: 'asset', detail: 'Active' }])
  expect((await resolve(second, job)).asset_id).toBeDefined()
})

test('the files of assets are pinned again, once for each', async () => {
  const file = join(await openFolder(), 'state.jsonl')
  const first = await start(file)
  await upload(first)
  await upload(first, 'other')
  await first.stop()
  const second = await start(file)
  const { length } = await still()
  expect(second.emulator.blobs.stats()).toMatchObject({ blobs: 1, pinnedBytes: length })
  await second.reset()
  expect(second.emulator.blobs.stats().pinnedBytes).toBe(length)
  await second.as('other').reset()
  expect(second.emulator.blobs.stats().pinnedBytes).toBe(0)
})

test('a video shows its inputs when it is first drawn after a restart', async () => {
  const file = join(await openFolder(), 'state.jsonl')
  const first = await start(file)
  const base64 = (await still()).toString('base64')
  const id = await first.createB({
    content: [
      { type: 'text', text: 'a lighthouse' },
      { type: 'image_url', image_url: { url: `data:image/png;base64,${base64}` } },
    ],
  })
  await first.stop()
  const second = await start(file)
  const [task] = await second.emulator.store.run('k', ({ tasks }) => [...tasks.values()])
  expect(task?.id).toBe(id)
  const blob = /"blob":"([0-9a-f]{64})"/.exec(JSON.stringify(task))?.[1] ?? ''
  expect(Buffer.from((await second.emulator.blobs.read(blob)) ?? [])).toEqual(await still())
})

test('it says which files are missing from the folder, and goes on without them', async () => {
  const file = join(await openFolder(), 'state.jsonl')
  const { asset_id } = await leaveAsset(file)
  await rm(`${file}.media`, { recursive: true })
  const second = await start(file)
  expect(second.notices.join()).toContain(asset_id)
  expect((await uses(second, asset_id)).status).toBe(200)
})
