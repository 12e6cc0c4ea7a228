import { describe, expect, test } from 'vitest'
import type { AnyTaskFamily, Operation } from '../../../../src/emulator/core/contract.js'
import type { Call } from '../../../../src/emulator/core/model/call.js'
import { DAY, MINUTE } from '../../../../src/emulator/core/schedule/time.js'
import { videoTask } from '../../../../src/emulator/families/b-video-task/index.js'
import { contentOperation } from '../../../../src/emulator/families/c-video/content.js'
import { unifiedVideo } from '../../../../src/emulator/families/c-video/index.js'
import { referenceVideo } from '../../../../src/emulator/families/e-video-reference/index.js'
import { builtIn } from '../../../../src/emulator/families/index.js'
import { createRoutes } from '../../../../src/emulator/service/routes.js'
import { ask, callOf, contextWith, create, force, later, type TestContext, taskOf } from '../context.js'
import { request, text, url } from './request.js'

const { operations } = builtIn

const videoContent = contentOperation(unifiedVideo)

describe('content', () => {
  const content = (id: string, context: TestContext) =>
    ask(videoContent, callOf(videoContent, { id }), context)

  const requests: readonly (readonly [AnyTaskFamily, unknown])[] = [
    [unifiedVideo, request({ return_last_frame: true })],
    [videoTask, { model: 'videoa-2-0-260128', content: [text()] }],
    [referenceVideo, { model: 'beta2.7-r2v', subject_reference: [{ type: 'character', image: url() }] }],
  ]

  test('content is an operation with a name of its own', () => {
    expect(videoContent).toMatchObject({
      id: 'c-video.content',
      needsKey: true,
      route: { method: 'GET', path: '/v1/videos/{task_id}/content' },
    })
  })

  test.each(requests.map(([family, body]) => [family.id, family, body] as const))(
    'a finished task of %s is answered with its video',
    (_, family, body) => {
      const context = contextWith()
      const task = taskOf(create(family, body, context), context)
      const { reply, changes, meta: notes } = content(task.id, later(context, MINUTE))
      expect(reply.status).toBe(200)
      expect(reply.result).toMatchObject({ kind: 'video', card: { id: task.id } })
      expect(changes).toEqual([])
      expect(notes.task).toBe(task.id)
    },
  )

  test.each(['queued', 'running', 'failed', 'cancelled', 'expired'] as const)('a %s task is 400', (state) => {
    const context = contextWith()
    const task = taskOf(create(unifiedVideo, request(), context), context)
    force(task, state === 'failed' ? { state, error: 'internal_error' } : { state }, context)
    const { reply, meta: notes } = content(task.id, context)
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
    const context = contextWith()
    const { id } = taskOf(create(unifiedVideo, request(), context), context)
    expect(content('nothing', context).reply).toMatchObject({ status: 404, body: { code: 'task_not_exist' } })
    expect(content(id, later(context, 7 * DAY)).reply.status).toBe(200)
    expect(content(id, later(context, 7 * DAY + 1)).reply.status).toBe(404)
  })

  test('without a key it is refused as everything on this path', () => {
    expect(videoContent.refuse('unauthenticated', {}, 'r')).toMatchObject({
      status: 401,
      body: { code: 'invalid_api_key' },
    })
  })
})

describe('path', () => {
  const find = createRoutes(operations)
  const sharing = (method: string, path: string) => find(method, path)?.operations ?? []
  const claimed = (shared: readonly Operation[], call: Call, context: TestContext) =>
    shared.find(({ matches: claims }) => claims?.(call, context.account) ?? true)?.id

  const subject = { type: 'character', image: [url()] }
  const character = { model: 'beta2.7-r2v', subject_reference: [subject] }

  test('C comes first on the path, and so answers for unknown models', () => {
    expect(sharing('POST', '/v1/videos').map(({ id }) => id)).toEqual([
      'c-video.create',
      'e-video-reference.create',
    ])
    expect(sharing('GET', '/v1/videos/cgt-1').map(({ id }) => id)).toEqual([
      'c-video.read',
      'e-video-reference.read',
    ])
  })

  test.each([
    ['videoa-2-0-260128', 'c-video.create'],
    ['videoa-2-0-fast-260128', 'c-video.create'],
    ['beta2.7-r2v', 'e-video-reference.create'],
    ['unknown', undefined],
  ])('the model %s is claimed by %s', (model, id) => {
    const shared = sharing('POST', '/v1/videos')
    expect(claimed(shared, callOf(shared[0] as Operation, { body: { model } }), contextWith())).toBe(id)
  })

  test('the stored record says who reads it', () => {
    const context = contextWith()
    const ofC = taskOf(create(unifiedVideo, request(), context), context).id
    const ofE = taskOf(create(referenceVideo, character, context), context).id
    const shared = sharing('GET', `/v1/videos/${ofC}`)
    const [first] = shared as [Operation, ...Operation[]]
    expect(claimed(shared, callOf(first, { id: ofC }), context)).toBe('c-video.read')
    expect(claimed(shared, callOf(first, { id: ofE }), context)).toBe('e-video-reference.read')
    expect(claimed(shared, callOf(first, { id: 'unknown' }), context)).toBeUndefined()
  })

  test.each([
    ['GET', '/v1/videos'],
    ['DELETE', '/v1/videos/cgt-1'],
    ['POST', '/v1/videos/cgt-1'],
    ['DELETE', '/v1/videos'],
  ])('%s %s is no path of the service', (method, path) => expect(find(method, path)).toBeUndefined())
})
