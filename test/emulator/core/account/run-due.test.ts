import { beforeEach, expect, test } from 'vitest'
import { openAccount } from '../../../../src/emulator/core/account/account.js'
import { apply, nextDue, putAsset, runDue } from '../../../../src/emulator/core/account/apply.js'
import type { Account } from '../../../../src/emulator/core/model/account.js'
import {
  forcedTimeline,
  instantTimeline,
  plainTimeline,
  viewAt,
} from '../../../../src/emulator/core/model/task.js'
import { settingsSchema } from '../../../../src/emulator/settings.js'
import { assetWith } from '../asset-literals.js'
import { taskWith } from '../task/literals.js'

let account: Account

beforeEach(() => {
  account = openAccount('test-key', settingsSchema.parse({}), { mode: 'paused', speed: 1, now: 0, wall: 0 })
})

const came = (now: number) => runDue(account, now).events.map(({ at, id, detail }) => `${at} ${id} ${detail}`)

test('an accepted create moves the sequence number', () => {
  apply(account, [{ acceptCreate: 0 }, { acceptCreate: 1 }])
  expect(account.sequence).toBe(2)
})

test('an accepted create counts against the rate limit', () => {
  account.limits = { ...account.limits, requestsPerMinute: 10 }
  apply(account, [{ acceptCreate: 3 }])
  expect(account.recentCreates).toEqual([3])
})

test('images are counted', () => {
  apply(account, [{ countImages: 3 }, { countImages: 2 }])
  expect(account.imagesMade).toBe(5)
})

test('a task is in flight until its end has come', () => {
  apply(account, [{ putTask: taskWith() }])
  expect(account.tasks.usage.inFlight).toBe(1)
  runDue(account, 19)
  expect(account.tasks.usage.inFlight).toBe(1)
  runDue(account, 20)
  expect(account.tasks.usage.inFlight).toBe(0)
})

test('nothing comes before its time, and nothing twice', () => {
  apply(account, [{ putTask: taskWith() }])
  expect(came(9)).toEqual([])
  expect(came(10)).toEqual(['10 task-1 running'])
  expect(came(10)).toEqual([])
  expect(came(1_000)).toEqual(['20 task-1 succeeded'])
  expect(came(1_000)).toEqual([])
})

test('a leap in time passes every moment of every task in order', () => {
  apply(account, [
    { putTask: taskWith({ id: 'a' }) },
    { putTask: taskWith({ id: 'b', timeline: plainTimeline(0, { queuedMs: 5, runningMs: 10 }, []) }) },
  ])
  expect(came(100)).toEqual(['5 b running', '10 a running', '15 b succeeded', '20 a succeeded'])
})

test('a happening brings its task', () => {
  apply(account, [{ putTask: taskWith() }])
  expect(runDue(account, 10).events[0]?.task).toEqual(taskWith())
})

test('a task is charged when it succeeds, and not before', () => {
  apply(account, [{ putTask: taskWith() }])
  runDue(account, 19)
  expect(account.spent).toBe(0)
  runDue(account, 20)
  expect(account.spent).toBe(5)
})

test.each([
  ['failed', { state: 'failed', error: 'any' }],
  ['cancelled', { state: 'cancelled' }],
  ['expired', { state: 'expired' }],
] as const)('a task that is %s is not charged', (_, phase) => {
  const task = taskWith()
  apply(account, [{ putTask: task }])
  apply(account, [{ putTask: { ...task, timeline: forcedTimeline(task.timeline, 5, phase) } }])
  runDue(account, 1_000)
  expect(account.spent).toBe(0)
  expect(account.tasks.usage.inFlight).toBe(0)
})

test('a timeline that ends where it begins is never in flight', () => {
  apply(account, [{ putTask: taskWith({ timeline: instantTimeline(0, []) }) }])
  expect(account.tasks.usage.inFlight).toBe(0)
  expect(nextDue(account)).toBeUndefined()
})

test('everything at one instant comes in order', () => {
  apply(account, [{ putTask: taskWith({ timeline: plainTimeline(0, { queuedMs: 0, runningMs: 0 }, []) }) }])
  expect(came(0)).toEqual(['0 task-1 running', '0 task-1 succeeded'])
  expect(account.spent).toBe(5)
})

test('a rewritten timeline replaces the former one', () => {
  const task = taskWith()
  apply(account, [{ putTask: task }])
  runDue(account, 10)
  const failing = { ...task, timeline: forcedTimeline(task.timeline, 12, { state: 'failed', error: 'any' }) }
  apply(account, [{ putTask: failing }])
  expect(came(1_000)).toEqual(['12 task-1 failed'])
  expect(account.tasks.get('task-1')).toBe(failing)
})

test('the moments of a held timeline come once it is released, and past moments do not come again', () => {
  const task = taskWith()
  apply(account, [{ putTask: task }])
  runDue(account, 10)
  apply(account, [{ putTask: { ...task, timeline: task.timeline.slice(0, 2) } }])
  expect(nextDue(account)).toBeUndefined()
  expect(came(1_000)).toEqual([])
  apply(account, [
    {
      putTask: {
        ...task,
        timeline: forcedTimeline(task.timeline.slice(0, 2), 2_000, { state: 'succeeded', media: [] }),
      },
    },
  ])
  expect(came(2_000)).toEqual(['2000 task-1 succeeded'])
  expect(account.spent).toBe(5)
})

test('of an asset the end of its processing comes, and of one that is processed for ever nothing', () => {
  const asset = assetWith()
  putAsset(account, { ...asset, id: 'asset-2', jobId: 'job-2', timeline: asset.timeline.slice(0, 1) })
  expect(nextDue(account)).toBeUndefined()
  putAsset(account, asset)
  expect(came(1_000)).toEqual(['10 asset-1 Active'])
})

test('a task that is written again as it was comes once', () => {
  apply(account, [{ putTask: taskWith() }, { putTask: taskWith() }])
  expect(came(1_000)).toEqual(['10 task-1 running', '20 task-1 succeeded'])
  expect(account.spent).toBe(5)
})

test('a task that is dropped is gone, and nothing more comes of it', () => {
  apply(account, [{ putTask: taskWith() }, { dropTask: 'task-1' }])
  expect(account.tasks.size).toBe(0)
  expect(account.tasks.usage.inFlight).toBe(0)
  expect(nextDue(account)).toBeUndefined()
  expect(came(1_000)).toEqual([])
})

test('a task that is dropped after it succeeded stays paid for', () => {
  apply(account, [{ putTask: taskWith() }])
  runDue(account, 20)
  apply(account, [{ dropTask: 'task-1' }])
  expect(account.spent).toBe(5)
})

test('the next moment is the soonest of all tasks', () => {
  apply(account, [
    { putTask: taskWith({ id: 'a' }) },
    { putTask: taskWith({ id: 'b', timeline: plainTimeline(0, { queuedMs: 3, runningMs: 100 }, []) }) },
  ])
  expect(nextDue(account)).toBe(3)
  runDue(account, 3)
  expect(nextDue(account)).toBe(10)
})

test('the status of a task does not depend on whether its moments were run', () => {
  const task = taskWith()
  apply(account, [{ putTask: task }])
  const before = viewAt(account.tasks.get('task-1') ?? task, 15)
  runDue(account, 1_000)
  expect(viewAt(account.tasks.get('task-1') ?? task, 15)).toEqual(before)
})
