import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createReceiver } from './receiver.js'
import { openFolder, start } from './start.js'

const inFolder = async () => join(await openFolder(), 'state.jsonl')

test('callbacks that were on their way are broken off, and sent from where they stood', async () => {
  const keepsQuiet = ({ body }: { readonly body: object }) => JSON.stringify(body).includes('"running"')
  const receiver = createReceiver({ isSilent: keepsQuiet })
  const house = await start(await inFolder(), {}, { post: receiver.post })
  const id = await house.createF({ callback_url: 'http://127.0.0.1:9/hook' })
  await house.callbacks.waitFor({ taskId: id, kind: 'delivery' })
  const snapshot = await house.snapshot()
  const advanced = house.clock.advance({ to: 'idle' })
  await until(() => receiver.sent.length === 3)
  await house.restore(snapshot)
  await advanced
  expect((await house.callbacks.list()).map((one) => one.id)).toEqual([`${id}-1`, `${id}-0`])
  void house.clock.advance({ to: 'next' })
  await until(() => receiver.sent.length === 4)
  expect(receiver.sent.map((one) => one.id)).toEqual([0, 1, 2, 2].map((number) => `${id}-${number}`))
})

test('the files of assets are there as long as an account or a snapshot has them', async () => {
  const bytes = new Uint8Array(await readFile('fixtures/media/first-frame.png'))
  const house = await start(await inFolder(), { maxSnapshots: 1 })
  const pinned = () => house.emulator.blobs.stats().pinnedBytes
  const form = new FormData()
  form.append('file', new Blob([bytes], { type: 'image/png' }), 'first-frame.png')
  await fetch(`${house.url}/v1/asset/upload`, {
    method: 'POST',
    headers: { authorization: 'Bearer k' },
    body: form,
  })
  const snapshot = await house.snapshot()
  await house.reset()
  expect(pinned()).toBe(bytes.length)
  await house.restore(snapshot)
  await house.restore(snapshot)
  await house.as('another').snapshot()
  expect(pinned()).toBe(bytes.length)
  await house.reset()
  expect(pinned()).toBe(0)
})

test('the state file has the account as it was restored the second time', async () => {
  const file = await inFolder()
  const house = await start(file)
  const id = await house.createB()
  const snapshot = await house.snapshot()
  for (const _ of ['first', 'second']) {
    await house.createB()
    await house.clock.advance({ to: 'idle' })
    await house.restore(snapshot)
  }
  await house.stop()
  const again = await start(file)
  expect((await again.tasks.list()).map((task) => [task.id, task.status])).toEqual([[id, 'queued']])
})

test('the journal of a restored account begins before any of its calls', async () => {
  const house = await start(await inFolder(), { stateFsync: true })
  const reported: string[] = []
  house.emulator.journals.follow({
    opened: () => reported.push('opened'),
    call: () => reported.push('call'),
    controlled: () => reported.push('controlled'),
    forgotten: () => reported.push('forgotten'),
  })
  const snapshot = await house.snapshot()
  let isOver = false
  const calling = [1, 2].map(async () => {
    while (!isOver) await house.createB()
  })
  for (let nth = 0; nth < 5; nth += 1) {
    await house.createB()
    await house.restore(snapshot)
  }
  isOver = true
  await Promise.all(calling)
  const next = reported.filter((_, index) => reported[index - 1] === 'forgotten')
  expect(next).toEqual(Array(5).fill('opened'))
})

test('a restored live clock continues from its time in the snapshot', async () => {
  let systemNow = Date.UTC(2026, 5, 1)
  const house = await start(await inFolder(), { clock: 'live' }, { systemNow: () => systemNow })
  const id = await house.createB()
  const snapshot = await house.snapshot()
  systemNow += 3_600_000
  await house.restore(snapshot)
  expect((await house.clock.read()).now).toBe('2026-06-01T00:00:00.000Z')
  systemNow += 60_000
  expect(await house.statusOfB(id)).toBe('succeeded')
})

const until = async (isSo: () => boolean): Promise<void> => {
  while (!isSo()) await new Promise(setImmediate)
}
