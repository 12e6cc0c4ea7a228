import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, test } from 'vitest'
import { detachString, shorten } from '../../../src/core/journal/redact.js'

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
