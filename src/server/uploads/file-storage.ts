import { pipeline } from 'node:stream'
import type { StorageEngine } from 'multer'
import type { FileHashes } from './file-hashes.js'
import { createFileSink } from './file-sink.js'
import type { Pieces } from './pieces.js'

/** Where multer writes one file. */
export interface FileStorage {
  readonly engine: StorageEngine
  /**
   * Comes back once nothing more is written, also after an error; what is on the disk then may be removed. The SHA-256
   * of the file in hex where it was found out on the way.
   */
  closed(): Promise<string | undefined>
}

/** What all uploads write with. */
export interface StorageMeans {
  readonly hashes: FileHashes
  readonly pieces: Pieces
}

export const createFileStorage = (path: string, means: StorageMeans): FileStorage => {
  let closed: Promise<string | undefined> = Promise.resolve(undefined)
  return {
    engine: {
      _handleFile: (_request, { stream }, done) => {
        const sink = createFileSink(path, means)
        closed = sink.closed
        pipeline(stream, sink.out, (error) => (error ? done(error) : done(null, { size: sink.bytes() })))
      },
      // The whole file goes with its upload.
      _removeFile: (_request, _file, done) => done(null),
    },
    closed: () => closed,
  }
}
