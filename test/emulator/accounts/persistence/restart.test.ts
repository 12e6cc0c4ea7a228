import { join } from 'node:path'
import { expect, test } from 'vitest'
import { killed, openFolder, start } from './start.js'

const inFolder = async () => {
  const folder = await openFolder()
  return { folder, file: join(folder, 'state.jsonl') }
}

test('a task of before is the same after a restart', async () => {
  const { file } = await inFolder()
  const first = await start(file)
  const id = await first.createB()
  await first.clock.advance({ to: 'next' })
  const before = (await first.query(id)).body
  await first.stop()
  const second = await start(file)
  expect((await second.query(id)).body).toEqual(before)
  expect(await second.tasks.list()).toHaveLength(1)
})

test('a paused clock has not gone on, and what is to come still comes', async () => {
  const { file } = await inFolder()
  const first = await start(file)
  const id = await first.createB()
  const { now } = await first.clock.read()
  await first.stop()
  const second = await start(file)
  expect((await second.clock.read()).now).toBe(now)
  expect((await second.clock.advance({ to: 'idle' })).happened.map(({ detail }) => detail)).toEqual([
    'running',
    'succeeded',
  ])
  expect(await second.statusOfB(id)).toBe('succeeded')
})

test('a live clock has gone on meanwhile, at its speed', async () => {
  const { file } = await inFolder()
  let systemNow = Date.UTC(2026, 5, 1)
  const first = await start(file, { clock: 'live', speed: 2 }, { systemNow: () => systemNow })
  const id = await first.createB()
  await first.stop()
  systemNow += 60_000
  const second = await start(file, { clock: 'live', speed: 2 }, { systemNow: () => systemNow })
  expect((await second.clock.read()).now).toBe('2026-06-01T00:02:00.000Z')
  expect(await second.statusOfB(id)).toBe('succeeded')
})

test('a live clock stands still where the clock of the machine was set back', async () => {
  const { file } = await inFolder()
  let systemNow = Date.UTC(2026, 5, 1)
  const first = await start(file, { clock: 'live' }, { systemNow: () => systemNow })
  await first.createB()
  await first.stop()
  systemNow -= 3_600_000
  const second = await start(file, { clock: 'live' }, { systemNow: () => systemNow })
  expect((await second.clock.read()).now).toBe('2026-06-01T00:00:00.000Z')
})

test('moments that a live clock passed meanwhile come about by themselves', async () => {
  const { file } = await inFolder()
  let systemNow = Date.UTC(2026, 5, 1)
  const first = await start(file, { clock: 'live' }, { systemNow: () => systemNow })
  const id = await first.createB()
  await first.stop()
  systemNow += 60_000
  const second = await start(file, { clock: 'live' }, { systemNow: () => systemNow })
  await second.tasks.waitFor(id, 'succeeded')
  await second.idle()
  expect((await second.read()).balance).toBeLessThan(1_000_000)
})

test('a task that was charged is not charged again after a restart', async () => {
  const { file } = await inFolder()
  const first = await start(file)
  await first.createB()
  await first.clock.advance({ to: 'idle' })
  const { balance } = await first.read()
  await first.stop()
  const second = await start(file)
  await second.clock.advance('1h')
  expect((await second.read()).balance).toBe(balance)
  expect(balance).toBeLessThan(1_000_000)
})

test('ids go on where they were, as without a restart', async () => {
  const { file } = await inFolder()
  const whole = await start(join(await openFolder(), 'other.jsonl'))
  const expected = [await whole.createB(), await whole.createB()]
  const first = await start(file)
  const made = [await first.createB()]
  await first.stop()
  const second = await start(file)
  expect([...made, await second.createB()]).toEqual(expected)
})

test('a result URL that was given out before still works', async () => {
  const { file } = await inFolder()
  const secret = { signingSecret: 'a secret of the first start' }
  const first = await start(file, { timing: 'instant', ...secret })
  const id = await first.createB()
  await first.clock.advance({ to: 'idle' })
  const { video_url } = (await first.query(id)).body.content
  await first.stop()
  const second = await start(file)
  const { pathname, search } = new URL(video_url)
  const response = await fetch(second.url + pathname + search, { method: 'HEAD' })
  expect(response.status).toBe(200)
})

test('an account that was reset is as new, and one that was there stays', async () => {
  const { file } = await inFolder()
  const first = await start(file)
  await first.createB()
  await first.as('other').createB()
  await first.reset()
  await first.stop()
  const second = await start(file)
  expect(await second.tasks.list()).toEqual([])
  expect(await second.as('other').tasks.list()).toHaveLength(1)
})

test('terms and limits that were changed stay changed', async () => {
  const { file } = await inFolder()
  const first = await start(file)
  await first.change({ balance: 7, agreementAccepted: false, limits: { requestsPerMinute: 3 } })
  await first.stop()
  const second = await start(file)
  expect(await second.read()).toMatchObject({
    balance: 7,
    agreementAccepted: false,
    limits: { requestsPerMinute: 3 },
  })
})

