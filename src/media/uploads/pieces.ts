/** Memory that two threads see, of one size, used again: a large upload goes through two of these. */
export type Piece = Uint8Array<SharedArrayBuffer>

export interface Pieces {
  take(): Piece
  giveBack(piece: Piece): void
}

// Larger ones leave the processor's caches before they have been written and hashed; smaller ones ask the threads that
// write and hash more often, which costs more than what they do.
export const PIECE_BYTES = 256 * 1024

const KEPT = 16

export const createChunkList = (): Pieces => {
  const free: Piece[] = []
  return {
    take: () => free.pop() ?? new Uint8Array(new SharedArrayBuffer(PIECE_BYTES)),
    giveBack: (piece) => {
      if (free.length < KEPT) free.push(piece)
    },
  }
}
