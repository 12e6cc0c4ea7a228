import { expect, test } from 'vitest'
import type { Phase } from '../../../../src/emulator/core/model/task.js'
import { videoTask } from '../../../../src/emulator/families/b-video-task/index.js'
import { at, cancel, force, later, read, type TestWorld, taskOf, worldWith } from '../world.js'
import { idOf, make, media, request } from './requests.js'

const DAY = 86_400_000

const statusOf = (id: string, world: TestWorld) => {
  const { reply } = read(videoTask, id, world)
  return reply.status === 200 ? (reply.body as { status: string }).status : reply.status
}

/** A task in a phase, in its world. */
const taskIn = (phase: Phase) => {
  const world = worldWith({ resolvedMedia: media })
  return { world, id: force(taskOf(make(request(), world), world), phase, world).id }
}

test('a queued task is cancelled, and the answer is empty', () => {
  const world = worldWith({ resolvedMedia: media })
  const id = idOf(request(), world)
  expect(cancel(videoTask, id, world).reply).toEqual({ status: 200, body: {} })
  expect(statusOf(id, world)).toBe('cancelled')
  expect(read(videoTask, id, world).reply.body).toMatchObject({ error: null })
})

test('a cancelled task stays cancelled, and never runs', () => {
  const world = worldWith({ resolvedMedia: media })
  const id = idOf(request(), world)
  cancel(videoTask, id, later(world, 100))
  expect(statusOf(id, later(world, 60_000))).toBe('cancelled')
  expect(read(videoTask, id, later(world, 60_000)).reply.body).toMatchObject({
    updated_at: Math.floor((world.now + 100) / 1_000),
  })
})

test('a task can be cancelled until the instant at which it begins to run', () => {
  const world = worldWith({ resolvedMedia: media })
  const [first, second] = [idOf(request(), world), idOf(request(), world)]
  const runsAt = (id: string) => world.account.tasks.get(id)?.timeline[1]?.at ?? 0
  expect(cancel(videoTask, first, at(world, runsAt(first) - 1)).reply.status).toBe(200)
  expect(cancel(videoTask, second, at(world, runsAt(second))).reply.status).toBe(409)
})

test.each<[string, string]>([
  ['running', 'InvalidAction.RunningTaskDeletion'],
  ['cancelled', 'InvalidAction.CancelledTaskDeletion'],
])('a task that is %s is not deleted', (state, code) => {
  const { world, id } = taskIn({ state: state as 'running' | 'cancelled' })
  expect(cancel(videoTask, id, world).reply).toEqual({
    status: 409,
    body: {
      error: {
        code,
        message: expect.stringContaining(`The task ${id} is ${state}`),
        param: 'id',
        type: 'Conflict',
      },
    },
  })
  expect(statusOf(id, world)).toBe(state)
})

test.each<Phase>([
  { state: 'succeeded', media: [] },
  { state: 'failed', error: 'InternalServiceError' },
  { state: 'expired' },
])('a task that is $state is removed', (phase) => {
  const { world, id } = taskIn(phase)
  expect(cancel(videoTask, id, world).reply).toEqual({ status: 200, body: {} })
  expect(statusOf(id, world)).toBe(404)
  expect(cancel(videoTask, id, world).reply).toMatchObject({
    status: 404,
    body: { error: { code: 'ResourceNotFound' } },
  })
})

test('a removed task that succeeded stays paid for', () => {
  const world = worldWith({ resolvedMedia: media })
  const id = idOf(request(), world)
  cancel(videoTask, id, later(world, 60_000))
  expect(world.account.spent).toBe(0.5)
})

test.each([
  ['a millisecond before 24 hours', DAY - 1, 'cancelled'],
  ['after 24 hours', DAY, 404],
])('a cancelled task %s: %s', (_, ms, status) => {
  const world = worldWith({ resolvedMedia: media })
  const id = idOf(request(), world)
  cancel(videoTask, id, world)
  expect(statusOf(id, later(world, ms))).toBe(status)
})

test('the 24 hours count from the cancellation', () => {
  const world = worldWith({ resolvedMedia: media, settings: { timing: 'realistic' } })
  const id = idOf(request({ service_tier: 'flex' }), world)
  cancel(videoTask, id, later(world, 60_000))
  expect(statusOf(id, later(world, DAY + 59_999))).toBe('cancelled')
  expect(statusOf(id, later(world, DAY + 60_000))).toBe(404)
})

test('a cancelled task that has left cannot be deleted any more', () => {
  const world = worldWith({ resolvedMedia: media })
  const id = idOf(request(), world)
  cancel(videoTask, id, world)
  expect(cancel(videoTask, id, later(world, DAY)).reply.status).toBe(404)
})

test.each([
  ['no account made', () => 'cgt-20260101000000-zzzzz'],
  ['another account made', () => idOf(request(), worldWith({ key: 'somebody-else' }))],
])('a task that %s is not found', (_, id) =>
  expect(cancel(videoTask, id(), worldWith()).reply).toMatchObject({
    status: 404,
    body: { error: { code: 'ResourceNotFound', type: 'NotFound' } },
  }),
)

test('a task of more than 7 days is not found', () => {
  const world = worldWith({ resolvedMedia: media })
  const id = idOf(request(), world)
  expect(cancel(videoTask, id, later(world, 7 * DAY + 1)).reply.status).toBe(404)
})

test('a cancelled task is no longer in flight', () => {
  const world = worldWith({ resolvedMedia: media, settings: { tasksInFlight: 1 } })
  const id = idOf(request(), world)
  expect(make(request(), world).reply.status).toBe(429)
  cancel(videoTask, id, world)
  expect(make(request(), world).reply.status).toBe(200)
})
