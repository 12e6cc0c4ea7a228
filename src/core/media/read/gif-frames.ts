import { lengthOf, type Span, spanOf, u8 } from './span.js'

/** How many frames a GIF has, counted up to `most`: a decoder looks at each of them before it shows one. Never raises. */
export const framesOfGif = (bytes: Uint8Array, most: number): number => {
  const file = spanOf(bytes, 'GIF')
  let frames = 0
  let at = 13 + colourTableBytes(file, 10)
  while (at + 10 <= lengthOf(file) && frames < most) {
    const block = u8(file, at)
    if (block !== IMAGE && block !== EXTENSION) break
    if (block === IMAGE) frames++
    // An image has ten bytes of position and flags, maybe colours, and one byte for its codes before its data.
    at = behindData(bytes, block === IMAGE ? at + 11 + colourTableBytes(file, at + 9) : at + 2)
  }
  return frames
}

const IMAGE = 0x2c
const EXTENSION = 0x21

// The highest bit of the flags says that a table of colours follows, the lowest three how large it is.
const colourTableBytes = (file: Span, flagsAt: number): number => {
  const flags = flagsAt < lengthOf(file) ? u8(file, flagsAt) : 0
  return flags & 0x80 ? 3 * 2 ** ((flags & 7) + 1) : 0
}

// Data comes in pieces that begin with their length; one of length 0 is the last.
const behindData = (bytes: Uint8Array, from: number): number => {
  let at = from
  for (let length = bytes[at] ?? 0; length !== 0; length = bytes[at] ?? 0) at += 1 + length
  return at + 1
}
