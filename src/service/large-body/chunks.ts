/** The pieces in which a body comes, in their order. */
interface ChunkList {
  readonly all: readonly Buffer[]
  add(piece: Buffer): void
  /** Lets go of all of them. */
  clear(): void
}

// Larger than what is read on the event loop, so that all of them go to the thread, which gives them back at once.
const JOINED_BYTES = 2 ** 20

// A body that comes byte by byte would be held in a hundred times its size otherwise.
const JOINED_PIECES = 1_024

/** Pieces are joined as they come: a mebibyte of them, or a thousand of few bytes. */
export const createChunkList = (): ChunkList => {
  const all: Buffer[] = []
  let wholes = 0
  let looseBytes = 0
  return {
    all,
    add: (piece) => {
      all.push(piece)
      looseBytes += piece.length
      if (looseBytes < JOINED_BYTES && all.length - wholes < JOINED_PIECES) return
      const loose = all.splice(wholes)
      all.push(looseBytes < JOINED_BYTES ? Buffer.concat(loose) : concatResizable(loose, looseBytes))
      wholes += 1
      looseBytes = 0
    },
    clear: () => {
      all.length = 0
      wholes = 0
      looseBytes = 0
    },
  }
}

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
