import { randomOf } from './random.js'

export const TONE_HZ = 48_000

// Chords in whole numbers of waves per 1024 samples: 4 waves are 187.5 Hz.
const CHORDS: readonly [readonly number[], ...(readonly number[])[]] = [
  [4, 5, 6],
  [4, 6, 9],
  [5, 6, 8],
  [4, 5, 8],
  [6, 8, 9],
  [5, 8, 10],
  [4, 6, 7],
  [3, 5, 8],
]
const PERIOD = 1024
const LOUDNESS = 0.012
const SWELL_SECONDS = 0.1

/** The chord of a seed: few, so that their encoded sound can be cached. */
export const chordOf = (seed: number): readonly number[] => randomOf(seed, 'tone').pick(CHORDS)

/** A quiet chord as PCM samples (16 bits, little endian, mono): it swells, stays and fades. */
export const toneSamples = (chord: readonly number[], seconds: number): Buffer => {
  const wave = Float64Array.from({ length: PERIOD }, (_, at) =>
    chord.reduce((sum, waves) => sum + Math.sin((2 * Math.PI * waves * at) / PERIOD), 0),
  )
  const count = seconds * TONE_HZ
  const swell = SWELL_SECONDS * TONE_HZ
  const samples = Int16Array.from({ length: count }, (_, at) => {
    const envelope = Math.min(1, at / swell, (count - at) / swell)
    return 32_767 * LOUDNESS * envelope * (wave[at % PERIOD] ?? 0)
  })
  return Buffer.from(samples.buffer)
}
