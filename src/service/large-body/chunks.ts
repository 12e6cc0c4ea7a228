/** List of the received chunks of a body, in their order. Chunks are joined while they come, a mebibyte or a thousand at a time. */
interface ChunkList {
  readonly all: readonly Buffer[]
  add(chunk: Buffer): void
  clear(): void
}

// Above what is parsed on the event loop, so that all of these go to the worker, which gives them back at once.
const JOIN_BYTES = 2 ** 20

// A body that comes byte by byte would otherwise take a hundred times its size.
const JOIN_CHUNKS = 1_024

export const createChunkList = (): ChunkList => {
  const all: Buffer[] = []
  let joined = 0
  let unjoinedBytes = 0
  return {
    all,
    add: (chunk) => {
      all.push(chunk)
      unjoinedBytes += chunk.length
      if (unjoinedBytes < JOIN_BYTES && all.length - joined < JOIN_CHUNKS) return
      const unjoined = all.splice(joined)
      all.push(
        unjoinedBytes < JOIN_BYTES ? Buffer.concat(unjoined) : concatResizable(unjoined, unjoinedBytes),
      )
      joined += 1
      unjoinedBytes = 0
    },
    clear: () => {
      all.length = 0
      joined = 0
      unjoinedBytes = 0
    },
  }
}

declare global {
  interface ArrayBufferConstructor {
    // Node has it from 20 on; the library that the compiler is told to use is older.
    new (bytes: number, options: { readonly maxByteLength: number }): ArrayBuffer
  }
}

/**
 * Concatenates chunks, of so many bytes together, in memory that is returned to the system. Chunks of a socket come from a
 * heap that hardly ever shrinks: with a few large bodies in it, it would stay some hundred megabytes for good. A resizable
 * buffer is allocated outside of it.
 */
export const concatResizable = (chunks: readonly Buffer[], bytes: number): Buffer => {
  const whole = Buffer.from(new ArrayBuffer(bytes, { maxByteLength: bytes }))
  let at = 0
  for (const chunk of chunks) at += chunk.copy(whole, at)
  return whole
}
