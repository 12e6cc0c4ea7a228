import { type FileHandle, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import type { ScenarioDocument } from '../../../../src/index.js'
import { handlePrototype } from './disk.js'
import { createReceiver } from './receiver.js'
import { killed, openFolder, type StartedEmulator, start } from './start.js'

describe('restart assets', () => {
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

  test('with stateFsync the file of an asset is on the disk before its upload is answered', async () => {
    const house = await start(join(await openFolder(), 'state.jsonl'), { stateFsync: true })
    const handle = await handlePrototype()
    const { datasync } = handle
    const sizes: number[] = []
    const spy = vi.spyOn(handle, 'datasync').mockImplementation(async function (this: FileHandle) {
      sizes.push((await this.stat()).size)
      return datasync.call(this)
    })
    onTestFinished(() => spy.mockRestore())
    await upload(house)
    expect(sizes).toContain((await still()).length)
  })

  test('an asset that was being processed is ready when the clock says so', async () => {
    const file = join(await openFolder(), 'state.jsonl')
    const first = await start(file)
    const job = await upload(first)
    await first.stop()
    const second = await start(file)
    const { happened } = await second.clock.advance({ to: 'idle' })
    expect(happened).toMatchObject([{ kind: 'asset', detail: 'Active' }])
    expect((await resolve(second, job)).asset_id).toBe(happened[0]?.id)
  })

  test('the files of assets are pinned again, once for each', async () => {
    const file = join(await openFolder(), 'state.jsonl')
    const first = await start(file)
    await upload(first)
    await upload(first, 'other')
    await first.stop()
    const second = await start(file)
    const { length } = await still()
    expect(second.emulator.blobs.stats()).toMatchObject({ files: 1, pinnedBytes: length })
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
    const [task] = await second.emulator.store.read('k', ({ tasks }) => [...tasks.values()])
    expect(task?.id).toBe(id)
    const blob = /"blob":"([0-9a-f]{64})"/.exec(JSON.stringify(task))?.[1] ?? ''
    expect(Buffer.from((await second.emulator.blobs.read(blob)) ?? [])).toEqual(await still())
  })

  test('an emulator names the files that are missing from the folder and starts without them', async () => {
    const file = join(await openFolder(), 'state.jsonl')
    const { asset_id } = await leaveAsset(file)
    await rm(`${file}.media`, { recursive: true })
    const second = await start(file)
    expect(second.warnings.join()).toContain(asset_id)
    expect((await uses(second, asset_id)).status).toBe(200)
  })
})

describe('restart callbacks', () => {
  const HOOK = 'http://127.0.0.1:9/hook'

  const inFolder = async () => {
    const folder = await openFolder()
    return { folder, file: join(folder, 'state.jsonl') }
  }

  test('callbacks that are due after a restart are delivered once each, in order, under their ids', async () => {
    const { file } = await inFolder()
    const [before, after] = [createReceiver(), createReceiver()]
    const first = await start(file, {}, { post: before.post })
    const id = await first.createF({ callback_url: HOOK })
    await first.clock.advance({ to: 'next' })
    await first.stop()
    const second = await start(file, {}, { post: after.post })
    await second.clock.advance({ to: 'idle' })
    expect(before.sent.map((one) => one.id)).toEqual([`${id}-0`, `${id}-1`, `${id}-2`])
    expect(after.sent.map((one) => one.id)).toEqual([`${id}-3`])
  })

  test('after a kill, answered callbacks are not sent again, and callbacks on their way are', async () => {
    const { folder, file } = await inFolder()
    const isRunning = ({ body }: { readonly body: object }) => JSON.stringify(body).includes('"running"')
    const [before, after] = [createReceiver({ isSilent: isRunning }), createReceiver()]
    const first = await start(file, {}, { post: before.post })
    const id = await first.createF({ callback_url: HOOK })
    void first.clock.advance({ to: 'idle' })
    await first.requests.waitFor({ operation: 'f-video-v2.create' })
    await until(() => before.sent.length === 3)
    const second = await start(await killed(first, folder), {}, { post: after.post })
    await second.clock.advance({ to: 'idle' })
    expect(before.sent.map((one) => one.id)).toEqual([`${id}-0`, `${id}-1`, `${id}-2`])
    expect(after.sent.map((one) => one.id)).toEqual([`${id}-2`, `${id}-3`])
  })

  test('a callback that was on its way at the end is sent at the start, on a paused clock too', async () => {
    const { folder, file } = await inFolder()
    const [before, after] = [createReceiver({ isSilent: () => true }), createReceiver()]
    const first = await start(file, {}, { post: before.post })
    const id = await first.createF({ callback_url: HOOK })
    void first.clock.advance({ to: 'next' })
    await until(() => before.sent.length > 0)
    await start(await killed(first, folder), {}, { post: after.post })
    await until(() => after.sent.length > 0)
    expect(after.sent.map((one) => one.id)).toEqual([before.sent.at(-1)?.id])
    expect(before.sent.at(-1)?.id).toContain(id)
  })

  test('callbacks of a live clock are sent without a call, with the answer that a query would have had at that time', async () => {
    const { file } = await inFolder()
    let systemNow = Date.UTC(2026, 5, 1)
    const [before, after] = [createReceiver(), createReceiver()]
    const first = await start(file, { clock: 'live' }, { post: before.post, systemNow: () => systemNow })
    const id = await first.createF({ callback_url: HOOK })
    await first.callbacks.waitFor({ taskId: id, kind: 'delivery' })
    await first.stop()
    systemNow += 60_000
    const second = await start(file, { clock: 'live' }, { post: after.post, systemNow: () => systemNow })
    await second.callbacks.waitFor({ taskId: id, status: 'succeeded' })
    expect(after.sent.map(({ id: name, body }) => [name, body.status])).toEqual([
      [`${id}-2`, expect.stringMatching(/running|Processing/i)],
      [`${id}-3`, expect.stringMatching(/succe/i)],
    ])
  })

  test('the log is there, and one of it can be sent again', async () => {
    const { file } = await inFolder()
    const after = createReceiver()
    const first = await start(file, {}, { post: createReceiver().post })
    const id = await first.createF({ callback_url: HOOK })
    await first.clock.advance({ to: 'idle' })
    const log = await first.callbacks.list()
    await first.stop()
    const second = await start(file, {}, { post: after.post })
    expect(await second.callbacks.list()).toEqual(log)
    await second.callbacks.redeliver(`${id}-2`)
    expect(after.sent.map((one) => one.id)).toEqual([`${id}-2`])
  })

  test('a callback of a task that was deleted meanwhile still knows what it reported', async () => {
    const { folder, file } = await inFolder()
    const after = createReceiver()
    const first = await start(file, {}, { post: createReceiver().post })
    const id = await first.createF({ callback_url: HOOK })
    await first.clock.advance({ to: 'idle' })
    await first.emulator.store.read('k', ({ tasks }) => tasks.delete(id))
    // When what is killed has written down this call, it has written down the deletion too.
    await first.ask('GET', `/provC/v2/query/video_generation/${id}`)
    const second = await start(await killed(first, folder), {}, { post: after.post })
    expect(await second.tasks.list()).toEqual([])
    expect((await second.callbacks.redeliver(`${id}-3`)).state).toBe('delivered')
  })

  const until = async (isSo: () => boolean): Promise<void> => {
    while (!isSo()) await new Promise(setImmediate)
  }
})

describe('restart scenarios', () => {
  const fails = (name: string, nth: number) =>
    ({
      name,
      says: 'one create fails',
      steps: [
        {
          when: { operation: 'b-video-task.create', nth },
          then: { answer: { error: 'ServerOverloaded' } },
          required: true,
        },
      ],
    }) satisfies ScenarioDocument

  const inFolder = async () => join(await openFolder(), 'state.jsonl')

  test('a scenario continues its counts', async () => {
    const file = await inFolder()
    const first = await start(file)
    await first.scenario.play(fails('third-create', 3))
    await first.createB()
    await first.createB()
    await first.stop()
    const second = await start(file)
    expect(await second.scenario.steps()).toMatchObject([{ seen: 2, acted: 0 }])
    expect(await second.createB()).toBeUndefined()
    expect(await second.scenario.unused()).toEqual([])
  })

  test('a scenario of the settings does not begin a second time', async () => {
    const file = await inFolder()
    const settings = { scenario: [fails('second-create', 2)] }
    const first = await start(file, settings)
    await first.createB()
    await first.stop()
    const second = await start(file, settings)
    expect(await second.scenario.steps()).toMatchObject([{ scenario: 'second-create', seen: 1 }])
  })

  test('a scenario that is new in the settings begins, and one that is no longer in them ends', async () => {
    const file = await inFolder()
    const first = await start(file, { scenario: [fails('of-old', 9)] })
    await first.scenario.play(fails('by-hand', 9))
    await first.stop()
    const second = await start(file, { scenario: [fails('of-late', 9)] })
    expect((await second.scenario.steps()).map(({ scenario }) => scenario)).toEqual(['by-hand', 'of-late'])
  })

  test('a scenario that has changed begins anew', async () => {
    const file = await inFolder()
    const first = await start(file, { scenario: [fails('some-create', 9)] })
    await first.createB()
    await first.stop()
    const second = await start(file, { scenario: [fails('some-create', 1)] })
    expect(await second.createB()).toBeUndefined()
  })

  test('a scenario of the settings that was stopped stays stopped', async () => {
    const file = await inFolder()
    const settings = { scenario: [fails('second-create', 2)] }
    const first = await start(file, settings)
    await first.scenario.stop()
    await first.stop()
    const second = await start(file, settings)
    expect(await second.scenario.steps()).toEqual([])
  })
})
