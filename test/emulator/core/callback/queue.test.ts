import { expect, test } from 'vitest'
import { apply, nextDue, runDue } from '../../../../src/emulator/core/account/apply.js'
import { resend, resumeCallbacks } from '../../../../src/emulator/core/callback/queue.js'
import type { DeliveryJob, Effects } from '../../../../src/emulator/core/model/account.js'
import { forcedTimeline } from '../../../../src/emulator/core/model/task.js'
import {
  accepted,
  accountWith,
  CHALLENGE,
  conclusion,
  postingsAt,
  refused,
  statesOf,
  taskWith,
} from './story.js'

test('a new task has its challenge to send, and its first status after it', () => {
  const account = accountWith(taskWith(CHALLENGE))
  expect(statesOf(account)).toEqual(['challenge waiting', 'queued waiting'])
  expect(postingsAt(account, 0).map(({ callback }) => callback.id)).toEqual(['task-0'])
})

test('without a challenge the first status is sent at once', () => {
  expect(postingsAt(accountWith(taskWith()), 0).map(({ callback }) => callback.id)).toEqual(['task-1'])
})

test('a task without an address has nothing to send', () => {
  const { callback: _, ...silent } = taskWith()
  const account = accountWith(silent)
  runDue(account, 20_000)
  expect(statesOf(account)).toEqual([])
})

test('a status change comes into the log when it happens', () => {
  const account = accountWith(taskWith())
  runDue(account, 9_999)
  expect(statesOf(account)).toEqual(['queued waiting'])
  runDue(account, 10_000)
  expect(statesOf(account)).toEqual(['queued waiting', 'running waiting'])
})

test('a callback that was evicted from the log is sent, and does not come back into the log', () => {
  const account = accountWith(taskWith(), 1)
  const [queued] = postingsAt(account, 10_000) as [DeliveryJob]
  expect(queued.callback.status).toBe('queued')
  expect(conclusion(account, queued, accepted, 10_000).happened).toEqual(['task-1 delivered'])
  expect(statesOf(account)).toEqual(['running waiting'])
})

test('a delivery that is sent again by hand verifies no address, even where it is accepted', () => {
  const account = accountWith(taskWith(CHALLENGE))
  const [challenge] = postingsAt(account, 0) as [DeliveryJob]
  conclusion(account, challenge, refused, 0)
  const effects: Effects = { events: [], jobs: [] }
  resend(account, 'task-1', 0, effects)
  const [again] = effects.jobs as [DeliveryJob]
  expect(conclusion(account, again, accepted, 0).happened).toEqual(['task-1 delivered'])
  expect(postingsAt(account, 10_000)).toEqual([])
  expect(statesOf(account)).toEqual(['challenge failed', 'queued delivered', 'running skipped'])
})

test.each([
  ['as it was, so that its callbacks can be sent again', 100, 100],
  ['without its long texts', 20_000, 0],
])('the callback log keeps a task that was deleted %s', (_, length, kept) => {
  const other = { ...taskWith(), id: 'other', params: { prompt: 'y'.repeat(length) } }
  const account = accountWith({ ...taskWith(), params: { prompt: 'x'.repeat(length) } })
  apply(account, [{ putTask: other }])
  for (const job of postingsAt(account, 0)) conclusion(account, job, accepted, 0)
  apply(account, [{ dropTask: 'task' }])
  const promptOf = (id: string) => {
    const params = account.callbacks.log.get(id)?.task.params as { prompt?: string } | undefined
    return params?.prompt?.length ?? 0
  }
  expect([promptOf('task-1'), promptOf('other-1')]).toEqual([kept, length])
})

test('a delivery that was refused is tried again, also when its task was deleted meanwhile', () => {
  const account = accountWith(taskWith())
  const [queued] = postingsAt(account, 0) as [DeliveryJob]
  conclusion(account, queued, refused, 0)
  apply(account, [{ dropTask: 'task' }])
  expect(postingsAt(account, 1_000).map(({ callback }) => callback.id)).toEqual(['task-1'])
})

test('only the first of several changes is sent at a time', () => {
  const account = accountWith(taskWith())
  expect(postingsAt(account, 20_000).map(({ callback }) => callback.status)).toEqual(['queued'])
  expect(postingsAt(account, 20_000)).toEqual([])
})

test('a status that is forced again is no change', () => {
  const task = taskWith()
  const account = accountWith(task)
  apply(account, [
    { putTask: { ...task, timeline: forcedTimeline(task.timeline, 5_000, { state: 'queued' }) } },
  ])
  runDue(account, 5_000)
  expect(statesOf(account)).toEqual(['queued waiting'])
})

test('a task that is rewritten reports what happens instead', () => {
  const task = taskWith()
  const account = accountWith(task)
  apply(account, [
    { putTask: { ...task, timeline: forcedTimeline(task.timeline, 5_000, { state: 'cancelled' }) } },
  ])
  runDue(account, 20_000)
  expect(statesOf(account)).toEqual(['queued waiting', 'cancelled waiting'])
})

test('a callback on its way is no future moment', () => {
  const account = accountWith(taskWith())
  expect(nextDue(account)).toBe(0)
  postingsAt(account, 0)
  expect(nextDue(account)).toBe(10_000)
})

test('a correspondence is forgotten once everything was said', () => {
  const account = accountWith(taskWith())
  let [posting] = postingsAt(account, 20_000)
  for (let count = 0; count < 3 && posting !== undefined; count += 1)
    posting = conclusion(account, posting, accepted, 20_000).next[0]
  expect(statesOf(account)).toEqual(['queued delivered', 'running delivered', 'succeeded delivered'])
  expect(account.callbacks.queues.size).toBe(0)
})

test('the log keeps the newest and counts the rest', () => {
  const account = accountWith(taskWith(), 2)
  runDue(account, 20_000)
  expect(statesOf(account)).toEqual(['running waiting', 'succeeded waiting'])
  expect(account.callbacks.evicted).toBe(1)
})

test('a callback that was on its way when the account was stored is sent again', () => {
  const account = accountWith(taskWith())
  const before = postingsAt(account, 0)
  resumeCallbacks(account, 3_000)
  expect(nextDue(account)).toBe(3_000)
  expect(postingsAt(account, 3_000).map(({ callback }) => callback.id)).toEqual(
    before.map(({ callback }) => callback.id),
  )
})

test('records of callbacks survive JSON', () => {
  const account = accountWith(taskWith(CHALLENGE))
  const kept = [...account.callbacks.queues.values(), ...account.callbacks.log.values()]
  expect(JSON.parse(JSON.stringify(kept))).toEqual(kept)
})
