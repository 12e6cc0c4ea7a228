import type { Probe, Unreadable } from '../input.js'
import { boxesIn, childrenOf, DamagedFile, partsOfFile, Span, unlessDamaged, unreadable } from './span.js'

/**
 * Facts of a BMP, which sharp does not read: a file header of 14 bytes, then an information header that begins
 * with its own size. Width and height in pixels; a negative height means that the rows go from top to bottom.
 */
export const readBmp = (bytes: Uint8Array): Probe =>
  unlessDamaged(() => {
    const file = new Span(bytes, 'BMP')
    const { width, height, ...pixels } = headerOf(file)
    if (width <= 0 || height <= 0) throw new DamagedFile(`the BMP says that it is ${width}x${height} pixels`)
    if (file.length < pixels.at + storedBytes(width, height, pixels))
      throw new DamagedFile('the BMP ends in the middle of its pixels')
    return { kind: 'image', format: 'bmp', bytes: bytes.byteLength, width, height }
  })

interface Pixels {
  /** Where the pixels begin in the file. */
  readonly at: number
  readonly bitsPerPixel: number
  readonly isPacked: boolean
}

const headerOf = (file: Span): Pixels & { width: number; height: number } => {
  const at = file.u32le(10)
  const isOldest = file.u32le(14) === 12
  if (isOldest) {
    const size = { width: file.u16le(18), height: file.u16le(20) }
    return { at, ...size, bitsPerPixel: file.u16le(24), isPacked: false }
  }
  const size = { width: file.i32le(18), height: Math.abs(file.i32le(22)) }
  return { at, ...size, bitsPerPixel: file.u16le(28), isPacked: PACKED.includes(file.u32le(30)) }
}

// Run-length codes of 8 and 4 bits, JPEG and PNG inside: their length does not follow from the number of pixels.
const PACKED = [1, 2, 4, 5]

// Every row is filled up to a multiple of four bytes.
const storedBytes = (width: number, height: number, pixels: Pixels): number =>
  pixels.isPacked ? 1 : Math.ceil((width * pixels.bitsPerPixel) / 32) * 4 * height

/**
 * Problem of the boxes of a HEIC, HEIF or AVIF, whose pixels are not decoded: without this a file that is cut
 * short would pass, and a size beyond all reason would confuse the decoder. `undefined` where nothing is.
 */
export const boxProblem = (bytes: Uint8Array, name: string): Unreadable | undefined =>
  unlessDamaged(() => {
    const boxes = partsOfFile(new Span(bytes, name))
    const meta = boxes.get('meta')
    if (meta) checkSizes(meta)
    if (meta || boxes.has('moov')) return undefined
    return unreadable('damaged', `the ${name} does not say what is in it (no "meta" box)`)
  })

const MAX_SIDE = 1_000_000

/** The sizes of all pictures of a file are among the properties of its items: meta, iprp, ipco, ispe. */
const checkSizes = (meta: Span): void => {
  // The box has a version before its boxes.
  const iprp = childrenOf(meta.slice(4)).get('iprp')
  const ipco = iprp && childrenOf(iprp).get('ipco')
  for (const { type, content } of ipco ? boxesIn(ipco) : []) {
    if (type !== 'ispe') continue
    const width = content.u32be(4)
    const height = content.u32be(8)
    if (Math.max(width, height) <= MAX_SIDE) continue
    throw new DamagedFile(`the ${meta.name} says that it is ${width}x${height} pixels`, 'too-large-to-read')
  }
}

/** Number of frames of a GIF, counted up to `max`: a decoder looks at each of them before it shows one. Never raises. */
export const framesOfGif = (bytes: Uint8Array, max: number): number => {
  const file = new Span(bytes, 'GIF')
  let frames = 0
  let at = 13 + colorTableBytes(file, 10)
  while (at + 10 <= file.length && frames < max) {
    const block = file.u8(at)
    if (block !== IMAGE && block !== EXTENSION) break
    if (block === IMAGE) frames++
    // An image has ten bytes of position and flags, maybe colours, and one byte for its codes before its data.
    at = endOfBlocks(bytes, block === IMAGE ? at + 11 + colorTableBytes(file, at + 9) : at + 2)
  }
  return frames
}

