import { lengthOf, spanOf, u32le } from './span.js'

/** How many chunks, of which each frame is one, a WebP has, counted up to `most`. Never raises. */
export const chunksOfWebp = (bytes: Uint8Array, most: number): number => {
  const file = spanOf(bytes, 'WebP')
  let chunks = 0
  for (let at = 12; at + 8 <= lengthOf(file) && chunks < most; chunks++) {
    const size = u32le(file, at + 4)
    at += 8 + size + (size % 2)
  }
  return chunks
}
