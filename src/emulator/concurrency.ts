import { closeSync, openSync } from 'node:fs'
import { delay, nextTurn, setImmediate } from './timers.js'

/** Releases what was acquired; a second call does nothing. */
type Release = () => void

interface SemaphoreOptions {
  /** How many may wait; one more is rejected with `whenFull()`. Default: any number. */
  readonly maxWaiting?: number
  readonly whenFull?: () => Error
  /** Called with the number of waiters, whenever one more has to wait. */
  readonly onWait?: (waiting: number) => void
  /** Called with the number of holders, whenever there is one more. */
  readonly onHold?: (held: number) => void
}

/** Semaphore: at most `max` holders at a time; others wait in a queue, first in first out. */
export interface Semaphore {
  readonly held: number
  readonly waiting: number
  /** Acquires without waiting, or undefined where all permits are held. */
  tryAcquire(): Release | undefined
  /** Rejects with the signal's reason if it aborts while waiting. */
  acquire(signal?: AbortSignal): Promise<Release>
  /** Runs a job while holding a permit. */
  run<T>(job: () => Promise<T>, signal?: AbortSignal): Promise<T>
}

export const createSemaphore = (
  max: number,
  {
    maxWaiting = Number.POSITIVE_INFINITY,
    whenFull = () => new Error('too many wait'),
    onWait,
    onHold,
  }: SemaphoreOptions = {},
): Semaphore => {
  const queue = new Set<() => void>()
  let held = 0

  const grant = (): Release => {
    let isHeld = true
    held += 1
    onHold?.(held)
    return () => {
      if (!isHeld) return
      isHeld = false
      held -= 1
      const [next] = queue
      next?.()
    }
  }

  const enqueue = (signal: AbortSignal | undefined): Promise<Release> =>
    new Promise((resolve, reject) => {
      const enter = () => {
        queue.delete(enter)
        signal?.removeEventListener('abort', leave)
        resolve(grant())
      }
      const leave = () => {
        queue.delete(enter)
        reject(signal?.reason)
      }
      queue.add(enter)
      signal?.addEventListener('abort', leave)
      onWait?.(queue.size)
    })

  const acquire: Semaphore['acquire'] = async (signal) => {
    signal?.throwIfAborted()
    if (held < max) return grant()
    if (queue.size >= maxWaiting) throw whenFull()
    return enqueue(signal)
  }

  return {
    get held() {
      return held
    },
    get waiting() {
      return queue.size
    },
    tryAcquire: () => (held < max ? grant() : undefined),
    acquire,
    run: async (job, signal) => {
      const release = await acquire(signal)
      try {
        return await job()
      } finally {
        release()
      }
    },
  }
}

/** Mutex: one job at a time, in the order in which they come, whether or not the one before failed. */
export const createMutex = (): Semaphore => createSemaphore(1)

/** Keyed semaphore: at most `max` holders of each key at a time. */
export const createKeyedSemaphore = (max: number) => {
  const semaphores = new Map<string, Semaphore>()
  return {
    acquire: async (key: string): Promise<Release> => {
      const semaphore = semaphores.get(key) ?? createSemaphore(max)
      semaphores.set(key, semaphore)
      const release = await semaphore.acquire()
      return () => {
        release()
        if (semaphore.held === 0 && semaphores.get(key) === semaphore) semaphores.delete(key)
      }
    },
  }
}

/** Keyed mutex: one holder of each key at a time. */
export const createKeyedMutex = () => createKeyedSemaphore(1)

const SLICE_MS = 5
let sliceBegan: number | undefined

/**
 * Time slice of the event loop, shared by all loops over many: to be awaited before each round. It resolves in this turn
 * of the event loop as long as such loops have taken less than 5 ms of it, and in a later turn after that.
 */
export const timeSlice = async (): Promise<void> => {
  while (sliceBegan !== undefined && performance.now() - sliceBegan > SLICE_MS) await nextTurn()
  if (sliceBegan !== undefined) return
  sliceBegan = performance.now()
  void nextTurn().then(() => {
    sliceBegan = undefined
  })
}

/** How long jobs are started in a turn of the event loop. */
const ADMISSION_MS = 5

/**
 * Admission queue: starts at most `max` jobs in a turn of the event loop, and none after 5 ms of it. Where more come, they wait
 * in a queue, first in first out, of which each turn starts one: between two turns timers run, other connections are read and new
 * ones are accepted. Without it, what comes on thousands of connections at once, or on one that does not wait for its answers, is
 * all done before anything else is.
 */
export const createAdmissionQueue = (max: number): ((job: () => void) => void) => {
  const waiting: (() => void)[] = []
  let started = 0
  let begunAt = 0

  const start = (job: () => void): void => {
    if (started === 0) {
      begunAt = performance.now()
      setImmediate(beginTurn)
    }
    started += 1
    job()
  }

  const beginTurn = (): void => {
    started = 0
    const next = waiting.shift()
    if (next !== undefined) start(next)
  }

  const hasRoom = (): boolean =>
    started === 0 || (started < max && performance.now() - begunAt < ADMISSION_MS)

  return (job) => {
    if (waiting.length === 0 && hasRoom()) start(job)
    else waiting.push(job)
  }
}

/** Bounded wait: resolves when the work has ended, or after milliseconds of real time; the work goes on then. */
export const waitAtMost = async (ms: number, work: Promise<unknown>): Promise<void> => {
  await Promise.race([work, delay(ms, undefined, { ref: false })])
}

/** Idempotent function: it runs once, and later calls get the outcome of the first, a failure included. */
export const idempotent = <T>(run: () => Promise<T>): (() => Promise<T>) => {
  let running: Promise<T> | undefined
  return () => {
    running ??= run()
    return running
  }
}

/**
 * Memoization of an asynchronous load: later calls get what the first one loads. A failed load is forgotten, so that the next
 * call tries again.
 */
export const memoizeLoad = <T>(load: () => Promise<T>): (() => Promise<T>) => {
  let loaded: Promise<T> | undefined
  return () => {
    loaded ??= load().catch((error) => {
      loaded = undefined
      throw error
    })
    return loaded
  }
}

/**
 * Late import: a module that is loaded at its first use. Node keeps a failed import in its module cache, so that one which
 * fails for want of file handles would fail for ever. The import begins only where there are handles for it.
 */
export const lateImport = <T>(load: () => Promise<T>): (() => Promise<T>) =>
  memoizeLoad(async () => {
    ensureFileHandles()
    return load()
  })

/** Late import of Express or `send`, whose dependency depd asks for the working directory: begins only where there is one. */
export const lateImportInFolder = <T>(load: () => Promise<T>): (() => Promise<T>) =>
  lateImport(() => {
    process.cwd()
    return load()
  })

/** Files that may be open at the same time during an import. */
const IMPORTED_AT_ONCE = 24

// In one go, so that no other check takes the handles that this one looks for; it takes less than a millisecond.
const ensureFileHandles = (): void => {
  const opened: number[] = []
  try {
    while (opened.length < IMPORTED_AT_ONCE) opened.push(openSync(process.execPath, 'r'))
  } finally {
    for (const file of opened) closeSync(file)
  }
}