const IMAGE = 0x2c
const EXTENSION = 0x21

// The highest bit of the flags says that a table of colours follows, the lowest three how large it is.
const colorTableBytes = (file: Span, flagsAt: number): number => {
  const flags = flagsAt < file.length ? file.u8(flagsAt) : 0
  return flags & 0x80 ? 3 * 2 ** ((flags & 7) + 1) : 0
}

// Data comes in pieces that begin with their length; one of length 0 is the last.
const endOfBlocks = (bytes: Uint8Array, from: number): number => {
  let at = from
  for (let length = bytes[at] ?? 0; length !== 0; length = bytes[at] ?? 0) at += 1 + length
  return at + 1
}

/**
 * Number of scans of a JPEG, counted up to `max`: 1, or about ten where it is progressive. Each of them costs
 * a decoder a walk over all its pixels, so that a small file with thousands keeps it busy for minutes. Never raises.
 */
export const scansOfJpeg = (bytes: Uint8Array, max: number): number => {
  const file = new Span(bytes, 'JPEG')
  let scans = 0
  let at = nextMarker(bytes, 2)
  while (at + 4 <= file.length && scans < max) {
    const marker = file.u8(at + 1)
    if (marker === END_OF_IMAGE) break
    if (marker === START_OF_SCAN) scans++
    at = nextMarker(bytes, endOfSegment(file, at))
  }
  return scans
}

const START_OF_SCAN = 0xda
const END_OF_IMAGE = 0xd9

// A segment tells its length; the pixels behind a scan's header do not, and are passed by in search of the next marker.
const endOfSegment = (file: Span, at: number): number => at + 2 + file.u16be(at + 2)

const nextMarker = (bytes: Uint8Array, from: number): number => {
  let at = bytes.indexOf(0xff, from)
  while (at !== -1 && !isMarker(bytes[at + 1])) at = bytes.indexOf(0xff, at + 1)
  return at === -1 ? bytes.byteLength : at
}

// Among pixels, 0xFF is followed by 0, or by a restart marker; before a marker it may be repeated.
const isMarker = (code = 0): boolean => code > 0x01 && code !== 0xff && !(code >= 0xd0 && code <= 0xd8)

/** Number of chunks of a PNG, counted up to `max`; what lies behind the one that ends it is none. Never raises. */
export const chunksOfPng = (bytes: Uint8Array, max: number): number => {
  let chunks = 0
  for (const _ of chunksIn(bytes)) if (++chunks >= max) break
  return chunks
}

/**
 * A PNG without its compressed texts (zTXt, iTXt): a decoder inflates each of them, to a thousand times its length, though none says
 * how the picture looks. The same bytes where there are none. Never raises.
 */
export const withoutTextOfPng = (bytes: Buffer): Buffer => {
  const kept: Buffer[] = []
  let from = 0
  for (const { type, at, end } of chunksIn(bytes)) {
    // One that is cut short is not inflated; without it the picture would not be known to be cut short.
    if (!COMPRESSED_TEXTS.includes(type) || end > bytes.length) continue
    kept.push(bytes.subarray(from, at))
    from = end
  }
  return from === 0 ? bytes : Buffer.concat([...kept, bytes.subarray(from)])
}

const COMPRESSED_TEXTS = ['zTXt', 'iTXt']

/** The chunks of a PNG up to the one that ends it: each has its length, its type and, behind its content, a check sum. */
function* chunksIn(bytes: Uint8Array) {
  const file = new Span(bytes, 'PNG')
  for (let at = 8; at + 8 <= file.length; ) {
    const type = file.fourCC(at + 4)
    const end = at + 12 + file.u32be(at)
    yield { type, at, end }
    if (type === 'IEND') return
    at = end
  }
}

