import { expect, test } from 'vitest'
import { referenceVideo } from '../../../../src/emulator/families/e-video-reference/index.js'
import { contextWith, create, operationOf } from '../context.js'
import { answer, request } from './request.js'

test('an error carries both shapes that clients read', () => {
  expect(create(referenceVideo, request({ size: '4K' }), contextWith()).reply).toEqual({
    status: 400,
    body: {
      code: 'invalid_request',
      message: 'size must be one of 720P, 1080P, found "4K".',
      data: null,
      error: {
        message: 'size must be one of 720P, 1080P, found "4K".',
        type: 'invalid_request_error',
        code: 'invalid_request',
        param: null,
      },
    },
  })
})

test.each([
  ['unauthenticated', 401, 'invalid_api_key'],
  ['unreadable', 400, 'invalid_request'],
  ['unsupported', 415, 'unsupported_media_type'],
  ['too-large', 413, 'request_too_large'],
  ['rate-limited', 429, 'rate_limit_exceeded'],
  ['internal', 500, 'internal_error'],
] as const)('what is %s before the decision is %i %s', (standing, status, code) => {
  const reply = operationOf(referenceVideo, 'create').refuse(standing, {}, 'r')
  expect(reply).toMatchObject({ status, body: { code, data: null, error: { code, param: null } } })
})

test('an account that has not accepted the agreement is refused', () => {
  expect(answer(request(), contextWith({ key: 'no-agreement-1' }))).toMatchObject({
    status: 403,
    code: 'access_denied',
  })
})

test('an account without balance is refused, in words that say so', () => {
  expect(answer(request(), contextWith({ key: 'no-balance-1' }))).toMatchObject({
    status: 403,
    code: 'insufficient_user_quota',
    message: expect.stringContaining('insufficient balance'),
  })
})

test('a refused prompt is a violation of the content policy', () => {
  expect(answer(request({ prompt: 'a [[moderation]] boat' }))).toMatchObject({
    status: 400,
    code: 'content_policy_violation',
  })
})

test('the rate limit is 429 and says when to come back', () => {
  const { reply } = create(referenceVideo, request(), contextWith({ key: 'rate-limited-1' }))
  expect(reply).toMatchObject({
    status: 429,
    headers: { 'Retry-After': '60' },
    body: { code: 'rate_limit_exceeded' },
  })
})

test('tasks up to the limit in flight are accepted, and one more is 429', () => {
  const context = contextWith({ settings: { tasksInFlight: 1 } })
  expect(answer(request(), context).status).toBe(200)
  expect(answer(request(), context)).toMatchObject({ status: 429, code: 'rate_limit_exceeded' })
})
