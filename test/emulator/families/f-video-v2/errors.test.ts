import { expect, test } from 'vitest'
import { videoV2 } from '../../../../src/emulator/families/f-video-v2/index.js'
import { contextWith, create, operationOf } from '../context.js'
import { request, text } from './request.js'

const refusedWith = (change: Record<string, unknown>, context = contextWith()) =>
  create(videoV2, request(change), context).reply

test('an error says type, message, status and request id', () => {
  expect(refusedWith({ duration: '5' }, contextWith({ requestId: 'request-9' }))).toEqual({
    status: 400,
    body: {
      type: 'error',
      error: {
        type: 'bad_request_error',
        message:
          'invalid params, duration must be an integer from 4 to 15, for gamma-H3-Max from 5, found "5" (2013)',
        http_code: '400',
      },
      request_id: 'request-9',
    },
  })
})

test.each([
  ['unauthenticated', 401, 'authorized_error', /^The API key is invalid \(1004\)$/],
  ['unreadable', 400, 'bad_request_error', /^invalid params, the API key is invalid \(2013\)$/],
  ['unsupported', 400, 'bad_request_error', / \(2013\)$/],
  ['too-large', 413, 'bad_request_error', /^The API key is invalid$/],
  ['rate-limited', 429, 'rate_limit_error', / \(1002\)$/],
  ['internal', 500, 'server_error', / \(1000\)$/],
] as const)('what is %s before the decision is %i %s', (standing, status, type, message) => {
  const reply = operationOf(videoV2, 'create').refuse(standing, { message: 'The API key is invalid' }, 'r')
  expect(reply).toEqual({
    status,
    body: {
      type: 'error',
      error: { type, message: expect.stringMatching(message), http_code: String(status) },
      request_id: 'r',
    },
  })
})

test('an overloaded service answers 529', () => {
  const row = videoV2.errors.overloaded_error
  expect(row.status).toBe(529)
  expect(videoV2.respond.error({ error: 'overloaded_error' }, 'r', row)).toMatchObject({
    error: { type: 'overloaded_error', http_code: '529' },
  })
})

test('an account without balance is refused with 402', () => {
  const reply = refusedWith({}, contextWith({ key: 'no-balance-1' }))
  expect(reply.status).toBe(402)
  expect(reply.body).toMatchObject({ error: { type: 'insufficient_balance_error', http_code: '402' } })
  expect(reply.body).toMatchObject({
    error: { message: expect.stringMatching(/insufficient balance.*\(1008\)$/) },
  })
})

test('an account that has not accepted the agreement is not refused', () => {
  expect(refusedWith({}, contextWith({ key: 'no-agreement-1' })).status).toBe(200)
})

test('moderation names the text that holds the word', () => {
  const reply = refusedWith({ content: [text('a boat'), text('a [[moderation]] boat')] })
  expect(reply.body).toMatchObject({ error: { message: expect.stringContaining('content[1].text ') } })
})

test('a prompt with a word of the moderation list is refused with 422', () => {
  const reply = refusedWith({ content: [text('a [[moderation]] boat')] })
  expect(reply.status).toBe(422)
  expect(reply.body).toMatchObject({
    error: {
      type: 'unprocessable_entity_error',
      message: 'content[0].text may contain sensitive content (1026)',
    },
  })
})

test('the rate limit is 429 and says when to come back', () => {
  const reply = refusedWith({}, contextWith({ key: 'rate-limited-1' }))
  expect(reply).toMatchObject({ status: 429, headers: { 'Retry-After': '60' } })
  expect(reply.body).toMatchObject({ error: { type: 'rate_limit_error', http_code: '429' } })
})

test('more tasks in flight than allowed are 429', () => {
  const context = contextWith({ settings: { tasksInFlight: 1 } })
  expect(refusedWith({}, context).status).toBe(200)
  expect(refusedWith({}, context)).toMatchObject({ status: 429, headers: { 'Retry-After': '1' } })
})

test('a body may be 64 MB large', () => {
  const { settings } = contextWith()
  expect(operationOf(videoV2, 'create').maxBodyBytes(settings)).toBe(64 * 2 ** 20)
})

test('media are judged before moderation, and moderation before money', () => {
  const { meta: notes } = create(
    videoV2,
    request({ content: [text('[[moderation]]')], resolution: '480P' }),
    contextWith({ key: 'no-balance' }),
  )
  expect(notes.refusedBy.map(({ rule }) => rule)).toEqual([
    'f-video-v2.model-has-resolution',
    'f-video-v2.prompt-passes-moderation',
    'f-video-v2.balance-is-positive',
  ])
})
