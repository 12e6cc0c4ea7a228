/** Result that several callers share: each has its own share, to be released. */
export interface Shared<T> {
  retain(): T
  release(): void
}

type Work<T> = (signal: AbortSignal) => Promise<T>

interface SharedWork<T> {
  readonly result: Promise<T>
  readonly controller: AbortController
  waiting: number
}

/** Single flight: a thing is made once however many callers ask for it, and the work is aborted when all have left. */
export class SingleFlight<T extends Shared<T>> {
  readonly #running = new Map<string, SharedWork<T>>()
  readonly #ending = new Set<Promise<unknown>>()

  /**
   * Joins the work of that name, or begins it. Each caller gets its own share of the result, to be released. Rejects with
   * the signal's reason when the caller leaves, and with the work's error when it fails.
   */
  async join(name: string, work: Work<T>, signal?: AbortSignal): Promise<T> {
    const shared = this.#running.get(name) ?? this.#begin(name, work)
    shared.waiting += 1
    try {
      const signals = [shared.controller.signal, ...(signal ? [signal] : [])]
      const result = await unlessAborted(shared.result, AbortSignal.any(signals))
      return result.retain()
    } finally {
      this.#leave(name, shared, signal?.reason ?? new Error('all callers have left'))
    }
  }

  /** Ends all of it with this reason, and waits until it has ended. */
  async end(reason: Error): Promise<void> {
    for (const { controller } of this.#running.values()) controller.abort(reason)
    await Promise.all(this.#ending)
  }

  #begin(name: string, work: Work<T>): SharedWork<T> {
    const controller = new AbortController()
    const result = work(controller.signal)
    const shared = { result, controller, waiting: 0 }
    this.#running.set(name, shared)
    const over = result
      .catch(() => undefined)
      .finally(() => {
        if (this.#running.get(name) === shared) this.#running.delete(name)
        this.#ending.delete(over)
      })
    this.#ending.add(over)
    return shared
  }

  #leave(name: string, shared: SharedWork<T>, reason: unknown): void {
    shared.waiting -= 1
    if (shared.waiting > 0) return
    // The next caller begins anew: this work is being aborted.
    if (this.#running.get(name) === shared) this.#running.delete(name)
    shared.controller.abort(reason)
    shared.result.then((result) => result.release()).catch(() => undefined)
  }
}

const unlessAborted = async <T>(work: Promise<T>, signal: AbortSignal): Promise<T> => {
  signal.throwIfAborted()
  return new Promise<T>((resolve, reject) => {
    const stop = () => reject(signal.reason)
    signal.addEventListener('abort', stop)
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop))
  })
}
