import { fourLetters, lengthOf, spanOf, u32be } from './span.js'

/** How many chunks a PNG has, counted up to `most`; what lies behind the one that ends it is none. Never raises. */
export const chunksOfPng = (bytes: Uint8Array, most: number): number => {
  const file = spanOf(bytes, 'PNG')
  let chunks = 0
  // Each has its length, its type and, behind its content, a check sum.
  for (let at = 8; at + 8 <= lengthOf(file) && chunks < most; at += 12 + u32be(file, at)) {
    chunks++
    if (fourLetters(file, at + 4) === 'IEND') break
  }
  return chunks
}
