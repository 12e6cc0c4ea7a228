import { cutToWidth } from './measure.js'
import { type Piece, piecesOf } from './pieces.js'
import type { Font } from './typeface.js'
import { wrap } from './wrap.js'

/** Height of a line of running text, in ems. */
export const LINE_HEIGHT_EM = 1.3

export interface FittedText {
  readonly lines: readonly string[]
  /** Pixels to the em. */
  readonly size: number
}

export interface Room {
  readonly width: number
  readonly height: number
  /** Pixels to the em: the text is as large as it can be between these two. */
  readonly smallest: number
  readonly largest: number
}

const STEP = 0.92

/** A text as large as its room allows. What does not fit at the smallest size is cut off with `…`. */
export const fitText = (font: Font, text: string, room: Room): FittedText => {
  const paragraphs = piecesOf(font, beginningOf(text, room))
  for (let size = room.largest; size > room.smallest; size *= STEP) {
    const lines = wrap(font, paragraphs, room.width / size)
    if (lines.length <= linesIn(room, size)) return { lines, size }
  }
  return { lines: cutToRoom(font, paragraphs, room), size: room.smallest }
}

const linesIn = (room: Room, size: number): number => Math.floor(room.height / (size * LINE_HEIGHT_EM))

// A text of 7000 characters is measured no further than the room could hold if it were all narrow letters.
const NARROW_EM = 0.25
const beginningOf = (text: string, { width, height, smallest }: Room): string => {
  const most = Math.max(width, 0) * Math.max(height, smallest)
  const characters = Math.ceil(most / (smallest ** 2 * NARROW_EM * LINE_HEIGHT_EM)) + 1
  return [...text.slice(0, 2 * characters)].slice(0, characters).join('')
}

const cutToRoom = (font: Font, paragraphs: readonly Piece[][], room: Room): string[] => {
  const maxEms = room.width / room.smallest
  const lines = wrap(font, paragraphs, maxEms)
  const count = Math.max(1, linesIn(room, room.smallest))
  if (lines.length <= count) return lines
  const rest = lines.slice(count - 1, count + 1).join(' ')
  return [...lines.slice(0, count - 1), cutToWidth(font, rest, maxEms)]
}