/** The text of a PNG under a keyword (tEXt, Latin-1); undefined where there is none. Never raises. */
export const textOfPng = (bytes: Uint8Array, keyword: string): string | undefined => {
  for (const { type, at, end } of chunksIn(bytes)) {
    if (type !== 'tEXt' || end > bytes.length) continue
    // Behind the length and the type; the checksum ends the chunk.
    const text = Buffer.from(bytes.subarray(at + 8, end - 4)).toString('latin1')
    if (text.startsWith(`${keyword}\0`)) return text.slice(keyword.length + 1)
  }
  return undefined
}

/**
 * Number of pages of a TIFF, counted up to `max`: a decoder reads them all before it shows one.
 * Pages that lead back to themselves count on, and so reach `max`. Never raises.
 */
export const pagesOfTiff = (bytes: Uint8Array, max: number): number => {
  let pages = 0
  for (const _ of pagesIn(bytes)) if (++pages >= max) break
  return pages
}

/** Number of entries of all pages of a TIFF, each of which a decoder reads, counted up to `max`. Never raises. */
export const entriesOfTiff = (bytes: Uint8Array, max: number): number => {
  let entries = 0
  for (const ofPage of pagesIn(bytes)) {
    entries += ofPage
    if (entries >= max) return max
  }
  return entries
}

/**
 * Number of entries of the largest page of a TIFF, counted up to `max`: a decoder sorts those of a page that it does not know
 * anew with each of them, so that the time grows with the square of their number. Never raises.
 */
export const largestPageOfTiff = (bytes: Uint8Array, max: number): number => {
  let largest = 0
  for (const ofPage of pagesIn(bytes)) {
    largest = Math.max(largest, ofPage)
    if (largest >= max) return max
  }
  return largest
}

// Pages that lead back to themselves have no end.
const MAX_WALKED_PAGES = 10_000

/** The pages of a TIFF, each as the number of its entries. */
function* pagesIn(bytes: Uint8Array): Generator<number> {
  const reader = tiffReader(new Span(bytes, 'TIFF'))
  let at = reader.offset(reader.isBig ? 8 : 4)
  for (let pages = 0; at !== 0 && pages < MAX_WALKED_PAGES; pages++) {
    // A page is a number of entries, the entries, and the place of the next page.
    const entries = reader.isBig ? reader.offset(at) : reader.short(at)
    yield entries
    at = reader.offset(reader.isBig ? at + 8 + 20 * entries : at + 2 + 12 * entries)
  }
}

// "II" is little-endian, "MM" big-endian; the number 43 instead of 42 marks BigTIFF, whose offsets have eight bytes.
const tiffReader = (file: Span) => {
  const isLow = file.length > 0 && file.u8(0) === 0x49
  const u16 = (at: number) => (isLow ? file.u16le(at) : file.u16be(at))
  const u32 = (at: number) => (isLow ? file.u32le(at) : file.u32be(at))
  const isInFile = (at: number, length: number) => at + length <= file.length
  const isBig = isInFile(0, 8) && u16(2) === 43
  const long = (at: number) => (isLow ? u32(at) + u32(at + 4) * 2 ** 32 : u32(at) * 2 ** 32 + u32(at + 4))
  return {
    isBig,
    /** File offset; 0 (none) if out of range. */
    offset: (at: number): number => {
      if (!isInFile(at, isBig ? 8 : 4)) return 0
      return isBig ? long(at) : u32(at)
    },
    short: (at: number): number => (isInFile(at, 2) ? u16(at) : 0),
  }
}

/** Number of chunks of a WebP (each frame is one) up to `max`, within the size that the file says. Never raises. */
export const chunksOfWebp = (bytes: Uint8Array, max: number): number => {
  const file = new Span(bytes, 'WebP')
  const end = endOf(file)
  let chunks = 0
  for (let at = 12; at + 8 <= end && chunks < max; chunks++) {
    const size = file.u32le(at + 4)
    at += 8 + size + (size % 2)
  }
  return chunks
}

// The size counts from behind itself. One that has no room for the name is not believed.
const endOf = (file: Span): number => {
  const size = file.length < 12 ? 0 : file.u32le(4)
  return size < 4 ? file.length : Math.min(file.length, 8 + size)
}
