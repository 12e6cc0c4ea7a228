import { describe, expect, test } from 'vitest'
import { createSanitizers } from '../../src/recording/sanitise.js'

const source = { origin: 'http://127.0.0.1:4650', key: 'sk-0123456789' }
const request = (value: unknown) => createSanitizers()(source).request(value)
const answer = (value: unknown) => createSanitizers()(source).answer(value)

const RESULT = '/results/0123456789ab/cgt-1/0.png'
const signature = `Expires=1767225600&Signature=${'0a'.repeat(20)}`

describe('where the emulator is', () => {
  test.each([
    ['http://127.0.0.1:4650/results/a', 'http://emulator.invalid/results/a'],
    ['http://127.0.0.1:4650', 'http://emulator.invalid'],
    [
      'see http://127.0.0.1:4650, or http://127.0.0.1:4650.',
      'see http://emulator.invalid, or http://emulator.invalid.',
    ],
    ['http://127.0.0.1:46500/x', 'http://127.0.0.1:46500/x'],
    ['http://127.0.0.1:4650.example.test/x', 'http://127.0.0.1:4650.example.test/x'],
  ])('%s', (text, cleaned) => expect(request(text)).toBe(cleaned))

  test.each(['', '/with/a/path'])('in an answer, a result’s URL under whatever host%s', (path) =>
    expect(answer({ url: `https://public.example.test${path}${RESULT}?${signature}` })).toEqual({
      url: `http://emulator.invalid${RESULT}?${signature}`,
    }),
  )

  test.each(['Bearer other-key-1', 'Bearer (key)'])(
    'in an answer, the credentials of a header: %s',
    (quoted) => expect(answer(`found "${quoted}"`)).toBe('found "Bearer (left out)"'),
  )
})

describe('keys', () => {
  test.each([request, answer])('are taken out of texts', (clean) =>
    expect(clean({ a: ['my key is sk-0123456789'] })).toEqual({ a: ['my key is (key)'] }),
  )

  test.each([
    ['1234567', 'a 1234567 b'],
    ['12345678', 'a (key) b'],
  ])('of %s, which has so many letters', (key, cleaned) =>
    expect(createSanitizers()({ ...source, key }).request(`a ${key} b`)).toBe(cleaned),
  )

  test('where there is none, nothing is', () =>
    expect(createSanitizers()({ origin: source.origin }).request('a prompt')).toBe('a prompt'))
})

test('texts under the name of a credential are numbered, in lists and objects too', () =>
  expect(request({ password: 'a', api_keys: ['b', ['c']], credentials: { value: ['a'] }, b: ['a'] })).toEqual(
    {
      ...{ password: 'secret-1', api_keys: ['secret-2', ['secret-3']], credentials: { value: ['secret-1'] } },
      b: ['a'],
    },
  ))

