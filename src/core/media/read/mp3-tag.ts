import type { Mp3Frame } from './mp3-frame.js'
import { fourLetters, lengthOf, part, type Span, u8, u24be, u32be } from './span.js'

/** What the encoder wrote into the first frame instead of sound. */
export interface EncoderTag {
  /** How many frames of sound there should be; left out where the tag does not say. */
  readonly frames?: number
  /** Samples of silence that the encoder added at both ends together. */
  readonly silentSamples: number
}

/** The tag in the first frame of an MP3 (Xing, Info or VBRI), or `undefined` where the frame holds sound. */
export const encoderTagOf = (file: Span, at: number, frame: Mp3Frame): EncoderTag | undefined => {
  const content = part(file, at, Math.min(at + frame.bytes, lengthOf(file)))
  if (hasLetters(content, VBRI_AT, ['VBRI']) && lengthOf(content) >= VBRI_AT + 18) {
    return { frames: u32be(content, VBRI_AT + 14), silentSamples: 0 }
  }
  if (!hasLetters(content, frame.tagAt, ['Xing', 'Info'])) return undefined
  return xingTag(part(content, frame.tagAt))
}

const VBRI_AT = 36

// Four bits say which of the fields that follow are there: frames, bytes, table of contents, quality.
const FIELD_BYTES = [4, 4, 100, 4]

const xingTag = (tag: Span): EncoderTag => {
  if (lengthOf(tag) < 12) return { silentSamples: 0 }
  const fields = u8(tag, 7)
  const behind = FIELD_BYTES.reduce((at, bytes, bit) => (fields & (1 << bit) ? at + bytes : at), 8)
  const silentSamples = silentSamplesAt(tag, behind)
  return fields & 1 ? { frames: u32be(tag, 8), silentSamples } : { silentSamples }
}

// LAME and the libraries that imitate it write twelve bits for the silence before and twelve for that behind.
const silentSamplesAt = (tag: Span, at: number): number => {
  if (!hasLetters(tag, at, ['LAME', 'Lavf', 'Lavc']) || lengthOf(tag) < at + 24) return 0
  const both = u24be(tag, at + 21)
  return (both >>> 12) + (both & 0xfff)
}

const hasLetters = (span: Span, at: number, letters: readonly string[]): boolean =>
  lengthOf(span) >= at + 4 && letters.includes(fourLetters(span, at))
