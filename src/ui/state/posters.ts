/** A poster to load: the picture that stands for a result. */
export interface PosterRef {
  readonly task: string
  /** From 0, among the results of the task. */
  readonly index: number
  /** What tells it from another result of the same ids: an account that begins anew gives them again. */
  readonly stamp: string
}

/** State of a poster: its object URL, or why there is none. Both undefined: it is being loaded. */
export interface LoadedPoster {
  readonly url?: string
  readonly error?: unknown
}

interface PostersParts {
  /** @returns the object URL of a poster. */
  readonly load: (ref: PosterRef) => Promise<string>
  readonly revoke: (url: string) => void
  /** Object URLs that are kept; default: 200. */
  readonly maxKept?: number
  /** Posters that are loaded at once, so that a page that lists many delays no download of a client for long; default: 2. */
  readonly maxAtOnce?: number
}

interface Job {
  readonly ref: PosterRef
  readonly listeners: Set<(loaded: LoadedPoster) => void>
}

/**
 * LRU cache of posters with a queue of loads. The one that was asked for last is loaded first, since it is in sight; one
 * that nothing shows any more is not loaded.
 */
export const createPosters = ({ load, revoke, maxKept = 200, maxAtOnce = 2 }: PostersParts) => {
  // In the order of their last use.
  const kept = new Map<string, string>()
  const waiting = new Map<string, Job>()
  const loading = new Map<string, Job>()

  const keep = (name: string, url: string): void => {
    kept.delete(name)
    kept.set(name, url)
    for (const [oldest, oldUrl] of kept) {
      if (kept.size <= maxKept) break
      kept.delete(oldest)
      revoke(oldUrl)
    }
  }
  const loadNext = (): void => {
    const name = [...waiting.keys()].at(-1)
    const job = name === undefined ? undefined : waiting.get(name)
    if (name === undefined || job === undefined || loading.size >= maxAtOnce) return
    waiting.delete(name)
    loading.set(name, job)
    const end = (loaded: LoadedPoster): void => {
      loading.delete(name)
      if (loaded.url !== undefined) keep(name, loaded.url)
      for (const listener of job.listeners) listener(loaded)
      loadNext()
    }
    load(job.ref).then(
      (url) => end({ url }),
      (error: unknown) => end({ error }),
    )
  }

  return {
    /** Calls the listener with the poster, at once where it is kept. @returns a function that ends the interest in it */
    want: (ref: PosterRef, listener: (loaded: LoadedPoster) => void): (() => void) => {
      const name = `${ref.task} ${ref.index} ${ref.stamp}`
      const url = kept.get(name)
      if (url !== undefined) {
        keep(name, url)
        listener({ url })
        return () => undefined
      }
      const job = loading.get(name) ?? waiting.get(name) ?? { ref, listeners: new Set() }
      job.listeners.add(listener)
      if (!loading.has(name)) waiting.set(name, job)
      loadNext()
      return () => {
        job.listeners.delete(listener)
        if (job.listeners.size === 0) waiting.delete(name)
      }
    },
  }
}
