import { expect, test } from 'vitest'
import { MINUTE } from '../../../../src/emulator/core/schedule/time.js'
import { videoTask } from '../../../../src/emulator/families/b-video-task/index.js'
import { unifiedVideo } from '../../../../src/emulator/families/c-video/index.js'
import {
  cancel,
  contextWith,
  create,
  force,
  later,
  list,
  read,
  type TestContext,
  taskOf,
} from '../context.js'
import { request } from './request.js'

const task = {
  model: 'videoa-2-0-260128',
  content: [{ type: 'text', text: 'A paper boat sails down a rainy street' }],
}

const madeOnC = (context: TestContext) => taskOf(create(unifiedVideo, request(), context), context)
const madeOnB = (context: TestContext) => taskOf(create(videoTask, task, context), context)

test('a task of C is read and listed on B, in the words of B', () => {
  const context = contextWith()
  const { id } = madeOnC(context)
  const end = later(context, MINUTE)
  const body = read(videoTask, id, end).reply.body
  expect(body).toMatchObject({ id, status: 'succeeded', content: { video_url: expect.any(String) } })
  expect(body).not.toHaveProperty('task_id')
  expect(list(videoTask, {}, end).reply.body).toMatchObject({ total: 1, items: [{ id }] })
})

test('a task of B is read on C, in the words of C', () => {
  const context = contextWith()
  const { id } = madeOnB(context)
  expect(read(unifiedVideo, id, later(context, MINUTE)).reply.body).toMatchObject({
    id,
    task_id: id,
    object: 'video',
    status: 'succeeded',
    url: expect.any(String),
  })
})

test('a queued task of C is cancelled on B, which C cannot do itself', () => {
  const context = contextWith()
  const { id } = madeOnC(context)
  expect(unifiedVideo.routes.cancel).toBeUndefined()
  expect(cancel(videoTask, id, context).reply.status).toBe(200)
  expect(read(unifiedVideo, id, context).reply.body).toMatchObject({ id, status: 'cancelled' })
})

/** What B says of a task of C that failed so, read by itself and in a list. */
const failedOnB = (error: string): unknown[] => {
  const context = contextWith()
  const { id } = force(madeOnC(context), { state: 'failed', error }, context)
  const { items } = list(videoTask, {}, context).reply.body as { items: { error: unknown }[] }
  return [(read(videoTask, id, context).reply.body as { error: unknown }).error, items[0]?.error]
}

test.each([
  [
    'content_policy_violation',
    'OutputVideoSensitiveContentDetected',
    'The output video may contain sensitive content.',
  ],
  ['internal_error', 'InternalServiceError', 'The service encountered an unexpected internal error.'],
])('a task of C that failed with %s failed on B with %s', (error, code, message) =>
  expect(failedOnB(error)).toEqual([
    { code, message },
    { code, message },
  ]),
)

const withoutEquivalent = Object.entries(unifiedVideo.errors).filter(
  ([error]) => error !== 'content_policy_violation' && error !== 'internal_error',
)

test.each(withoutEquivalent)(
  'a task of C that failed with %s says so on B, with its sentence',
  (error, spec) => {
    const shown = { code: error, message: `${spec.message}.` }
    expect(failedOnB(error)).toEqual([shown, shown])
  },
)

test('an answer of C about its own task has no words of B', () => {
  const context = contextWith()
  const { id } = force(madeOnC(context), { state: 'failed', error: 'content_policy_violation' }, context)
  expect(read(unifiedVideo, id, context).reply.body).toMatchObject({
    error: { code: 'content_policy_violation', message: 'The content violates the content policy.' },
  })
})

test.each(Object.entries(videoTask.errors))(
  'a task of B that failed with %s is rendered on C',
  (error, spec) => {
    const context = contextWith()
    const { id } = force(madeOnB(context), { state: 'failed', error }, context)
    expect(read(unifiedVideo, id, context).reply.body).toMatchObject({
      status: 'failed',
      error: { code: error, message: `${spec.message}.` },
    })
  },
)

test('the same request on B and C is the same video', () => {
  const [b, c] = [madeOnB(contextWith()), madeOnC(contextWith())]
  expect(c).toEqual({ ...b, family: 'c-video' })
})
