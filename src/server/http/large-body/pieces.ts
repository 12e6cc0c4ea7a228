import { concatResizable } from './joined.js'

/** The pieces in which a body comes, in their order. */
export interface ChunkList {
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
