import { expect, test } from 'vitest'
import { isIdle } from '../../../../src/emulator/core/account/account.js'
import { apply, putAsset } from '../../../../src/emulator/core/account/apply.js'
import type { AnyTaskFamily } from '../../../../src/emulator/core/contract.js'
import type { Phase, Task } from '../../../../src/emulator/core/model/task.js'
import { DAY, HOUR, type Moment, momentAt, SECOND } from '../../../../src/emulator/core/schedule/time.js'
import { image } from '../../../../src/emulator/families/a-image/index.js'
import { videoTask } from '../../../../src/emulator/families/b-video-task/index.js'
import { exposureIn } from '../../../../src/emulator/families/registry.js'
import {
  cancel,
  contextWith,
  create,
  force,
  later,
  type TestContext,
  taskOf,
} from '../../families/context.js'
import { assetWith } from '../asset-literals.js'
import { accountWith, taskWith } from '../callback/story.js'

const clip = { model: 'videoa-2-0-260128', content: [{ type: 'text', text: 'A lighthouse in the fog' }] }
const picture = {
  model: 'alpha-image-3.0-pro',
  input: { messages: [{ role: 'user', content: [{ text: 'A lighthouse' }] }] },
}

const video = (context: TestContext) => taskOf(create(videoTask, clip, context), context)

const oldestEnded = ({ account }: TestContext) => account.tasks.oldestEnded()?.id

test('the oldest ended task is evicted first', () => {
  const context = contextWith()
  const next = later(context, SECOND)
  const [first, second] = [video(context), video(next)]
  force(second, { state: 'failed', error: 'InternalServiceError' }, next)
  force(first, { state: 'failed', error: 'InternalServiceError' }, next)
  expect(oldestEnded(next)).toBe(first.id)
  context.account.tasks.delete(first.id)
  expect(oldestEnded(next)).toBe(second.id)
})

test('an unfinished task is not evicted', () => {
  const context = contextWith()
  video(context)
  expect(oldestEnded(context)).toBeUndefined()
  expect(context.account.tasks.usage.ended).toBe(0)
})

test('a task that a scenario holds for ever is not evicted', () => {
  const context = contextWith()
  force(video(context), { state: 'running' }, context)
  expect(context.account.tasks.usage.inFlight).toBe(1)
  expect(oldestEnded(context)).toBeUndefined()
  expect(isIdle(context.account, context.now)).toBe(false)
})

test('an account is idle when nothing of it is in flight', () => {
  const context = contextWith()
  expect(isIdle(context.account, context.now)).toBe(true)
  const { id } = video(context)
  expect(isIdle(context.account, context.now)).toBe(false)
  cancel(videoTask, id, context)
  expect(isIdle(context.account, context.now)).toBe(true)
})

test('an account is not idle while an asset is processed', () => {
  const { account } = contextWith()
  putAsset(account, assetWith())
  expect([isIdle(account, 9), isIdle(account, 10)]).toEqual([false, true])
})

test('an account is not idle while a callback of a task that was deleted waits', () => {
  const account = accountWith(taskWith())
  apply(account, [{ dropTask: 'task' }])
  expect(account.tasks.size).toBe(0)
  expect(isIdle(account, 0)).toBe(false)
})

test('a cancelled task has no entry in the schedule', () => {
  const context = contextWith()
  for (let round = 0; round < 3; round += 1) cancel(videoTask, video(context).id, context)
  const kept = video(context)
  expect(context.account.schedule.size).toBe(1)
  expect(context.account.schedule.peek()?.id).toBe(kept.id)
})

const reachableUntil = (family: AnyTaskFamily, task: Task) =>
  exposureIn(family, task, momentAt(task.timeline, Number.POSITIVE_INFINITY) as Moment<Phase>).reachableUntil

test('a video that failed is unreachable once it cannot be queried, and not before', () => {
  const context = contextWith()
  const failed = force(video(context), { state: 'failed', error: 'InternalServiceError' }, context)
  expect(reachableUntil(videoTask, failed)).toBe(context.now + 7 * DAY)
})

test('a cancelled task is unreachable after 24 hours', () => {
  const context = contextWith()
  const { id } = video(context)
  cancel(videoTask, id, context)
  const task = taskOf({ meta: { task: id } } as ReturnType<typeof create>, context)
  expect(reachableUntil(videoTask, task)).toBe(context.now + 24 * HOUR - 1)
})

test('a succeeded task is unreachable once its URL has expired, after 14 days', () => {
  const task = video(contextWith())
  expect(reachableUntil(videoTask, task)).toBe((task.timeline.at(-1)?.at ?? 0) + 14 * DAY - 1)
})

test('an image is unreachable after 24 hours', () => {
  const context = contextWith()
  const task = taskOf(create(image, picture, context), context)
  expect(reachableUntil(image, task)).toBe(context.now + 24 * HOUR - 1)
})
