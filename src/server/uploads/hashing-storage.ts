import { createHash } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { pipeline } from 'node:stream'
import type { StorageEngine } from 'multer'

/** Where multer writes one file. */
export interface HashingStorage {
  readonly engine: StorageEngine
  /** SHA-256 in hex of what was written. It is computed while the file comes in and the disk is waited for. */
  hash(): string
  /** Comes back once nothing more is written, also after an error; what is on the disk then may be removed. */
  closed(): Promise<void>
}

export const createHashingStorage = (path: string): HashingStorage => {
  const hash = createHash('sha256')
  let closed: Promise<void> = Promise.resolve()
  return {
    engine: {
      _handleFile: (_request, { stream }, done) => {
        // Larger buffers than the usual ones make it slower: what is written then has left the processor's caches.
        const out = createWriteStream(path)
        closed = new Promise((resolve) => out.once('close', resolve))
        stream.on('data', (piece: Buffer) => hash.update(piece))
        pipeline(stream, out, (error) => (error ? done(error) : done(null, { size: out.bytesWritten })))
      },
      // The whole file goes with its upload.
      _removeFile: (_request, _file, done) => done(null),
    },
    hash: () => hash.digest('hex'),
    closed: () => closed,
  }
}
