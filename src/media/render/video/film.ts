import { drawingAt, endingWipe, openingWipe, shareAt } from './second.js'
import type { Slice } from './slices.js'
import type { Strip, Strips } from './strips.js'

/** A whole picture: a slice for each row of blocks, from top to bottom. */
export type Picture = readonly Slice[]

/** What is seen of a video. Seconds are numbered from 0, and so are the frames of each. */
export interface Film {
  readonly seconds: number
  readonly framesPerSecond: number
  /** Whether a second shows nothing but the card, which moves alike in all of them. */
  isPlain(second: number): boolean
  /** The card, or a frame of the user's, or some of each. Rows that show the same are the same slice. */
  pictureAt(second: number, frame: number): Picture
}

export interface Edges {
  /** Whether the video begins and ends with frames of the user's: they come after the card in `whole`. */
  readonly hasOpening: boolean
  readonly hasEnding: boolean
}

export const filmOf = (
  strips: Strips<Picture>,
  { seconds, framesPerSecond }: Pick<Film, 'seconds' | 'framesPerSecond'>,
  { hasOpening, hasEnding }: Edges,
): Film => {
  const [, ...users] = strips.whole.pictures
  const isOpening = (second: number) => hasOpening && second === 0
  const isEnding = (second: number) => hasEnding && second === seconds - 1
  const [opens, ends] = [openingWipe(framesPerSecond), endingWipe(framesPerSecond)]
  return {
    ...{ seconds, framesPerSecond },
    isPlain: (second) => !isOpening(second) && !isEnding(second),
    pictureAt: (second, frame) => {
      const drawn = cardAt(strips, second, drawingAt(frame))
      const opened = isOpening(second) ? wiped(users[0] ?? [], drawn, shareAt(opens, frame)) : drawn
      return isEnding(second) ? wiped(opened, users.at(-1) ?? [], shareAt(ends, frame)) : opened
    },
  }
}

/** A picture over which another one has come from the top down. */
const wiped = (below: Picture, above: Picture, share: number): Picture => {
  const rows = Math.round(above.length * share)
  return [...above.slice(0, rows), ...below.slice(rows)]
}

/** The card in a second at a drawing: what stands still, and over it the rows of the street and of the time code. */
const cardAt = ({ whole, seconds, drawings }: Strips<Picture>, second: number, drawing: number): Picture => {
  const ground = whole.pictures[0] ?? []
  const withStreet = over(ground, drawings, drawing)
  return over(withStreet, seconds, second)
}

const over = (below: Picture, { rows, pictures }: Strip<Picture>, number: number): Picture =>
  below.toSpliced(rows.first, rows.count, ...(pictures[number] ?? []))
