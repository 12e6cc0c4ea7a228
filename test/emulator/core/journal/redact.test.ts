import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, test } from 'vitest'
import {
  detachString,
  isSecretName,
  mapTexts,
  namesSecret,
  redacted,
  redactedHeaders,
  redactedQuery,
  redactedText,
  redactedWhole,
  shorten,
  shortenRedacted,
} from '../../../../src/emulator/core/journal/redact.js'
import { shown } from '../../../../src/emulator/core/request.js'

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
  ['privateKeyPem', 'api_key_2', 'x-api-key-old', 'token[]', 'token[0]', 'keys[a][b]'],
  ['auth', 'X-Auth', 'pass', 'db_pwd', 'sig', 'X-Sig'],
  ['session', 'sessionid', 'sessionId', 'session_id', 'Session-Id', 'X-Session-ID'],
  ['passwd', 'passphrase', 'passWord', 'pass_phrase', 'accesskey', 'privatekey'],
  ['client_secret', 'jwt', 'secrets', 'signature', 'cookies', 'x-api-key-new'],
])('%s, %s, %s, %s, %s and %s name a credential', (...names) => {
  for (const name of names) expect([name, isSecretName(name)]).toEqual([name, true])
})

test.each([
  ['monkey', 'keyframes', 'token_type', 'key_id', 'author', 'signal'],
  ['passed', 'bypass', 'prompt_tokens_details', 'completion', 'safety_identifier', 'idempotency-key'],
  ['bypassWord', 'compass_words', 'overpass_wd', 'pass_on', 'monkeys', 'keying'],
  ['X-Idempotency-Key', 'session_count', 'sessions_identified', 'pass_words_per_line', 'design', 'passage'],
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

test('a text that stands where a count is expected may be a credential', () =>
  expect(redacted({ max_tokens: 'sk-one', total_tokens: 5 })).toEqual({ max_tokens: left, total_tokens: 5 }))

test('the key of the account is not shown in other headers', () =>
  expect(redactedHeaders({ 'x-note': 'of my-own-key' }, 'my-own-key')).toEqual({ 'x-note': 'of (key)' }))

test('a key of fewer than eight letters may be a word, and stays', () => {
  expect(redactedText('the key abcdefgh', 'abcdefgh')).toBe('the key (key)')
  expect(redactedText('the key abcdefg', 'abcdefg')).toBe('the key abcdefg')
})

test('of a long text as much is shown as is read of it, with its length', () => {
  const text = 'ab '.repeat(3_000)
  expect(redactedText(text)).toBe(`${text.slice(0, 8_192)}… (9000 characters)`)
  expect(redactedText(text.slice(0, 8_192))).toBe(text.slice(0, 8_192))
})

test('of Base64 at the place where a text is cut only the length of the text is said', () => {
  const words = 'ab '.repeat(2_700)
  expect(redactedText(`${words}${'aB3'.repeat(1_000)}`)).toBe(`${words}… (11100 characters)`)
})

test.each([
  ['Bearer abcdefgh', 'Bearer (left out)'],
  ['basic dXNlcjpwYXNz, and more', 'basic (left out), and more'],
  ['the basic example', 'the basic example'],
  ['basic lesson', 'basic lesson'],
  [TOKEN, '(token)'],
  ['aB3'.repeat(14), '… (42 characters)'],
  ['aB3'.repeat(13), 'aB3'.repeat(13)],
  ['a'.repeat(801), 'a'.repeat(801)],
  ['0123456789'.repeat(80), '0123456789'.repeat(80)],
  ['Ab1/'.repeat(63), 'Ab1/'.repeat(63)],
  ['Ab1/'.repeat(64), '… (256 characters)'],
  [`see data:image/png;base64,${'A'.repeat(8)} here`, 'see data:image/png;base64,… (8 characters) here'],
])('the text %s is shown as %s', (text, shown) => expect(redactedText(text)).toBe(shown))

test.each([
  ['https://me:p@ss@r.test/hook', 'https://(left out)@r.test/hook'],
  ['https://@r.test/', 'https://(left out)@r.test/'],
  ['postgresql://me:pw@r.test/db', 'postgresql://(left out)@r.test/db'],
  ['https://r.test/a@b', 'https://r.test/a@b'],
  ['https://r.test/#access_token=abc&a=1', 'https://r.test/#access_token=(left out)&a=1'],
  ['https://r.test/?acc%65ss_token=abc', 'https://r.test/?acc%65ss_token=(left out)'],
  ['https://r.test/?a=b=c&d', 'https://r.test/?a=b=c&d'],
  [
    'https://r.test/results/0123456789ab/0.png?sig=a',
    'https://r.test/results/0123456789ab/0.png?sig=(left out)',
  ],
  ['https://r.test/results/other/0.png?sig=a', 'https://r.test/results/other/0.png?sig=(left out)'],
  [
    'https://me@r.test/results/0123456789ab/0.png?sig=a',
    'https://(left out)@r.test/results/0123456789ab/0.png?sig=(left out)',
  ],
  [
    'https://r.test/a/results/0123456789ab/0.png?sig=a',
    'https://r.test/a/results/0123456789ab/0.png?sig=(left out)',
  ],
])('the URL %s is shown as %s', (url, shown) => expect(redactedText(url)).toBe(shown))

test('the key of the account is not shown in a query without a value', () =>
  expect(redactedQuery('my-own-key&a=1', 'my-own-key')).toBe('(key)&a=1'))

test.each(['"token" : "abc', '"api_key": "abc', "'secret' = 'abc'", 'password=abc', 'password : abc'])(
  'a text that is no JSON names a secret: %s',
  (text) => expect(namesSecret(text)).toBe(true),
)

test.each([
  ['shown', (value: unknown) => shortenRedacted(value, 'my-own-name')],
  ['shown whole', (value: unknown) => redactedWhole(value, 'my-own-name')],
  ['in messages', (value: unknown) => redacted(value, 'my-own-name')],
])('a field that is called like the key of the account is not shown: %s', (_, show) =>
  expect(show({ 'my-own-name': 1 })).toEqual({ '(key)': 1 }),
)

test('of a wide object the first two hundred fields are shown, and all where it is shown whole', () => {
  const wide = Object.fromEntries(Array.from({ length: 250 }, (_, nth) => [`field${nth}`, nth]))
  expect(Object.keys(shortenRedacted(wide, '') as object)).toHaveLength(200)
  expect(Object.keys(redactedWhole(wide, '') as object)).toHaveLength(250)
  expect(redactedWhole(Array(150).fill(1), '')).toHaveLength(150)
})

test('twenty levels are shown', () => {
  const deep = (levels: number) =>
    JSON.stringify(
      shortenRedacted(
        Array.from({ length: levels }).reduce((inner) => [inner], 'end'),
        '',
      ),
    )
  expect(deep(21)).toContain('end')
  expect(deep(22)).toContain('… (deeper levels are not kept)')
})

test('a text in twenty lists is shown in messages', () =>
  expect(JSON.stringify(redacted(Array.from({ length: 20 }).reduce((inner) => [inner], 'a word')))).toContain(
    'a word',
  ))

test('of a text of more than 64 KiB the first 256 letters are shown whole', () => {
  const text = 'ab '.repeat(65_536 / 3 + 1).slice(0, 65_536)
  expect(redactedWhole(text, '')).toBe(text)
  expect(redactedWhole(`${text}c`, '')).toBe(`${text.slice(0, 256)}… (65537 characters)`)
})

test('a value with more than ten thousand values is cut behind them', () => {
  const many = Array.from({ length: 100 }, () => Array.from({ length: 100 }, () => 1))
  const kept = shorten([many, many]) as unknown[]
  const shownOnes = JSON.stringify(kept).match(/1/g)?.length ?? 0
  expect(shownOnes).toBeGreaterThan(9_500)
  expect(shownOnes).toBeLessThan(10_000)
})

test('texts below a field with the name of a credential are told that name', () => {
  const names: string[] = []
  const note = (text: string, name: string) => {
    names.push(`${name}: ${text}`)
    return text
  }
  const value = { auth: { type: 'a', list: ['b'] }, note: { type: 'c' } }
  expect(mapTexts(value, note)).toBe(value)
  expect(names).toEqual(['auth: a', 'auth: b', 'type: c'])
})

test.each([
  [
    'https://a.test/1.png,https://bob:hunter2@b.test/2.png',
    'https://a.test/1.png,https://(left out)@b.test/2.png',
  ],
  ['https://a.test/fetch/https://bob:hunter2@b.test/x', 'https://a.test/fetch/https://(left out)@b.test/x'],
  ['https://a.test/x|https://bob:hunter2@b.test/', 'https://a.test/x|https://(left out)@b.test/'],
  [
    'https://a.test/?u=https%3A%2F%2Fbob%3Ahunter2%40b.test%2F',
    `https://a.test/?u=${encodeURIComponent('https://(left out)@b.test/')}`,
  ],
  [
    'https://a.test/?u=https%3A%2F%2Fb.test%2F%3Ftoken%3Dhunter2',
    `https://a.test/?u=${encodeURIComponent('https://b.test/?token=(left out)')}`,
  ],
  ['https://a.test/?u=https%3A%2F%2Fb.test%2Fx', 'https://a.test/?u=https%3A%2F%2Fb.test%2Fx'],
  [
    'https://a.test/results/0123456789ab/x?Signature=hunter2',
    'https://a.test/results/0123456789ab/x?Signature=(left out)',
  ],
])('%s is shown without what opens something', (url, shown) => expect(redactedText(url)).toBe(shown))

test('the URL of a result stays whole', () => {
  const url = `http://127.0.0.1:4650/results/0123456789ab/cgt-1/0.mp4?Expires=1767225600&Signature=${'0af'.repeat(13)}0`
  expect(redactedText(`${url}.`)).toBe(`${url}.`)
})
