import { expect, test } from 'vitest'
import type { Call, Operation } from '../../../src/core/operation.js'
import { unifiedVideo } from '../../../src/families/c-video/index.js'
import { referenceVideo } from '../../../src/families/e-video-reference/index.js'
import { operations } from '../../../src/families/index.js'
import { createRoutes } from '../../../src/server/http/routes.js'
import { callOf, create, type TestWorld, taskOf, worldWith } from '../world.js'
import { request, url } from './request.js'

const find = createRoutes(operations)
const sharing = (method: string, path: string) => find(method, path)?.operations ?? []
const claimed = (shared: readonly Operation[], call: Call, world: TestWorld) =>
  shared.find(({ claims }) => claims?.(call, world.account) ?? true)?.id

const subject = { type: 'character', image: [url()] }
const character = { model: 'beta2.7-r2v', subject_reference: [subject] }

test('C comes first on the path, and so answers for models that nobody has', () => {
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
  ['nobody', undefined],
])('the model %s is claimed by %s', (model, id) => {
  const shared = sharing('POST', '/v1/videos')
  expect(claimed(shared, callOf(shared[0] as Operation, { body: { model } }), worldWith())).toBe(id)
})

test('the stored record says who reads it', () => {
  const world = worldWith()
  const ofC = taskOf(create(unifiedVideo, request(), world), world).id
  const ofE = taskOf(create(referenceVideo, character, world), world).id
  const shared = sharing('GET', `/v1/videos/${ofC}`)
  const [first] = shared as [Operation, ...Operation[]]
  expect(claimed(shared, callOf(first, { id: ofC }), world)).toBe('c-video.read')
  expect(claimed(shared, callOf(first, { id: ofE }), world)).toBe('e-video-reference.read')
  expect(claimed(shared, callOf(first, { id: 'nobody' }), world)).toBeUndefined()
})

test.each([
  ['GET', '/v1/videos'],
  ['DELETE', '/v1/videos/cgt-1'],
  ['POST', '/v1/videos/cgt-1'],
  ['DELETE', '/v1/videos'],
])('%s %s is no path of the service', (method, path) => expect(find(method, path)).toBeUndefined())
