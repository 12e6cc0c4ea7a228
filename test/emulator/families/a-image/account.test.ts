import { expect, test } from 'vitest'
import { image as images } from '../../../../src/emulator/families/a-image/index.js'
import { contextWith, later, operationOf } from '../context.js'
import { generate, request } from './requests.js'

test.each([
  ['the default word', {}, '[[moderation]]'],
  ['a configured word', { moderationWords: ['forbidden'] }, 'forbidden'],
  ['one of several configured words', { moderationWords: ['banned', 'forbidden'] }, 'forbidden'],
])('a prompt with %s is refused', (_, settings, word) => {
  const { reply } = generate(request({}, [{ text: `A ${word} cat` }]), { settings })
  expect(reply).toMatchObject({
    status: 400,
    body: {
      code: 'DataInspectionFailed',
      message: expect.stringContaining('input.messages[0].content[0].text'),
    },
  })
})

test('a prompt without a configured word is accepted', () =>
  expect(generate(request({}, [{ text: '[moderation]' }])).reply.status).toBe(200))

test('a negative prompt is not moderated', () =>
  expect(generate(request({ negative_prompt: '[[moderation]]' })).reply.status).toBe(200))

test('images cost nothing: an account without balance makes them where it has no quota', () => {
  const context = contextWith({ settings: { balance: 0 } })
  expect(generate(request(), context).reply.status).toBe(200)
  expect(context.account.spent).toBe(0)
})

test('images need no agreement', () =>
  expect(generate(request(), { key: 'no-agreement' }).reply.status).toBe(200))

test.each([
  ['as many as are left', 3, 200],
  ['one more than is left', 4, 429],
])('with a quota of 6 images of which 2 and 1 are used, %s', (_, n, status) => {
  const context = contextWith({ settings: { imageQuota: 6 } })
  generate(request({ n: 2 }), context)
  generate(request({ n: 1 }), context)
  const { reply, meta } = generate(request({ n }), context)
  expect(reply.status).toBe(status)
  if (status !== 429) return
  expect(reply.body).toMatchObject({
    code: 'Throttling.AllocationQuota',
    message: expect.stringContaining('insufficient balance'),
  })
  expect(meta.refusedBy[0]).toMatchObject({ found: 4, allowed: '3 more images' })
})

test('with a quota that was lowered below what is used, no more images are allowed', () => {
  const context = contextWith({ settings: { imageQuota: 6 } })
  generate(request({ n: 2 }), context)
  context.account.limits = { ...context.account.limits, imageQuota: 1 }
  expect(generate(request(), context).meta.refusedBy[0]).toMatchObject({ found: 1, allowed: '0 more images' })
})

test('a refused request uses no images', () => {
  const context = contextWith({ settings: { imageQuota: 6 } })
  generate(request({ n: 7 }), context)
  expect(context.account.imagesMade).toBe(0)
})

test('the reserved key no-balance has no images left', () =>
  expect(generate(request(), { key: 'no-balance-a' }).reply).toMatchObject({
    status: 429,
    body: { code: 'Throttling.AllocationQuota' },
  }))

test('the reserved key rate-limited is never let through', () =>
  expect(generate(request(), { key: 'rate-limited' }).reply).toMatchObject({
    status: 429,
    headers: { 'Retry-After': '60' },
    body: { code: 'Throttling.RateQuota' },
  }))

test('a rate limit opens again when the minute is over', () => {
  const context = contextWith({ settings: { requestsPerMinute: 1 } })
  expect(generate(request(), context).reply.status).toBe(200)
  expect(generate(request(), later(context, 59_001)).reply).toMatchObject({
    status: 429,
    headers: { 'Retry-After': '1' },
    body: { code: 'Throttling.RateQuota' },
  })
  expect(generate(request(), later(context, 60_000)).reply.status).toBe(200)
})

test.each([
  ['unauthenticated', 401, 'InvalidApiKey'],
  ['unreadable', 400, 'InvalidParameter'],
  ['unsupported', 400, 'InvalidParameter'],
  ['too-large', 413, 'RequestBodyTooLarge'],
  ['internal', 500, 'InternalError'],
] as const)('what is %s is answered with %i %s', (standing, status, code) => {
  const reply = operationOf(images, 'create').refuse(standing, {}, 'request-9')
  expect(reply).toMatchObject({ status, body: { code, request_id: 'request-9' } })
})

test.each([
  ['ServiceUnavailable', 503, 'ServiceUnavailable'],
  ['model_not_found', 503, 'model_not_found'],
  ['BadResponse', 502, 'BadResponse'],
] as const)('the table has %s', (error, status, code) => {
  expect(images.errors[error]).toMatchObject({ status })
  expect(images.respond.error({ error }, 'request-1', images.errors[error])).toMatchObject({ code })
})

test('a body may have 32 MiB, or as many bytes as the setting imageBodyBytes says', () => {
  const { maxBodyBytes } = operationOf(images, 'create')
  expect(maxBodyBytes(contextWith().settings)).toBe(33_554_432)
  expect(maxBodyBytes(contextWith({ settings: { imageBodyBytes: 1_000 } }).settings)).toBe(1_000)
})

test('unknown fields are ignored, and with the setting strict refused', () => {
  const body = { ...request({ n: 1, steps: 30 }), user: 'me' }
  expect(generate(body)).toMatchObject({
    reply: { status: 200 },
    meta: { ignored: ['parameters.steps', 'user'] },
  })
  expect(generate(body, { settings: { strict: true } }).reply).toMatchObject({
    status: 400,
    body: { code: 'InvalidParameter', message: expect.stringContaining('parameters.steps') },
  })
})
