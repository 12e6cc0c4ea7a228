import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { ended, started } from '../cli/backlot.js'
import { newFolder } from '../folder.js'
import { clientOf, KEY, openSession, paths, replayed, text, videoTask } from './session.js'

/** Each of these tests runs processes one after the other. */
const withProcesses = { timeout: 60_000 }

const landscape = await readFile(new URL('../../fixtures/media/landscape.jpg', import.meta.url))
const others = Buffer.concat([landscape, Buffer.from('and more')])
const hook = (url: string) => ({
  ...{ model: 'gamma-H3', content: [text()], duration: 5 },
  callback_url: `${url}/_backlot/inbox/hook?token=hidden-one`,
})

const expectSame = async (recording: string, file?: string) =>
  expect((await replayed(recording, file)).mismatches).toEqual([])

test('after a restored snapshot, the replay gives the recorded answers', async () => {
  const { client, emulator, saved, file } = await openSession()
  const account = emulator.account(KEY)
  const { task_id } = (await client.upload('mine.jpg', others)).body.data
  await client.get(`${paths.resolve}?task_id=${task_id}`)
  const { asset_id } = (await client.get(`${paths.resolve}?task_id=${task_id}`)).body.data
  const before = (await client.post(paths.tasks, videoTask())).body.id
  await client.post(paths.second, hook(emulator.url))
  await account.clock.advance('1s')
  await account.change({ balance: 7 })
  await account.scenario.play({
    name: 'mine',
    says: 'x',
    steps: [
      { when: { operation: 'b-video-task.list', account: [KEY], nth: 2 }, then: { answer: { status: 503 } } },
    ],
  } as never)
  await client.get(paths.tasks)
  const snapshot = await account.snapshot()
  await client.post(paths.tasks, videoTask())
  await account.clock.advance('1h')
  await account.restore(snapshot)
  expect((await client.get(`${paths.tasks}/${before}`)).status).toBe(200)
  expect((await client.get(paths.tasks)).status).toBe(503)
  const frame = { type: 'image_url', image_url: { url: `asset://${asset_id}` }, role: 'first_frame' }
  expect((await client.post(paths.tasks, videoTask({ content: [text(), frame] }))).status).toBe(200)
  await account.clock.advance({ to: 'idle' })
  expect((await client.get(`${paths.tasks}/${before}`)).body.status).toBe('succeeded')
  const recording = await saved()
  expect(recording).not.toContain(KEY)
  expect(recording).not.toContain('hidden-one')
  await expectSame(recording, file)
  await expectSame(recording)
})

test.each(['snapshot', 'state'])(
  'a recording of start --record has the %s that was restored',
  withProcesses,
  async (way) => {
    const file = `${newFolder()}/session.jsonl`
    const { url, process, ended: over } = await started(['--record', file, '--clock', 'on-poll'])
    const control = async (method: string, path: string, body?: string) => {
      const response = await fetch(`${url}/_backlot${path}`, {
        method,
        headers: { authorization: KEY },
        body: body ?? null,
      })
      expect(response.status).toBe(200)
      return response.text()
    }
    const client = clientOf(url)
    const first = (await client.post(paths.tasks, videoTask())).body.id
    await client.get(`${paths.tasks}/${first}`)
    const state = await control('GET', '/state')
    const { id } = JSON.parse(await control('POST', '/snapshots?all'))
    await client.post(paths.tasks, videoTask())
    await clientOf(url, 'another-key-12').post(paths.tasks, videoTask())
    if (way === 'state') await control('PUT', '/state', state)
    else await control('POST', `/snapshots/${id}/restore?all`)
    expect((await client.get(`${paths.tasks}/${first}`)).status).toBe(200)
    expect((await client.post(paths.tasks, videoTask())).status).toBe(200)
    expect((await clientOf(url, 'another-key-12').post(paths.tasks, videoTask())).status).toBe(200)
    process.kill('SIGTERM')
    await over
    expect(await ended(['replay', file])).toMatchObject({ code: 0 })
  },
)

test('a recording begins with what the state file held', withProcesses, async () => {
  const folder = newFolder()
  const start = (...args: string[]) =>
    started(['--clock', 'on-poll', '--state', `${folder}/state.jsonl`, ...args])
  const before = await start()
  const { id } = (await clientOf(before.url).post(paths.tasks, videoTask())).body
  before.process.kill('SIGTERM')
  await before.ended
  const after = await start('--record', `${folder}/session.jsonl`)
  expect((await clientOf(after.url).get(`${paths.tasks}/${id}`)).status).toBe(200)
  await clientOf(after.url).post(paths.tasks, videoTask())
  after.process.kill('SIGTERM')
  await after.ended
  expect(await ended(['replay', `${folder}/session.jsonl`])).toMatchObject({
    code: 0,
    out: '2 calls, all as they were recorded.\n',
  })
})

test('an answer to HEAD has no body that could differ', async () => {
  const { client, saved } = await openSession()
  await client.head('/results/none/nothing/0.mp4')
  await client.head('/no/such/path')
  await expectSame(await saved())
})

test('a callback that was not recorded is reported', async () => {
  const { client, saved, emulator } = await openSession({ clock: 'paused' })
  await client.post(paths.second, hook(emulator.url))
  await emulator.account(KEY).clock.advance({ to: 'idle' })
  const lines = (await saved()).split('\n')
  const delivery = lines.findIndex((line) => line.includes('"message":"delivery"'))
  const { mismatches } = await replayed(lines.toSpliced(delivery, 1).join('\n'))
  expect(mismatches).toMatchObject([
    { place: { lineNumber: null }, differences: [{ path: 'state', now: 'delivered' }] },
  ])
})

test('only the key of a restored account is removed, and no word that is the same', async () => {
  const { emulator, saved, as } = await openSession()
  await as('default').post(paths.tasks, videoTask())
  const account = emulator.account('default')
  await account.restore(await account.snapshot())
  await as('default').get(paths.tasks)
  const recording = await saved()
  expect(recording).toContain('"serviceTier":"default"')
  await expectSame(recording)
})
