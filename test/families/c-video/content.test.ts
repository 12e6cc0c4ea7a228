import { expect, test } from 'vitest'
import type { AnyTaskFamily } from '../../../src/core/task/family.js'
import { DAY, MINUTE } from '../../../src/core/time/duration.js'
import { videoTask } from '../../../src/families/b-video-task/index.js'
import { videoContent } from '../../../src/families/c-video/content.js'
import { unifiedVideo } from '../../../src/families/c-video/index.js'
import { referenceVideo } from '../../../src/families/e-video-reference/index.js'
import { ask, callOf, create, force, later, type TestWorld, taskOf, worldWith } from '../world.js'
import { request, text, url } from './request.js'

const content = (id: string, world: TestWorld) => ask(videoContent, callOf(videoContent, { id }), world)

const requests: readonly (readonly [AnyTaskFamily, unknown])[] = [
  [unifiedVideo, request({ return_last_frame: true })],
  [videoTask, { model: 'videoa-2-0-260128', content: [text()] }],
  [referenceVideo, { model: 'beta2.7-r2v', subject_reference: [{ type: 'character', image: url() }] }],
]

test('it is an operation with a name of its own', () => {
  expect(videoContent).toMatchObject({
    id: 'c-video.content',
    needsKey: true,
    route: { method: 'GET', path: '/v1/videos/{task_id}/content' },
  })
})

test.each(requests.map(([family, body]) => [family.id, family, body] as const))(
  'a finished task of %s is answered with its video',
  (_, family, body) => {
    const world = worldWith()
    const task = taskOf(create(family, body, world), world)
    const { reply, changes, notes } = content(task.id, later(world, MINUTE))
    expect(reply.status).toBe(200)
    expect(reply.result).toMatchObject({ kind: 'video', card: { id: task.id } })
    expect(changes).toEqual([])
    expect(notes.task).toBe(task.id)
  },
)

test.each(['queued', 'running', 'failed', 'cancelled', 'expired'] as const)('a %s task is 400', (state) => {
  const world = worldWith()
  const task = taskOf(create(unifiedVideo, request(), world), world)
  force(task, state === 'failed' ? { state, error: 'internal_error' } : { state }, world)
  const { reply, notes } = content(task.id, world)
  expect(reply).toMatchObject({
    status: 400,
    body: {
      code: 'invalid_request',
      message: `The task ${task.id} is ${state}; its video can be had once it has succeeded.`,
    },
  })
  expect(reply.result).toBeUndefined()
  expect(notes.refusedBy.map(({ rule }) => rule)).toEqual(['c-video.content-is-there'])
})

test('an unknown task, and one older than 7 days, is 404', () => {
  const world = worldWith()
  const { id } = taskOf(create(unifiedVideo, request(), world), world)
  expect(content('nothing', world).reply).toMatchObject({ status: 404, body: { code: 'task_not_exist' } })
  expect(content(id, later(world, 7 * DAY)).reply.status).toBe(200)
  expect(content(id, later(world, 7 * DAY + 1)).reply.status).toBe(404)
})

test('without a key it is refused as everything on this path', () => {
  expect(videoContent.refuse('unauthenticated', {}, 'r')).toMatchObject({
    status: 401,
    body: { code: 'invalid_api_key' },
  })
})
