import { expect, test } from 'vitest'
import { evictTasks, hasEndedTask, isIdle, isUnreachable } from '../../../src/core/account/eviction.js'
import { DAY, HOUR, SECOND } from '../../../src/core/schedule/duration.js'
import { compactSchedule } from '../../../src/core/schedule/run-due.js'
import { image } from '../../../src/families/a-image/index.js'
import { videoTask } from '../../../src/families/b-video-task/index.js'
import { cancel, create, force, later, type TestWorld, taskOf, worldWith } from '../../families/world.js'

const clip = { model: 'videoa-2-0-260128', content: [{ type: 'text', text: 'A lighthouse in the fog' }] }
const picture = {
  model: 'alpha-image-3.0-pro',
  input: { messages: [{ role: 'user', content: [{ text: 'A lighthouse' }] }] },
}

const video = (world: TestWorld) => taskOf(create(videoTask, clip, world), world)

const nextSecond = (world: TestWorld): TestWorld => later(world, SECOND)

test('what has ended is forgotten, the oldest first', () => {
  const world = worldWith()
  const later = nextSecond(world)
  const [first, second] = [video(world), video(later)]
  force(first, { state: 'failed', error: 'InternalServiceError' }, later)
  force(second, { state: 'failed', error: 'InternalServiceError' }, later)
  expect(evictTasks(world.account, 1)).toBe(1)
  expect([...world.account.tasks.keys()]).toEqual([second.id])
})

test('what has not ended is not', () => {
  const world = worldWith()
  const { id } = video(world)
  expect(hasEndedTask(world.account)).toBe(false)
  expect(evictTasks(world.account, 10)).toBe(0)
  expect(world.account.tasks.has(id)).toBe(true)
})

test('nor is what a scenario holds where it is for ever', () => {
  const world = worldWith()
  const task = video(world)
  force(task, { state: 'running' }, world)
  world.account.open.delete(task.id)
  expect(evictTasks(world.account, 10)).toBe(0)
  expect(isIdle(world.account, world.now)).toBe(false)
})

test('an account is idle when nothing of it is in flight', () => {
  const world = worldWith()
  expect(isIdle(world.account, world.now)).toBe(true)
  const { id } = video(world)
  expect(isIdle(world.account, world.now)).toBe(false)
  cancel(videoTask, id, world)
  expect(isIdle(world.account, world.now)).toBe(true)
})

test('what was cancelled leaves nothing in the agenda', () => {
  const world = worldWith()
  for (let round = 0; round < 3; round += 1) cancel(videoTask, video(world).id, world)
  const kept = video(world)
  compactSchedule(world.account)
  expect(world.account.schedule.size).toBe(1)
  expect(world.account.schedule.peek()?.id).toBe(kept.id)
})

test('a video that failed is past once it cannot be queried, and not before', () => {
  const world = worldWith()
  const failed = force(video(world), { state: 'failed', error: 'InternalServiceError' }, world)
  expect(isUnreachable(videoTask, failed, world.now + 7 * DAY)).toBe(false)
  expect(isUnreachable(videoTask, failed, world.now + 7 * DAY + 1)).toBe(true)
})

test('one that was cancelled is past after 24 hours', () => {
  const world = worldWith()
  const { id } = video(world)
  cancel(videoTask, id, world)
  const task = taskOf({ meta: { task: id } } as ReturnType<typeof create>, world)
  expect(isUnreachable(videoTask, task, world.now + 24 * HOUR - 1)).toBe(false)
  expect(isUnreachable(videoTask, task, world.now + 24 * HOUR)).toBe(true)
})

test('one that succeeded is past once its URL has expired, 14 days after', () => {
  const world = worldWith()
  const task = video(world)
  const end = task.timeline.at(-1)?.at ?? 0
  expect(isUnreachable(videoTask, task, end + 14 * DAY - 1)).toBe(false)
  expect(isUnreachable(videoTask, task, end + 14 * DAY)).toBe(true)
})

test('an image is past after 24 hours', () => {
  const world = worldWith()
  const task = taskOf(create(image, picture, world), world)
  expect(isUnreachable(image, task, world.now + 24 * HOUR - 1)).toBe(false)
  expect(isUnreachable(image, task, world.now + 24 * HOUR)).toBe(true)
})
