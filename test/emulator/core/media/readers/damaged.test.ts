import { readdirSync, readFileSync } from 'node:fs'
import fc from 'fast-check'
import { afterEach, expect, test, vi } from 'vitest'
import type { Probe } from '../../../../../src/emulator/core/media/input.js'
import {
  boxProblem,
  chunksOfPng,
  chunksOfWebp,
  framesOfGif,
  pagesOfTiff,
  readBmp,
  scansOfJpeg,
} from '../../../../../src/emulator/core/media/readers/image.js'
import { readMovie } from '../../../../../src/emulator/core/media/readers/movie.js'
import { readMp3 } from '../../../../../src/emulator/core/media/readers/mp3.js'
import { sniff } from '../../../../../src/emulator/core/media/readers/sniff.js'
import { readWav } from '../../../../../src/emulator/core/media/readers/wav.js'
import { damaged, damages } from './damage.js'

const folder = new URL('../../../../../fixtures/media/', import.meta.url)
const fixtures = (ending: RegExp): Buffer[] =>
  readdirSync(folder)
    .filter((name) => ending.test(name))
    .map((name) => readFileSync(new URL(name, folder)))

const readers: readonly (readonly [string, RegExp, (bytes: Uint8Array) => Probe | number | undefined])[] = [
  ['MP4s', /\.mp4$/, (bytes) => readMovie(bytes, 'mp4')],
  ['MOVs', /\.mov$/, (bytes) => readMovie(bytes, 'mov')],
  ['WAVs', /\.wav$/, readWav],
  ['MP3s', /\.mp3$/, readMp3],
  ['BMPs', /\.bmp$/, readBmp],
  ['HEICs and HEIFs', /\.hei[cf]$/, (bytes) => boxProblem(bytes, 'HEIC')],
  ['JPEGs', /\.jpe?g$/, (bytes) => scansOfJpeg(bytes, 33)],
  ['GIFs', /\.gif$/, (bytes) => framesOfGif(bytes, 4097)],
  ['PNGs', /\.png$/, (bytes) => chunksOfPng(bytes, 50_001)],
  ['WebPs', /\.webp$/, (bytes) => chunksOfWebp(bytes, 4097)],
  ['TIFFs', /\.tiff$/, (bytes) => pagesOfTiff(bytes, 4097)],
  ['names of formats', /\.(mp4|mp3|wav|heic|png)$/, (bytes) => (sniff(bytes) ? 1 : 0)],
]

afterEach(() => vi.restoreAllMocks())

/** How often a reader looks at the bytes: through a DataView, but for the search of a next marker or piece, which only moves forward. */
const countLooks = (): (() => number) => {
  const methods = ['getUint8', 'getUint16', 'getUint32', 'getInt32'] as const
  const spies = methods.map((method) => vi.spyOn(DataView.prototype, method))
  return () => spies.reduce((sum, spy) => sum + spy.mock.calls.length, 0)
}

test.each(readers)(
  'damaged %s are read or refused, never more than a few looks at each byte',
  (_, ending, read) => {
    const samples = fixtures(ending)
    expect(samples.length).toBeGreaterThan(0)
    fc.assert(
      fc.property(fc.nat(samples.length - 1), damages, (index, damage) => {
        const bytes = damaged(samples[index] ?? Buffer.alloc(0), damage)
        const looks = countLooks()
        const result = read(bytes)
        expect(looks()).toBeLessThan(5000 + bytes.length * 8)
        vi.restoreAllMocks()
        expectFiniteNumbers(result)
      }),
      { seed: 7, numRuns: 300 },
    )
  },
)

const expectFiniteNumbers = (result: Probe | number | undefined): void => {
  const facts = typeof result === 'object' ? Object.values(result) : [result ?? 0]
  for (const fact of facts)
    if (typeof fact === 'number') expect(Number.isFinite(fact) && fact >= 0).toBe(true)
}
