import { expect, test } from 'vitest'
import { unifiedVideo } from '../../../../src/emulator/families/c-video/index.js'
import { contextWith, create, operationOf } from '../context.js'
import { answer, request, text } from './request.js'

test('an error carries both shapes that clients read', () => {
  expect(create(unifiedVideo, request({ size: '8k' }), contextWith()).reply).toEqual({
    status: 400,
    body: {
      code: 'invalid_request',
      message: 'size must be one of 480p, 720p, 1080p, found "8k".',
      data: null,
      error: {
        message: 'size must be one of 480p, 720p, 1080p, found "8k".',
        type: 'invalid_request_error',
        code: 'invalid_request',
        param: null,
      },
    },
  })
})

test.each([
  ['unauthenticated', 401, 'invalid_api_key', 'authentication_error'],
  ['unreadable', 400, 'invalid_request', 'invalid_request_error'],
  ['unsupported', 415, 'unsupported_media_type', 'invalid_request_error'],
  ['too-large', 413, 'request_too_large', 'invalid_request_error'],
  ['rate-limited', 429, 'rate_limit_exceeded', 'rate_limit_error'],
  ['internal', 500, 'internal_error', 'server_error'],
] as const)('what is %s before the decision is %i %s', (standing, status, code, type) => {
  const reply = operationOf(unifiedVideo, 'create').refuse(standing, { message: 'It is so' }, 'r')
  expect(reply).toEqual({
    status,
    body: {
      code,
      message: 'It is so.',
      data: null,
      error: { message: 'It is so.', type, code, param: null },
    },
  })
})

test('the 415 of a multipart body names JSON where nothing more exact is said', () => {
  const reply = operationOf(unifiedVideo, 'create').refuse('unsupported', {}, 'r')
  expect(reply.body).toMatchObject({ message: 'The request body must be JSON (application/json).' })
})

test('an account that has not accepted the agreement is refused first of all', () => {
  const context = contextWith({ key: 'no-agreement-1' })
  expect(answer(request({ media: [text('')] }), context)).toMatchObject({
    status: 403,
    code: 'access_denied',
    rules: ['c-video.account-has-agreed', 'c-video.text-is-there'],
  })
})

test('an account without balance is refused, in words that say so', () => {
  expect(answer(request(), contextWith({ key: 'no-balance-1' }))).toMatchObject({
    status: 403,
    code: 'insufficient_user_quota',
    message: 'The account has an insufficient balance (0).',
  })
})

test('a refused prompt is a violation of the content policy, and comes before the balance', () => {
  const context = contextWith({ key: 'no-balance-1' })
  expect(answer(request({ media: [text('a [[moderation]] boat')] }), context)).toMatchObject({
    status: 400,
    code: 'content_policy_violation',
    rules: ['c-video.prompt-passes-moderation', 'c-video.balance-is-positive'],
  })
})

test('moderation names the text that holds the word', () => {
  const media = [text('a boat'), text('a [[moderation]] boat')]
  expect(answer(request({ media })).message).toBe('media[1].text may contain sensitive content.')
})

test('the rate limit is 429 and says when to come back', () => {
  const { reply } = create(unifiedVideo, request(), contextWith({ key: 'rate-limited-1' }))
  expect(reply).toMatchObject({
    status: 429,
    headers: { 'Retry-After': '60' },
    body: { code: 'rate_limit_exceeded', error: { type: 'rate_limit_error' } },
  })
})

test('tasks up to the limit in flight are accepted, and one more is 429', () => {
  const context = contextWith({ settings: { tasksInFlight: 2 } })
  expect(answer(request(), context).status).toBe(200)
  expect(answer(request(), context).status).toBe(200)
  expect(create(unifiedVideo, request(), context).reply).toMatchObject({
    status: 429,
    headers: { 'Retry-After': '1' },
    body: { code: 'rate_limit_exceeded' },
  })
})

test('a channel that is not there is 503', () => {
  expect(unifiedVideo.errors.model_not_found.status).toBe(503)
})

test('a body may be 64 MB large, or what the setting says', () => {
  const { maxBodyBytes } = operationOf(unifiedVideo, 'create')
  expect(maxBodyBytes(contextWith().settings)).toBe(64 * 2 ** 20)
  expect(maxBodyBytes(contextWith({ settings: { videoBodyBytes: 1_000 } }).settings)).toBe(1_000)
})
