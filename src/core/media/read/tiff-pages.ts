import { lengthOf, type Span, spanOf, u8, u16be, u16le, u32be, u32le } from './span.js'

/**
 * How many pages a TIFF has, counted up to `most`: a decoder reads them all before it shows one.
 * Pages that lead back to themselves count on, and so reach `most`. Never raises.
 */
export const pagesOfTiff = (bytes: Uint8Array, most: number): number => {
  const file = spanOf(bytes, 'TIFF')
  const words = wordsOf(file)
  let pages = 0
  let at = words.place(words.isBig ? 8 : 4)
  while (at !== 0 && pages < most) {
    pages++
    // A page is a number of entries, the entries, and the place of the next page.
    at = words.isBig ? words.place(at + 8 + 20 * words.place(at)) : words.place(at + 2 + 12 * words.short(at))
  }
  return pages
}

interface Words {
  /** BigTIFF has places of eight bytes. */
  readonly isBig: boolean
  /** A place in the file, or 0, which stands for none, where there is nothing to read. */
  readonly place: (at: number) => number
  readonly short: (at: number) => number
}

// "II" has the low bytes first, "MM" the high ones; the number 43 instead of 42 stands for BigTIFF.
const wordsOf = (file: Span): Words => {
  const isLow = lengthOf(file) > 0 && u8(file, 0) === 0x49
  const u32 = isLow ? u32le : u32be
  const isThere = (at: number, length: number) => at + length <= lengthOf(file)
  const isBig = isThere(0, 8) && (isLow ? u16le : u16be)(file, 2) === 43
  const long = (at: number) =>
    isLow ? u32(file, at) + u32(file, at + 4) * 2 ** 32 : u32(file, at) * 2 ** 32 + u32(file, at + 4)
  return {
    isBig,
    place: (at) => (isBig ? (isThere(at, 8) ? long(at) : 0) : isThere(at, 4) ? u32(file, at) : 0),
    short: (at) => (isThere(at, 2) ? (isLow ? u16le : u16be)(file, at) : 0),
  }
}
