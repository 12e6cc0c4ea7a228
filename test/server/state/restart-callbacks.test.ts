import { join } from 'node:path'
import { expect, test } from 'vitest'
import { killed, openFolder, start } from './house.js'
import { createReceiver } from './receiver.js'

const HOOK = 'http://127.0.0.1:9/hook'

const inFolder = async () => {
  const folder = await openFolder()
  return { folder, file: join(folder, 'state.jsonl') }
}

test('callbacks that are due after a restart are delivered once each, in order, under their ids', async () => {
  const { file } = await inFolder()
  const [before, after] = [createReceiver(), createReceiver()]
  const first = await start(file, {}, { post: before.post })
  const id = await first.createF(HOOK)
  await first.clock.advance({ to: 'next' })
  await first.stop()
  const second = await start(file, {}, { post: after.post })
  await second.clock.advance({ to: 'idle' })
  expect(before.sent.map((one) => one.id)).toEqual([`${id}-0`, `${id}-1`, `${id}-2`])
  expect(after.sent.map((one) => one.id)).toEqual([`${id}-3`])
})

test('of a process that is killed, what was answered is not sent again, and what was on its way is', async () => {
  const { folder, file } = await inFolder()
  const isRunning = ({ body }: { readonly body: object }) => JSON.stringify(body).includes('"running"')
  const [before, after] = [createReceiver({ isSilent: isRunning }), createReceiver()]
  const first = await start(file, {}, { post: before.post })
  const id = await first.createF(HOOK)
  void first.clock.advance({ to: 'idle' })
  await first.requests.waitFor({ operation: 'f-video-v2.create' })
  await until(() => before.sent.length === 3)
  const second = await start(await killed(first, folder), {}, { post: after.post })
  await second.clock.advance({ to: 'idle' })
  expect(before.sent.map((one) => one.id)).toEqual([`${id}-0`, `${id}-1`, `${id}-2`])
  expect(after.sent.map((one) => one.id)).toEqual([`${id}-2`, `${id}-3`])
})

test('those of a live clock are sent by themselves, with what a query would have answered then', async () => {
  const { file } = await inFolder()
  let wall = Date.UTC(2026, 5, 1)
  const [before, after] = [createReceiver(), createReceiver()]
  const first = await start(file, { clock: 'live' }, { post: before.post, wall: () => wall })
  const id = await first.createF(HOOK)
  await first.callbacks.waitFor({ taskId: id, kind: 'delivery' })
  await first.stop()
  wall += 60_000
  const second = await start(file, { clock: 'live' }, { post: after.post, wall: () => wall })
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
  const id = await first.createF(HOOK)
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
  const id = await first.createF(HOOK)
  await first.clock.advance({ to: 'idle' })
  await first.emulator.store.run('k', ({ tasks }) => tasks.delete(id))
  // When what is killed has written down this call, it has written down the deletion too.
  await first.ask('GET', `/provC/v2/query/video_generation/${id}`)
  const second = await start(await killed(first, folder), {}, { post: after.post })
  expect(await second.tasks.list()).toEqual([])
  expect((await second.callbacks.redeliver(`${id}-3`)).state).toBe('delivered')
})

const until = async (isSo: () => boolean): Promise<void> => {
  while (!isSo()) await new Promise(setImmediate)
}
