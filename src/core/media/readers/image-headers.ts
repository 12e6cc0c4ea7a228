import type { Probe, Unreadable } from '../facts.js'
import { boxesIn, childrenOf, startWalk, type Walk } from './boxes.js'
import {
  Damage,
  factsOrDamage,
  i32le,
  lengthOf,
  part,
  type Span,
  spanOf,
  u16le,
  u32be,
  u32le,
  unreadable,
} from './span.js'

/**
 * Facts of a BMP, which sharp does not read: a file header of 14 bytes, then an information header that begins
 * with its own size. Width and height in pixels; a negative height means that the rows go from top to bottom.
 */
export const readBmp = (bytes: Uint8Array): Probe =>
  factsOrDamage(() => {
    const file = spanOf(bytes, 'BMP')
    const { width, height, ...pixels } = headerOf(file)
    if (width <= 0 || height <= 0) throw new Damage(`the BMP says that it is ${width}x${height} pixels`)
    if (lengthOf(file) < pixels.at + storedBytes(width, height, pixels)) {
      throw new Damage('the BMP ends in the middle of its pixels')
    }
    return { kind: 'image', format: 'bmp', bytes: bytes.byteLength, width, height }
  })

interface Pixels {
  /** Where the pixels begin in the file. */
  readonly at: number
  readonly bitsPerPixel: number
  readonly isPacked: boolean
}

const headerOf = (file: Span): Pixels & { width: number; height: number } => {
  const at = u32le(file, 10)
  const isOldest = u32le(file, 14) === 12
  if (isOldest) {
    const size = { width: u16le(file, 18), height: u16le(file, 20) }
    return { at, ...size, bitsPerPixel: u16le(file, 24), isPacked: false }
  }
  const size = { width: i32le(file, 18), height: Math.abs(i32le(file, 22)) }
  return { at, ...size, bitsPerPixel: u16le(file, 28), isPacked: PACKED.includes(u32le(file, 30)) }
}

// Run-length codes of 8 and 4 bits, JPEG and PNG inside: their length does not follow from the number of pixels.
const PACKED = [1, 2, 4, 5]

// Every row is filled up to a multiple of four bytes.
const storedBytes = (width: number, height: number, pixels: Pixels): number =>
  pixels.isPacked ? 1 : Math.ceil((width * pixels.bitsPerPixel) / 32) * 4 * height

/**
 * What is wrong with the boxes of a HEIC, HEIF or AVIF, whose pixels are not decoded: without this a file that is cut
 * short would pass, and a size beyond all reason would confuse the decoder. `undefined` where nothing is.
 */
export const troubleOfBoxes = (bytes: Uint8Array, name: string): Unreadable | undefined => {
  try {
    const walk = startWalk()
    const boxes = childrenOf(spanOf(bytes, name), walk)
    const meta = boxes.get('meta')
    if (meta) checkSizes(meta, walk)
    if (meta || boxes.has('moov')) return undefined
    return unreadable('damaged', `the ${name} does not say what is in it (no "meta" box)`)
  } catch (error) {
    if (error instanceof Damage) return unreadable(error.reason, error.message)
    throw error
  }
}

const LONGEST_SIDE = 1_000_000

/** The sizes of all pictures of a file are among the properties of its items: meta, iprp, ipco, ispe. */
const checkSizes = (meta: Span, walk: Walk): void => {
  // The box has a version before its boxes.
  const iprp = childrenOf(part(meta, 4), walk).get('iprp')
  const ipco = iprp && childrenOf(iprp, walk).get('ipco')
  for (const { type, content } of ipco ? boxesIn(ipco, walk) : []) {
    if (type !== 'ispe') continue
    const [width, height] = [u32be(content, 4), u32be(content, 8)]
    if (Math.max(width, height) <= LONGEST_SIDE) continue
    throw new Damage(`the ${meta.name} says that it is ${width}x${height} pixels`, 'too-large-to-read')
  }
}
