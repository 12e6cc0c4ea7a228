import { expect, test } from 'vitest'
import { apply, nextDue, runDue } from '../../../src/core/account/apply.js'
import { resumeCallbacks } from '../../../src/core/callback/queue.js'
import { forcedTimeline } from '../../../src/core/model/task.js'
import { accepted, accountWith, CHALLENGE, conclusion, postingsAt, statesOf, taskWith } from './story.js'

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