describe('URLs of others', () => {
  test.each([
    ['https://h.test/a.png', 'https://h.test/a.png'],
    ['https://user:pass@h.test/a.png', 'https://h.test/a.png'],
    ['https://h.test/a.png?w=2&sig=x', 'https://h.test/a.png?w=secret-1&sig=secret-2'],
    ['https://h.test/a.png?x', 'https://h.test/a.png?secret-1'],
    ['https://h.test/a.png#x', 'https://h.test/a.png#secret-1'],
    [
      'http://127.0.0.1:4650/_backlot/inbox/a?token=x',
      'http://emulator.invalid/_backlot/inbox/a?token=secret-1',
    ],
    ['http://127.0.0.1:4650/results/a?Signature=x', 'http://emulator.invalid/results/a?Signature=secret-1'],
    [`http://127.0.0.1:4650${RESULT}?Signature=x`, `http://emulator.invalid${RESULT}?Signature=x`],
    [`http://u:p@127.0.0.1:4650${RESULT}?${signature}`, `http://emulator.invalid${RESULT}?${signature}`],
    [`see http://localhost:1${RESULT}?${signature}.`, `see http://localhost:1${RESULT}?${signature}.`],
    ['https://u:p@h.test/results/me.png?sig=x', 'https://h.test/results/me.png?sig=secret-1'],
    [`https://h.test${RESULT}?X-Signature=x`, `https://h.test${RESULT}?X-Signature=secret-1`],
    [
      `https://h.test${RESULT}?${signature}&token=x`,
      `https://h.test${RESULT}?Expires=secret-1&Signature=secret-2&token=secret-3`,
    ],
    ['look at https://u:p@h.test/x?token=x now', 'look at https://h.test/x?token=secret-1 now'],
    ['https://h.test/x, https://u:p@h.test/y', 'https://h.test/x, https://h.test/y'],
    [' https://u:p@h.test/x?token=x', ' https://h.test/x?token=secret-1'],
    ['//u:p@h.test/x?token=x', '//h.test/x?token=secret-1'],
    ['https:\\\\u:p@h.test\\x?token=x', 'https:\\\\h.test\\x?token=secret-1'],
    ['https:/u:p@h.test/x?token=x', 'https:/h.test/x?token=secret-1'],
    ['https:u:p@h.test/x?token=x', 'https:h.test/x?token=secret-1'],
    ['https://h.test/a,https://u:p@h.test/b', 'https://h.test/a,https://h.test/b'],
    ['https://h.test/fetch/https://u:p@i.test/x', 'https://h.test/fetch/https://i.test/x'],
    ['https://h.test/a|https://u:p@i.test/', 'https://h.test/a|https://i.test/'],
    ["https://h.test/x?token=a'b", 'https://h.test/x?token=secret-1'],
    ['a // b, either/or, 12:30 http: what? me@h.test', 'a // b, either/or, 12:30 http: what? me@h.test'],
  ])('%s in a request', (url, cleaned) => expect(request(url)).toBe(cleaned))

  test('that differ still do, and those that are the same still are', () =>
    expect(request(['https://h.test/?a=1', 'https://h.test/?a=2', 'https://h.test/?a=1'])).toEqual([
      'https://h.test/?a=secret-1',
      'https://h.test/?a=secret-2',
      'https://h.test/?a=secret-1',
    ]))

  test.each([
    ['found "https://u:p@h.test/a?sig=abcdefgh… (120 characters)', 'found "https://h.test/a?(left out)…'],
    ['found "https://(left out)@h.test/a?sig=(left out)&w=1"', 'found "https://h.test/a?(left out)"'],
    ['found "ftp://(left out)@h.test/a?w=1"', 'found "ftp://h.test/a?(left out)"'],
    ['found "see _https://h.test/a?sig=secret_"', 'found "see _https://h.test/a?(left out)"'],
    ['found "https://u:p@h.test/results/a.png?sig=x"', 'found "https://h.test/results/a.png?(left out)"'],
    ['found "//u:p@h.test/a?sig=x"', 'found "//h.test/a?(left out)"'],
  ])('in an answer lose what may be a secret: %s', (text, cleaned) => expect(answer(text)).toBe(cleaned))
})

describe('Base64 in an answer', () => {
  test.each([
    [
      'found "data:image/png;base64,iVBORw0KGgoAAAA… (999 characters)',
      'found "data:image/png;base64,(left out)…',
    ],
    [`found "${'iVBORw0KGgo'.repeat(6)}… (999 characters)`, 'found "(left out)…'],
    ['Base64 as data:{MIME_type};base64,{data}', 'Base64 as data:{MIME_type};base64,{data}'],
  ])('%s', (text, cleaned) => expect(answer(text)).toBe(cleaned))
})

describe('queries', () => {
  const query = (text: string, isKnown: boolean) => createSanitizers()(source).query(text, isKnown)

  test.each([
    ['page_num=1&filter.status=queued', true, 'page_num=1&filter.status=queued'],
    ['page_num=1&api_key=x', true, 'page_num=1&api_key=secret-1'],
    ['page_num=1&jwt=x', true, 'page_num=1&jwt=secret-1'],
    ['a=1&b', false, 'a=secret-1&secret-2'],
    ['task_id=sk-0123456789', true, 'task_id=(key)'],
  ])('%s, known: %s', (text, isKnown, cleaned) => expect(query(text, isKnown)).toBe(cleaned))
})

test('a value without a change is not copied', () => {
  const body = { a: [1, { b: 'c' }], d: null }
  expect(request(body)).toBe(body)
})

test('a text of many beginnings of results is read once', () => {
  // At each of them a text that goes on to its end would be read to its end: minutes for these.
  const text = '/results/'.repeat(200_000)
  expect(request(text)).toBe(text)
})
