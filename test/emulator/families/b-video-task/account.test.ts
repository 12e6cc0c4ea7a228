import { expect, test } from 'vitest'
import { videoTask } from '../../../../src/emulator/families/b-video-task/index.js'
import { cancel, contextWith, later, list, operationOf, read } from '../context.js'
import { idOf, make, request, text, withContent } from './requests.js'

const refused = (status: number, code: string, type: string, message?: string) => ({
  status,
  body: {
    error: { code, type, ...(message === undefined ? {} : { message: expect.stringContaining(message) }) },
  },
})

test.each([
  ['nothing', 0, 403],
  ['a debt', -1, 403],
  ['a little', 0.01, 200],
])('with a balance of %s (%d) a create is answered with %i', (_, balance, status) => {
  const { reply } = make(request(), { settings: { balance } })
  expect(reply.status).toBe(status)
  if (status === 403)
    expect(reply).toMatchObject(refused(403, 'AccountOverdueError', 'Forbidden', 'insufficient balance'))
})

test('the balance is spent by what succeeds, and the last task may overdraw it', () => {
  const context = contextWith({ settings: { balance: 0.75 } })
  make(request(), context)
  make(request(), later(context, 30_000))
  expect(make(request(), later(context, 60_000)).reply).toMatchObject(
    refused(403, 'AccountOverdueError', 'Forbidden'),
  )
})

test('tasks in flight are not paid for yet', () => {
  const context = contextWith({ settings: { balance: 0.5 } })
  expect(make(request(), context).reply.status).toBe(200)
  expect(make(request(), context).reply.status).toBe(200)
})

test.each([
  ['no-balance', 403, 'AccountOverdueError', 'Forbidden'],
  ['no-agreement', 403, 'OperationDenied.AgreementNotAccepted', 'Forbidden'],
  ['rate-limited', 429, 'RateLimitExceeded.EndpointRPMExceeded', 'TooManyRequests'],
])('the reserved key %s is refused with %i %s', (key, status, code, type) =>
  expect(make(request(), { key }).reply).toMatchObject(refused(status, code, type)),
)

test('an account without balance or agreement can still read, list and cancel', () => {
  const context = contextWith()
  const id = idOf(request(), context)
  context.account.credit = 0
  context.account.agreementAccepted = false
  expect(read(videoTask, id, context).reply.status).toBe(200)
  expect(list(videoTask, '', context).reply.status).toBe(200)
  expect(cancel(videoTask, id, context).reply.status).toBe(200)
})

test.each([
  ['one fewer than the limit', 2, 200],
  ['as many as the limit', 3, 429],
])('with %s in flight', (_, running, status) => {
  const context = contextWith({ settings: { tasksInFlight: 3 } })
  for (let made = 0; made < running; made += 1) make(request(), context)
  const { reply } = make(request(), context)
  expect(reply.status).toBe(status)
  if (status === 429) {
    expect(reply).toMatchObject(refused(429, 'SetLimitExceeded', 'TooManyRequests'))
    expect(reply.headers?.['Retry-After']).toMatch(/^[1-9]\d*$/)
  }
})

test('tasks that have ended are not in flight', () => {
  const context = contextWith({ settings: { tasksInFlight: 1 } })
  make(request(), context)
  expect(make(request(), later(context, 60_000)).reply.status).toBe(200)
})

test('a rate limit refuses with the seconds to wait, and opens after them', () => {
  const context = contextWith({ settings: { requestsPerMinute: 2 } })
  make(request(), context)
  make(request(), later(context, 10_000))
  expect(make(request(), later(context, 20_000)).reply).toMatchObject({
    ...refused(429, 'RateLimitExceeded.EndpointRPMExceeded', 'TooManyRequests'),
    headers: { 'Retry-After': '40' },
  })
  expect(make(request(), later(context, 60_000)).reply.status).toBe(200)
})

test('a rate limit does not count queries', () => {
  const context = contextWith({ settings: { requestsPerMinute: 1 } })
  const id = idOf(request(), context)
  for (let polls = 0; polls < 5; polls += 1) expect(read(videoTask, id, context).reply.status).toBe(200)
})

test.each([
  ['the default word', {}, '[[moderation]]'],
  ['a configured word', { moderationWords: ['forbidden'] }, 'forbidden'],
  ['one of several configured words', { moderationWords: ['banned', 'forbidden'] }, 'forbidden'],
])('a prompt with %s is refused, under the text that holds it', (_, settings, word) => {
  const { reply } = make(withContent(text('A tram'), text(`and a ${word} bus`)), { settings })
  expect(reply).toMatchObject(
    refused(400, 'InputTextSensitiveContentDetected', 'BadRequest', 'content[1].text'),
  )
})

test.each([
  ['unauthenticated', 401, 'AuthenticationError', 'Unauthorized'],
  ['unreadable', 400, 'InvalidParameter', 'BadRequest'],
  ['unsupported', 400, 'InvalidParameter', 'BadRequest'],
  ['too-large', 413, 'RequestBodyTooLarge', 'BadRequest'],
  ['rate-limited', 429, 'RateLimitExceeded.EndpointRPMExceeded', 'TooManyRequests'],
  ['internal', 500, 'InternalServiceError', 'InternalServerError'],
] as const)('what is %s is answered with %i %s of type %s', (standing, status, code, type) => {
  const reply = operationOf(videoTask, 'create').refuse(standing, {}, 'request-9')
  expect(reply).toMatchObject(refused(status, code, type, 'Request id: request-9'))
})

test.each([
  ['InputImageSensitiveContentDetected', 400],
  ['InputVideoSensitiveContentDetected', 400],
  ['InputAudioSensitiveContentDetected', 400],
  ['OutputVideoSensitiveContentDetected', 400],
  ['OutputAudioSensitiveContentDetected', 400],
  ['ServerOverloaded', 429],
  ['SetLimitExceeded', 429],
  ['InternalServiceError', 500],
] as const)('the table has %s with %i', (error, status) =>
  expect(videoTask.errors[error].status).toBe(status),
)

test('a body may have 64 MiB, or as many bytes as the setting videoBodyBytes says', () => {
  const { maxBodyBytes } = operationOf(videoTask, 'create')
  expect(maxBodyBytes(contextWith().settings)).toBe(67_108_864)
  expect(maxBodyBytes(contextWith({ settings: { videoBodyBytes: 1_000 } }).settings)).toBe(1_000)
})
