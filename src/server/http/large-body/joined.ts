declare global {
  interface ArrayBufferConstructor {
    // Node has it from 20 on; the library that the compiler is told to know is older.
    new (bytes: number, options: { readonly maxByteLength: number }): ArrayBuffer
  }
}

/**
 * Joins pieces of a large body, of so many bytes together. The runtime takes pieces of a socket from a heap that hardly
 * ever shrinks, since something small always comes to lie above them: with all of a few bodies in it, it would stay some
 * hundred megabytes for good. Memory that could change its size is had from the system, and goes back to it.
 */
export const concatResizable = (pieces: readonly Buffer[], bytes: number): Buffer => {
  const whole = Buffer.from(new ArrayBuffer(bytes, { maxByteLength: bytes }))
  let at = 0
  for (const piece of pieces) at += piece.copy(whole, at)
  return whole
}
