import { expect, test } from 'vitest'
import { credentialProblem } from '../../../../src/emulator/core/account/account.js'
import { keyOf } from '../../../../src/emulator/core/account/account-id.js'
import { settingsSchema } from '../../../../src/emulator/settings.js'

const anyKey = settingsSchema.parse({})
const onlyListed = settingsSchema.parse({ account: ['alice', { key: 'bob', balance: 5 }] })

test.each([
  'Bearer my-key',
  'bearer my-key',
  'BEARER my-key',
  'Bearer   my-key',
  'Bearer\tmy-key',
  '  Bearer my-key  ',
  'my-key',
  '  my-key  ',
])('%j holds the key my-key', (header) => expect(keyOf(header)).toBe('my-key'))

test.each([undefined, '', '   ', 'Bearer', 'bearer', 'Bearer ', 'Bearer    ', ' BEARER\t'])(
  '%j holds no key',
  (header) => expect(keyOf(header)).toBeUndefined(),
)

test('a key may begin with the letters of the scheme', () =>
  expect(keyOf('bearer-of-news')).toBe('bearer-of-news'))

test('a missing key is named as missing', () =>
  expect(credentialProblem(undefined, anyKey, 0)).toMatch(/No API key was provided/))

test.each([
  'k',
  'sk-123',
  'valid',
  'no-balance',
  'no-agreement',
  'rate-limited',
  'not-invalid',
  'invalidated',
])('the key %s opens an account', (key) => expect(credentialProblem(key, anyKey, 0)).toBeUndefined())

test.each(['invalid', 'invalid-', 'invalid-key'])('the reserved key %s never does', (key) =>
  expect(credentialProblem(key, anyKey, 0)).toMatch(/invalid/),
)

test.each(['alice', 'bob'])('where accounts are listed, %s is known', (key) =>
  expect(credentialProblem(key, onlyListed, 0)).toBeUndefined(),
)

test.each(['carol', 'Alice', 'alice2', 'default', 'no-balance'])(
  'where accounts are listed, %s is not',
  (key) => expect(credentialProblem(key, onlyListed, 0)).toMatch(/invalid/),
)

test('a listed key cannot make a reserved one valid', () =>
  expect(credentialProblem('invalid-1', settingsSchema.parse({ account: ['invalid-1'] }), 0)).toMatch(
    /invalid/,
  ))

const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
const jwt = (payload: unknown) => `${part({ alg: 'HS256', typ: 'JWT' })}.${part(payload)}.c2lnbmF0dXJl`

test.each([
  ['a millisecond before it', 99_999, undefined],
  ['at it', 100_000, 'The access token has expired'],
  ['after it', 100_001, 'The access token has expired'],
])('a token that expires at second 100 of the account clock, %s', (_, now, problem) =>
  expect(credentialProblem(jwt({ exp: 100 }), anyKey, now)).toBe(problem),
)

test.each([
  ['a token without exp', jwt({ sub: 'me' })],
  ['a token whose exp is text', jwt({ exp: '100' })],
  ['a token whose payload is null', jwt(null)],
  ['three parts that are no JSON', 'a.b.c'],
  ['two parts', 'a.b'],
  ['four parts', `${jwt({ exp: 100 })}.more`],
  ['an empty payload', 'a..c'],
])('%s is just a key', (_, key) => expect(credentialProblem(key, anyKey, 1_000_000)).toBeUndefined())
