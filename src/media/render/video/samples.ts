import type { Film, Picture } from './film.js'
import { withLength } from './h264.js'
import type { ParameterSets } from './parameter-sets.js'
import { type Slice, unchanged } from './slices.js'

/**
 * The pictures of a film as samples of an MP4: every second begins with a key picture, and after it only what changes is
 * written.
 */
export const samplesOf = (film: Film, sets: ParameterSets): Buffer[] => {
  let plain: Buffer[] | undefined
  return Array.from({ length: film.seconds }, (_, second) => {
    const key = sampleOf(film.pictureAt(second, 0).map((slice) => slice.inKey(second)))
    if (!film.isPlain(second)) return [key, ...changesOf(film, second, sets)]
    plain ??= changesOf(film, second, sets)
    return [key, ...plain]
  }).flat()
}

const sampleOf = (units: readonly Buffer[]): Buffer => Buffer.concat(units.flatMap(withLength))

/** All pictures of a second but the first. */
const changesOf = (film: Film, second: number, sets: ParameterSets): Buffer[] => {
  let before = film.pictureAt(second, 0)
  return Array.from({ length: film.framesPerSecond - 1 }, (_, index) => {
    const now = film.pictureAt(second, index + 1)
    const units = unitsOf(changed(before, now), sets, blocksIn(now), index + 1)
    before = now
    return sampleOf(units)
  })
}

const blocksIn = (picture: Picture): number => picture.reduce((sum, { blocks }) => sum + blocks, 0)

/** The slices of a picture that the one before it did not have. */
const changed = (before: Picture, now: Picture): Slice[] => now.filter((slice, row) => slice !== before[row])

/** Slices, and between them blocks that stay as they are. */
const unitsOf = (slices: readonly Slice[], sets: ParameterSets, blocks: number, number: number): Buffer[] => {
  const units: Buffer[] = []
  let at = 0
  const stay = (until: number) => {
    if (until > at) units.push(unchanged(sets, at, until - at, number))
  }
  for (const slice of slices) {
    stay(slice.first)
    units.push(slice.inChange(number))
    at = slice.first + slice.blocks
  }
  stay(blocks)
  return units
}
