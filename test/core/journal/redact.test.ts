import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, test } from 'vitest'
import {
  detachString,
  isSecretName,
  namesSecret,
  redacted,
  redactedHeaders,
  redactedQuery,
  redactedText,
  redactedWhole,
  shorten,
  shortenRedacted,
} from '../../../src/core/journal/redact.js'
import { shown } from '../../../src/core/request.js'

const MEBIBYTE = 2 ** 20

/** What is on the heap and in use, in MiB. */
const heapMib = (): number => {
  setFlagsFromString('--expose-gc')
  runInNewContext('gc')()
  return process.memoryUsage().heapUsed / MEBIBYTE
}

test.each(['', 'a lighthouse', '"\\\n\u2028', '\uD83D\uDE00', '\uD83D'])('%j stays as it is', (text) =>
  expect(detachString(text)).toBe(text),
)

test.each([
  ['a long text', 'x'],
  ['Base64', 'data:image/png;base64,'],
])('what is kept of %s keeps nothing else of it', (_, head) => {
  const before = heapMib()
  // As a body's texts are made.
  const text = (): string => JSON.parse(`"${head}${'x'.repeat(10 * MEBIBYTE)}"`)
  const kept = Array.from({ length: 10 }, () => shorten(text()))
  expect(heapMib() - before).toBeLessThan(50)
  expect(kept).toHaveLength(10)
})

const TOKEN = `eyJhbGciOiJIUzI1NiJ9.${'p'.repeat(20)}.${'s'.repeat(20)}`

test.each([
  ['across the end of what is shown of a text', `${'word '.repeat(48)}${TOKEN}`],
  ['in a short text', `token ${TOKEN}`],
  ['in the name of a field', { [TOKEN]: 1 }],
])('a token %s is not shown, nor a part of it', (_, value) =>
  expect(JSON.stringify(shortenRedacted([value], ''))).not.toContain(TOKEN.slice(0, 10)),
)

test('of a long list the first hundred are shown, without the key', () => {
  const shown = shortenRedacted(
    Array.from({ length: 150 }, (_, nth) => `${nth} of my-own-key`),
    'my-own-key',
  )
  expect(shown).toEqual(Array.from({ length: 100 }, (_, nth) => `${nth} of (key)`))
})

test.each(['aa://?=', 'aa://#=', 'aa://?'])('of URLs in URLs (%s), only the outer ones are shown', (url) => {
  const text = redactedText(url.repeat(1_170))
  expect(text).toBe(`${url.repeat(3)}(left out)`)
  expect(redactedWhole(url.repeat(9_000), '')).toBe(text)
})

test('a URL in the query of a URL has neither user nor secrets', () =>
  expect(redactedText('https://a.test/?to=https://me:pw@b.test/?v=1&next=https://c.test/?token=x#y')).toBe(
    'https://a.test/?to=https://(left out)@b.test/?v=1&next=https://c.test/?token=(left out)#y',
  ))

test.each([
  ['refreshtoken', 'accesstoken', 'idToken', 'apikey', 'secretkey', 'userpassword'],
  ['privateKeyPem', 'api_key_2', 'x-api-key-old', 'token[]', 'jwt', 'keys[a][b]'],
  ['session', 'sessionid', 'sessionId', 'session_id', 'Session-Id', 'X-Session-ID'],
  ['passwd', 'passphrase', 'passWord', 'pass_phrase', 'accesskey', 'privatekey'],
])('%s, %s, %s, %s, %s and %s name a credential', (...names) => {
  for (const name of names) expect([name, isSecretName(name)]).toEqual([name, true])
})

test.each([
  ['monkey', 'keyframes', 'token_type', 'key_id', 'author', 'signal'],
  ['passed', 'bypass', 'prompt_tokens_details', 'completion', 'safety_identifier', 'idempotency-key'],
])('%s, %s, %s, %s, %s and %s do not', (...names) => {
  for (const name of names) expect([name, isSecretName(name)]).toEqual([name, false])
})

test.each(['token[]=abc', 'a=1&token%5B%5D=abc', 'keys[a]: abc'])('the text %s has a credential', (text) =>
  expect(namesSecret(text)).toBe(true),
)

const left = '(left out)'

test.each([
  ['shown', (value: unknown) => shortenRedacted(value, '')],
  ['shown whole', (value: unknown) => redactedWhole(value, '')],
  ['in messages', (value: unknown) => redacted(value)],
])('whatever has the name of a credential is left out, but switches and counts: %s', (_, show) => {
  const secret = { api_keys: ['sk-one'], password: 123456, credentials: { value: 'hunter2' } }
  const open = { auth: true, token: null, max_tokens: 5, usage: { total_tokens: 1, completion_tokens: 1 } }
  expect(show({ a: [secret], ...open })).toEqual({
    a: [{ api_keys: left, password: left, credentials: left }],
    ...open,
  })
})

test('what is kept is not redacted: it is when it is shown', () =>
  expect(shorten({ api_keys: ['sk-one'] })).toEqual({ api_keys: ['sk-one'] }))

test('an old key in a header is not shown', () =>
  expect(redactedHeaders({ 'x-api-key-old': 'old-secret' })['x-api-key-old']).toMatch(/^\(account /))

test.each(['sk%2Fabc%2Bdef%3D%3D', 'sk/abc%2bdef%3d%3d', 'sk/abc%2Bdef==', 'sk/abc+def=='])(
  'the key of the account is not shown as %s',
  (spelling) => {
    expect(redactedQuery(`k=${spelling}&n=%20`, 'sk/abc+def==')).toBe('k=(key)&n=%20')
    expect(redactedText(`http://r.test/${spelling}/hook`, 'sk/abc+def==')).toBe('http://r.test/(key)/hook')
  },
)

test.each([23, 24, 25, 60])('a secret in %d lists is not shown', (depth) => {
  const value = Array.from({ length: depth }).reduce<unknown>((inner) => [inner], {
    a: 'Bearer s3cr3t-value',
  })
  expect(JSON.stringify(redacted(value))).toContain(left)
  expect(shown(value)).not.toContain('s3cr3t')
})
