import { createWriteStream } from 'node:fs'
import { pipeline } from 'node:stream'
import type { StorageEngine } from 'multer'

/** Where multer writes one file. */
export interface FileStorage {
  readonly engine: StorageEngine
  /** Comes back once nothing more is written, also after an error; what is on the disk then may be removed. */
  closed(): Promise<void>
}

export const createFileStorage = (path: string): FileStorage => {
  let closed: Promise<void> = Promise.resolve()
  return {
    engine: {
      _handleFile: (_request, { stream }, done) => {
        // Larger buffers than the usual ones make it slower: what is written then has left the processor's caches.
        const out = createWriteStream(path)
        closed = new Promise((resolve) => out.once('close', resolve))
        pipeline(stream, out, (error) => (error ? done(error) : done(null, { size: out.bytesWritten })))
      },
      // The whole file goes with its upload.
      _removeFile: (_request, _file, done) => done(null),
    },
    closed: () => closed,
  }
}
