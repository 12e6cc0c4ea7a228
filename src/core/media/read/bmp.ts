import type { Probe } from '../facts.js'
import { Damage, factsOrDamage } from './damage.js'
import { i32le, lengthOf, type Span, spanOf, u16le, u32le } from './span.js'

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