test('creates of the last minute still count against the limit', async () => {
  const { file } = await inFolder()
  const first = await start(file, { requestsPerMinute: 2 })
  await first.createB()
  await first.createB()
  await first.stop()
  const second = await start(file, { requestsPerMinute: 2 })
  expect(await second.createB()).toBeUndefined()
  await second.clock.advance('1m')
  const third = await second.createB()
  expect((await second.tasks.list()).map(({ id }) => id)).toContain(third)
})

test('a cancelled task stays cancelled, and a deleted one is gone', async () => {
  const { folder, file } = await inFolder()
  const first = await start(file)
  const [cancelled, deleted] = [await first.createB(), await first.createB()]
  await first.ask('DELETE', `/provB/api/v3/contents/generations/tasks/${cancelled}`)
  await first.clock.advance({ to: 'idle' })
  await first.ask('DELETE', `/provB/api/v3/contents/generations/tasks/${deleted}`)
  const second = await start(await killed(first, folder))
  expect((await second.tasks.list()).map(({ id, status }) => [id, status])).toEqual([
    [cancelled, 'cancelled'],
  ])
})

test('a task evicted from another account does not come back after a restart', async () => {
  const folder = await openFolder()
  const narrow = { tasksInAll: 3, timing: 'instant' } as const
  const first = await start(join(folder, 'state.jsonl'), narrow)
  const busy = [await first.as('busy').createB(), await first.as('busy').createB()]
  const quiet = await first.as('quiet').createB()
  const late = await first.as('late').createB()
  const left = await killed(first, folder)
  const second = await start(left, { timing: 'instant' })
  const kept = await Promise.all(
    ['busy', 'quiet', 'late'].map((key) => second.emulator.store.read(key, ({ tasks }) => [...tasks.keys()])),
  )
  expect(kept).toEqual([[busy[1]], [quiet], [late]])
})

test('an eviction from the callback log of another account is counted after a restart', async () => {
  const folder = await openFolder()
  const first = await start(join(folder, 'state.jsonl'), { callbacksLoggedInAll: 6, timing: 'instant' })
  const order = { callback_url: `${first.url}/_backlot/inbox/hook` }
  await first.as('busy').createB(order)
  await first.as('busy').createB(order)
  await first.as('quiet').createB(order)
  expect((await first.emulator.callbacks.list('busy')).evicted).toBe(3)
  const second = await start(await killed(first, folder))
  expect((await second.emulator.callbacks.list('busy')).evicted).toBe(3)
})

test('a task evicted from an account without a call since does not come back after a restart', async () => {
  const file = join(await openFolder(), 'state.jsonl')
  const begun = await start(file, { timing: 'instant' })
  const busy = [await begun.as('busy').createB(), await begun.as('busy').createB()]
  await begun.stop()
  const narrow = await start(file, { tasksInAll: 2, timing: 'instant' })
  await narrow.as('quiet').createB()
  await narrow.stop()
  const last = await start(file, { timing: 'instant' })
  expect(await last.emulator.store.read('busy', ({ tasks }) => [...tasks.keys()])).toEqual([busy[1]])
})

test('tasks that a lower limit evicts at a start do not come back, even without a call', async () => {
  const file = join(await openFolder(), 'state.jsonl')
  const begun = await start(file, { timing: 'instant' })
  const made = [await begun.createB(), await begun.createB(), await begun.createB()]
  await begun.stop()
  const narrow = await start(file, { tasksInAll: 2, timing: 'instant' })
  await narrow.stop()
  const last = await start(file, { timing: 'instant' })
  expect(await last.emulator.store.read('k', ({ tasks }) => [...tasks.keys()])).toEqual(made.slice(1))
})

test('accounts beyond a lower limit are evicted when one more is opened', async () => {
  const file = join(await openFolder(), 'state.jsonl')
  const first = await start(file, { timing: 'instant' })
  for (const key of ['a', 'b', 'c', 'd']) await first.as(key).createB()
  await first.stop()
  const second = await start(file, { timing: 'instant', maxAccounts: 2 })
  await second.as('e').createB()
  expect(await second.emulator.store.keys()).toEqual(['d', 'e'])
})

test('a live clock that was killed does not stand before a moment that had come by itself', async () => {
  const { folder, file } = await inFolder()
  let systemNow = Date.UTC(2026, 5, 1)
  const first = await start(file, { clock: 'live' }, { systemNow: () => systemNow })
  const id = await first.createB()
  systemNow += 2_000
  // As the wake timer does it: without a call.
  await first.emulator.store.transact('k', () => {})
  const copy = await killed(first, folder)
  systemNow -= 3_600_000
  const second = await start(copy, { clock: 'live' }, { systemNow: () => systemNow })
  expect((await second.clock.read()).now).toBe('2026-06-01T00:00:02.000Z')
  expect(await second.statusOfB(id)).toBe('running')
})
