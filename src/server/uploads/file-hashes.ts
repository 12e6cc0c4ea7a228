import { Worker } from 'node:worker_threads'

/** SHA-256 of large files, off the event loop: 50 MB would hold up everybody else for as long as a frame of a film. */
export interface FileHashes {
  /** In hex; undefined where it could not be found out. */
  of(path: string): Promise<string | undefined>
  stop(): Promise<void>
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

  return {
    of: (path) =>
      new Promise((resolve) => {
        lastId += 1
        waiting.set(lastId, resolve)
        worker ??= open()
        worker.postMessage({ id: lastId, path })
      }),
    stop: async () => {
      const stopped = worker
      lose()
      await stopped?.terminate()
    },
  }
}
