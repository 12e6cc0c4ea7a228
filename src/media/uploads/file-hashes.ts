import { Worker } from 'node:worker_threads'

/** SHA-256 of large files, off the event loop: 50 MB would hold up everybody else for as long as a frame of a film. */
export interface FileHashes {
  /** Begins the hash of one file. */
  begin(): FileHash
  stop(): Promise<void>
}

/** The hash of one file that comes in piece by piece. Pieces are taken in the order in which they are given. */
export interface FileHash {
  /** Comes back once the piece has been read, or never will be: then its memory may be used again. */
  add(piece: Uint8Array<SharedArrayBuffer>): Promise<void>
  /** In hex; undefined where it could not be found out. The hash is over then. */
  end(): Promise<string | undefined>
}

interface Hashed {
  readonly id: number
  readonly hash?: string
}

/** One worker, made for the first large file. */
export const createFileHashes = (): FileHashes => {
  const waiting = new Map<number, (hash: string | undefined) => void>()
  let worker: Worker | undefined
  let lastId = 0
  let lastFile = 0

  const answer = ({ id, hash }: Hashed): void => {
    waiting.get(id)?.(hash)
    waiting.delete(id)
  }

  const lose = (): void => {
    worker = undefined
    for (const id of [...waiting.keys()]) answer({ id })
  }

  const open = (): Worker => {
    const opened = new Worker(new URL('./hash-worker.mjs', import.meta.url))
    opened.unref()
    opened.on('message', answer)
    for (const end of ['error', 'exit'])
      opened.on(end, () => {
        if (worker === opened) lose()
      })
    return opened
  }

  const ask = (of: Worker, file: number, piece?: Uint8Array): Promise<string | undefined> =>
    new Promise((resolve) => {
      // Another worker, made after this one was lost, would know half of the file.
      if (of !== worker) return resolve(undefined)
      lastId += 1
      waiting.set(lastId, resolve)
      of.postMessage({ id: lastId, file, piece })
    })

  return {
    begin: () => {
      worker ??= open()
      const mine = worker
      lastFile += 1
      const file = lastFile
      return {
        add: async (piece) => void (await ask(mine, file, piece)),
        end: () => ask(mine, file),
      }
    },
    stop: async () => {
      const stopped = worker
      lose()
      await stopped?.terminate()
    },
  }
}
