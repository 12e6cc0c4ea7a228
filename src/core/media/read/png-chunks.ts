import { lengthOf, spanOf, u32be } from './span.js'

/** How many chunks a PNG has, counted up to `most`. Never raises. */
export const chunksOfPng = (bytes: Uint8Array, most: number): number => {
  const file = spanOf(bytes, 'PNG')
  let chunks = 0
  // Each has its length, its type and, behind its content, a check sum.
  for (let at = 8; at + 8 <= lengthOf(file) && chunks < most; chunks++) at += 12 + u32be(file, at)
  return chunks
}
