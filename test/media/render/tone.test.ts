import { expect, test } from 'vitest'
import { stretched, toneSource } from '../../../src/media/render/tone.js'

/** ADTS packets of AAC-LC, 48 kHz, one channel; each carries its number. */
const recorded = (count: number): Buffer =>
  Buffer.concat(
    Array.from({ length: count }, (_, index) =>
      Buffer.from([0xff, 0xf1, 0x4c, 0x40, 0x01, 0x1f, 0xfc, index]),
    ),
  )

test.each([
  [2, 94],
  [5, 235],
  [15, 704],
])('for %i seconds there are %i packets, the last one begun', (seconds, packets) => {
  expect(stretched(recorded(18), seconds).packets).toHaveLength(packets)
})

test('it rises once, stays, and falls once', () => {
  const numbers = stretched(recorded(18), 2).packets.map((packet) => packet[0] ?? -1)
  expect(numbers.slice(0, 6)).toEqual([1, 2, 3, 4, 5, 6])
  expect(new Set(numbers.slice(6, -6))).toEqual(new Set([7, 8, 9, 10]))
  expect(numbers.slice(-6)).toEqual([11, 12, 13, 14, 15, 16])
})

test('the configuration says AAC-LC, 48 kHz, one channel', () => {
  expect([...stretched(recorded(18), 2).config]).toEqual([0x11, 0x88])
})

test.each([
  ['other bytes', Buffer.from('no sound at all')],
  ['too few packets', recorded(5)],
])('refuses %s', (_, bytes) => {
  expect(() => stretched(bytes, 2)).toThrow(expect.objectContaining({ name: 'EmulatorError' }))
})

test('seeds sound different', () => {
  const tones = new Set(Array.from({ length: 20 }, (_, seed) => toneSource(seed)))
  expect(tones.size).toBeGreaterThan(4)
})
