import { expect, test } from 'vitest'
import type { Phase } from '../../../../src/emulator/core/model/task.js'
import { videoTask } from '../../../../src/emulator/families/b-video-task/index.js'
import { at, cancel, contextWith, force, later, read, type TestContext, taskOf } from '../context.js'
import { idOf, make, media, request } from './requests.js'

const DAY = 86_400_000

const statusOf = (id: string, context: TestContext) => {
  const { reply } = read(videoTask, id, context)
  return reply.status === 200 ? (reply.body as { status: string }).status : reply.status
}

/** A task in a phase, in its context. */
const taskIn = (phase: Phase) => {
  const context = contextWith({ resolvedMedia: media })
  return { context, id: force(taskOf(make(request(), context), context), phase, context).id }
}

test('a queued task is cancelled, and the answer is empty', () => {
  const context = contextWith({ resolvedMedia: media })
  const id = idOf(request(), context)
  expect(cancel(videoTask, id, context).reply).toEqual({ status: 200, body: {} })
  expect(statusOf(id, context)).toBe('cancelled')
  expect(read(videoTask, id, context).reply.body).toMatchObject({ error: null })
})

test('a cancelled task stays cancelled, and never runs', () => {
  const context = contextWith({ resolvedMedia: media })
  const id = idOf(request(), context)
  cancel(videoTask, id, later(context, 100))
  expect(statusOf(id, later(context, 60_000))).toBe('cancelled')
  expect(read(videoTask, id, later(context, 60_000)).reply.body).toMatchObject({
    updated_at: Math.floor((context.now + 100) / 1_000),
  })
})

test('a task can be cancelled until the instant at which it begins to run', () => {
  const context = contextWith({ resolvedMedia: media })
  const [first, second] = [idOf(request(), context), idOf(request(), context)]
  const runsAt = (id: string) => context.account.tasks.get(id)?.timeline[1]?.at ?? 0
  expect(cancel(videoTask, first, at(context, runsAt(first) - 1)).reply.status).toBe(200)
  expect(cancel(videoTask, second, at(context, runsAt(second))).reply.status).toBe(409)
})

test.each<[string, string]>([
  ['running', 'InvalidAction.RunningTaskDeletion'],
  ['cancelled', 'InvalidAction.CancelledTaskDeletion'],
])('a task that is %s is not deleted', (state, code) => {
  const { context, id } = taskIn({ state: state as 'running' | 'cancelled' })
  expect(cancel(videoTask, id, context).reply).toEqual({
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
  expect(statusOf(id, context)).toBe(state)
})

test.each<Phase>([
  { state: 'succeeded', media: [] },
  { state: 'failed', error: 'InternalServiceError' },
  { state: 'expired' },
])('a task that is $state is removed', (phase) => {
  const { context, id } = taskIn(phase)
  expect(cancel(videoTask, id, context).reply).toEqual({ status: 200, body: {} })
  expect(statusOf(id, context)).toBe(404)
  expect(cancel(videoTask, id, context).reply).toMatchObject({
    status: 404,
    body: { error: { code: 'ResourceNotFound' } },
  })
})

test('a removed task that succeeded stays paid for', () => {
  const context = contextWith({ resolvedMedia: media })
  const id = idOf(request(), context)
  cancel(videoTask, id, later(context, 60_000))
  expect(context.account.spent).toBe(0.5)
})

test.each([
  ['a millisecond before 24 hours', DAY - 1, 'cancelled'],
  ['after 24 hours', DAY, 404],
])('a cancelled task %s: %s', (_, ms, status) => {
  const context = contextWith({ resolvedMedia: media })
  const id = idOf(request(), context)
  cancel(videoTask, id, context)
  expect(statusOf(id, later(context, ms))).toBe(status)
})

test('the 24 hours count from the cancellation', () => {
  const context = contextWith({ resolvedMedia: media, settings: { timing: 'realistic' } })
  const id = idOf(request({ service_tier: 'flex' }), context)
  cancel(videoTask, id, later(context, 60_000))
  expect(statusOf(id, later(context, DAY + 59_999))).toBe('cancelled')
  expect(statusOf(id, later(context, DAY + 60_000))).toBe(404)
})

test('a cancelled task that has left cannot be deleted any more', () => {
  const context = contextWith({ resolvedMedia: media })
  const id = idOf(request(), context)
  cancel(videoTask, id, context)
  expect(cancel(videoTask, id, later(context, DAY)).reply.status).toBe(404)
})

test.each([
  ['no account made', () => 'cgt-20260101000000-zzzzz'],
  ['another account made', () => idOf(request(), contextWith({ key: 'somebody-else' }))],
])('a task that %s is not found', (_, id) =>
  expect(cancel(videoTask, id(), contextWith()).reply).toMatchObject({
    status: 404,
    body: { error: { code: 'ResourceNotFound', type: 'NotFound' } },
  }),
)

test('a task of more than 7 days is not found', () => {
  const context = contextWith({ resolvedMedia: media })
  const id = idOf(request(), context)
  expect(cancel(videoTask, id, later(context, 7 * DAY + 1)).reply.status).toBe(404)
})

test('a cancelled task is no longer in flight', () => {
  const context = contextWith({ resolvedMedia: media, settings: { tasksInFlight: 1 } })
  const id = idOf(request(), context)
  expect(make(request(), context).reply.status).toBe(429)
  cancel(videoTask, id, context)
  expect(make(request(), context).reply.status).toBe(200)
})
