import { type FileHandle, mkdir, open } from 'node:fs/promises'
import { dirname } from 'node:path'
import { pipeline, Writable } from 'node:stream'
import type { StorageEngine } from 'multer'
import type { FileHash, FileHashes } from './file-hashes.js'
import { PIECE_BYTES, type Piece, type Pieces } from './pieces.js'

/** Where multer writes one file. */
interface FileStorage {
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

interface FileSink {
  readonly out: Writable
  readonly bytes: () => number
  /** Once nothing more is written, also after an error. The SHA-256 in hex where the file had more than one piece. */
  readonly closed: Promise<string | undefined>
}

/**
 * Writes a file in pieces: while one is written and, on another thread, hashed, the next one fills. So a file is read
 * once on its way to the disk, however large it is, in the memory of two pieces.
 */
export const createFileSink = (path: string, { hashes, pieces }: StorageMeans): FileSink => {
  let file: FileHandle | undefined
  let filling: Piece | undefined
  let filled = 0
  let written = 0
  let isClosing = false
  let hash: FileHash | undefined
  let digest: string | undefined
  /** What becomes of the piece before. Rejects where it could not be written. */
  let before: Promise<void> = Promise.resolve()

  const keep = async (piece: Piece, bytes: number, at: number): Promise<void> => {
    const content = piece.subarray(0, bytes)
    const read = hash?.add(content)
    try {
      await writeAll(file as FileHandle, content, at)
    } finally {
      await read
      pieces.giveBack(piece)
    }
  }

  /** Hands the piece on once the one before is kept, so that no upload has more than two. */
  const handOn = async (): Promise<void> => {
    await before
    if (filling === undefined || isClosing) return
    before = keep(filling, filled, written)
    // Whoever hands on the next piece hears of it.
    before.catch(() => undefined)
    written += filled
    filling = undefined
    filled = 0
  }

  /** The part of the chunk that did not fit. */
  const fill = (chunk: Uint8Array): Uint8Array => {
    filling ??= pieces.take()
    const fitting = chunk.subarray(0, PIECE_BYTES - filled)
    filling.set(fitting, filled)
    filled += fitting.length
    return chunk.subarray(fitting.length)
  }

  const take = async (chunk: Uint8Array): Promise<void> => {
    for (let rest = fill(chunk); filled === PIECE_BYTES; rest = fill(rest)) {
      hash ??= hashes.begin()
      await handOn()
      if (rest.length === 0) return
    }
  }

  const finish = async (): Promise<void> => {
    await handOn()
    await before
    digest = await hash?.end()
    hash = undefined
  }

  const close = async (): Promise<void> => {
    isClosing = true
    await before.catch(() => undefined)
    await hash?.end()
    if (filling) pieces.giveBack(filling)
    await file?.close()
  }

  const out = new Writable({
    construct: (done) => {
      openNew(path).then((opened) => {
        file = opened
        done()
      }, done)
    },
    write: (chunk: Uint8Array, _encoding, done) => {
      take(chunk).then(() => done(), done)
    },
    final: (done) => {
      finish().then(() => done(), done)
    },
    destroy: (error, done) => {
      close().then(
        () => done(error),
        (failure) => done(error ?? failure),
      )
    },
  })
  const closed = new Promise<string | undefined>((resolve) => out.once('close', () => resolve(digest)))
  return { out, bytes: () => written, closed }
}

/** Somebody may have removed the folder. */
const openNew = (path: string): Promise<FileHandle> =>
  open(path, 'wx').catch(async (error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error
    await mkdir(dirname(path), { recursive: true, mode: 0o700 })
    return open(path, 'wx')
  })

const writeAll = async (file: FileHandle, content: Uint8Array, at: number): Promise<void> => {
  for (let done = 0; done < content.length; ) {
    const { bytesWritten } = await file.write(content, done, content.length - done, at + done)
    done += bytesWritten
  }
}
