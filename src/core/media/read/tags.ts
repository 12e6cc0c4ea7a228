import { fourLetters, lengthOf, type Span, u8, u32le } from './span.js'

/**
 * The bytes of a tag of a sound that begins at a place, as the tag itself says, or 0 where none does. A tag that would
 * be longer than its file is none. Never raises.
 */
export const tagBytesAt = (file: Span, at: number): number => {
  const left = lengthOf(file) - at
  // The first letter rules out nearly every place, and this is asked at many.
  const letter = u8(file, at)
  if (letter !== I && letter !== A) return 0
  const bytes = letter === I ? id3Bytes(file, at, left) : apeBytes(file, at, left)
  return bytes <= left ? bytes : 0
}

const [I, A] = [0x49, 0x41]

// ID3v2, which stands in front or, seldom, behind. Its size is written with seven bits a byte.
const id3Bytes = (file: Span, at: number, left: number): number => {
  if (left < 10 || !fourLetters(file, at).startsWith('ID3')) return 0
  const places = [6, 7, 8, 9].map((place) => u8(file, at + place))
  // Sound that happens to hold the three letters has other bytes here.
  if (u8(file, at + 3) === 0xff || places.some((byte) => byte > 127)) return 0
  const hasFooter = (u8(file, at + 5) & 0x10) !== 0
  return 10 + places.reduce((sum, byte) => sum * 128 + byte, 0) + (hasFooter ? 10 : 0)
}

// APE tags stand behind, with a header of 32 bytes; their size counts everything but that.
const apeBytes = (file: Span, at: number, left: number): number => {
  if (left < 32 || fourLetters(file, at) !== 'APET' || fourLetters(file, at + 4) !== 'AGEX') return 0
  return 32 + u32le(file, at + 12)
}
