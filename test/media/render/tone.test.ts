import { expect, test } from 'vitest'
import { chordOf, toneSamples } from '../../../src/media/render/video.js'

const samplesOf = (seconds: number): number[] => {
  const bytes = toneSamples([4, 5, 6], seconds)
  return Array.from({ length: bytes.length / 2 }, (_, at) => bytes.readInt16LE(at * 2))
}

const loudest = (samples: readonly number[]): number => Math.max(...samples.map(Math.abs))

test.each([2, 5, 15])('%i seconds have exactly their samples', (seconds) => {
  expect(samplesOf(seconds)).toHaveLength(seconds * 48_000)
})

test('the tone swells, stays quiet but audible, and fades', () => {
  const samples = samplesOf(2)
  expect(loudest(samples.slice(0, 480))).toBeLessThan(120)
  expect(loudest(samples.slice(-480))).toBeLessThan(120)
  expect(loudest(samples)).toBeGreaterThan(700)
  expect(loudest(samples)).toBeLessThan(1_400)
})

test('seeds sound different', () => {
  expect(new Set(Array.from({ length: 20 }, (_, seed) => String(chordOf(seed)))).size).toBeGreaterThan(4)
})
