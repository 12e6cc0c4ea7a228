import { expect, test } from 'vitest'
import { expiryOf, parseResultUrl, resultPathOf } from '../../../src/emulator/core/result.js'

const ref: Parameters<typeof resultPathOf>[0] = {
  accountId: '0123456789ab',
  taskId: 'cgt-20260101000000-abcde',
  index: 1,
  extension: 'mp4',
  expires: 1_767_312_000,
}
const SECRET = 'secret'

const presented = (url: string, secret = SECRET) => {
  const [path = '', query = ''] = url.split('?')
  return parseResultUrl(path, new URLSearchParams(query), secret)
}

test('a result URL is read as it was written', () =>
  expect(presented(resultPathOf(ref, SECRET))).toEqual({ ref, isGenuine: true }))

test.each([
  ['another account', (url: string) => url.replace('0123456789ab', '0123456789ac')],
  ['another task', (url: string) => url.replace('abcde', 'abcdf')],
  ['another result', (url: string) => url.replace('/1.mp4', '/0.mp4')],
  ['another extension', (url: string) => url.replace('.mp4', '.png')],
  ['another expiry', (url: string) => url.replace('Expires=1767312000', 'Expires=1767312001')],
  ['no expiry', (url: string) => url.replace('Expires=1767312000&', '')],
  ['an expiry that is no number', (url: string) => url.replace('Expires=1767312000', 'Expires=never')],
  [
    'the same expiry in another spelling',
    (url: string) => url.replace('Expires=1767312000', 'Expires=1.767312e9'),
  ],
  ['the same expiry behind a zero', (url: string) => url.replace('Expires=', 'Expires=0')],
  ['no signature', (url: string) => url.replace(/&Signature=.*/, '')],
  ['an empty signature', (url: string) => url.replace(/Signature=.*/, 'Signature=')],
  [
    'a signature with another last digit',
    (url: string) => url.replace(/.$/, (last) => (last === '0' ? '1' : '0')),
  ],
  ['half a signature', (url: string) => url.slice(0, -20)],
  [
    'a signature of letters that take two bytes',
    (url: string) => url.replace(/Signature=.*/, `Signature=${'é'.repeat(40)}`),
  ],
])('a result URL with %s is not genuine', (_, forge) =>
  expect(presented(forge(resultPathOf(ref, SECRET)))?.isGenuine).toBe(false),
)

test('a result URL signed with another secret is not genuine', () =>
  expect(presented(resultPathOf(ref, 'another'))?.isGenuine).toBe(false))

test.each([
  '/',
  '/results',
  '/results/0123456789ab/task/1',
  '/results/0123456789ab/task/1.gif',
  '/results/0123456789ab/task/1000.png',
  '/results/0123456789ab/../1.png',
  '/results/short/task/1.png',
  '/results/0123456789ab/task/1.png/more',
  '/results/0123456789ab/task/01.png',
])('the path %s is no result', (path) =>
  expect(parseResultUrl(path, new URLSearchParams(), SECRET)).toBeUndefined(),
)

test.each([
  [1_000, 1],
  [1_001, 1],
  [1_999, 1],
  [2_000, 2],
])('an expiry of %i ms is written as second %i', (instant, second) => expect(expiryOf(instant)).toBe(second))
