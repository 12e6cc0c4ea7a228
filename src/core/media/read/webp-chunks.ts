import { lengthOf, type Span, spanOf, u32le } from './span.js'

/**
 * How many chunks, of which each frame is one, a WebP has, counted up to `most`; what lies behind the size that it says
 * is none. Never raises.
 */
export const chunksOfWebp = (bytes: Uint8Array, most: number): number => {
  const file = spanOf(bytes, 'WebP')
  const end = endOf(file)
  let chunks = 0
  for (let at = 12; at + 8 <= end && chunks < most; chunks++) {
    const size = u32le(file, at + 4)
    at += 8 + size + (size % 2)
  }
  return chunks
}

// The size counts from behind itself. One that has no room for the name is not believed.
const endOf = (file: Span): number => {
  const size = lengthOf(file) < 12 ? 0 : u32le(file, 4)
  return size < 4 ? lengthOf(file) : Math.min(lengthOf(file), 8 + size)
}
