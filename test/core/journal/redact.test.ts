import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, test } from 'vitest'
import { detachString, shorten, shortenRedacted } from '../../../src/core/journal/redact.js'

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
