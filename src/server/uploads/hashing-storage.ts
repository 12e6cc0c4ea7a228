import { createHash } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { pipeline } from 'node:stream'
import type { StorageEngine } from 'multer'

/** Bytes that may wait to be written: a few large writes are much faster than many small ones. */
export const WAITING_BYTES = 2 ** 20

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
        const out = createWriteStream(path, { highWaterMark: WAITING_BYTES })
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
