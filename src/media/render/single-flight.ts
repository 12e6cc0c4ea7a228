/** Single shared: work is done once however many ask for it, and aborted when all of them have left. */
interface SingleFlight<T> {
  /**
   * Joins the work of that name, or begins it. `arrive` takes a caller's own share of the result before the work's share
   * is given back. Rejects with the signal's reason when the caller leaves, and with the work's error when it fails.
   */
  join(name: string, work: (signal: AbortSignal) => Promise<T>, signal?: AbortSignal): Promise<T>
  /** Ends all of it with this reason, and waits until it has ended. */
  end(reason: Error): Promise<void>
}

interface SharedWork<T> {
  readonly result: Promise<T>
  readonly controller: AbortController
  waiting: number
}

/** A result that can be shared: each caller has its own share and gives it back. */
interface Shared {
  retain(): this
  release(): void
}

export const createSingleFlight = <T extends Shared>(): SingleFlight<T> => {
  const running = new Map<string, SharedWork<T>>()
  const ending = new Set<Promise<unknown>>()
  const begin = (name: string, work: (signal: AbortSignal) => Promise<T>): SharedWork<T> => {
    const controller = new AbortController()
    const result = work(controller.signal)
    const shared = { result, controller, waiting: 0 }
    running.set(name, shared)
    const over = result
      .catch(() => undefined)
      .finally(() => {
        if (running.get(name) === shared) running.delete(name)
        ending.delete(over)
      })
    ending.add(over)
    return shared
  }
  const leave = (name: string, shared: SharedWork<T>, reason: unknown) => {
    shared.waiting -= 1
    if (shared.waiting > 0) return
    // The next caller begins anew: this work is being aborted.
    if (running.get(name) === shared) running.delete(name)
    shared.controller.abort(reason)
    shared.result.then((result) => result.release()).catch(() => undefined)
  }
  return {
    join: async (name, work, signal) => {
      const shared = running.get(name) ?? begin(name, work)
      shared.waiting += 1
      try {
        const result = await unlessAborted(shared.result, [
          shared.controller.signal,
          ...(signal ? [signal] : []),
        ])
        return result.retain()
      } finally {
        leave(name, shared, signal?.reason ?? new Error('all callers have left'))
      }
    },
    end: async (reason) => {
      for (const { controller } of running.values()) controller.abort(reason)
      await Promise.all(ending)
    },
  }
}

const unlessAborted = async <T>(work: Promise<T>, signals: readonly AbortSignal[]): Promise<T> => {
  const any = AbortSignal.any([...signals])
  any.throwIfAborted()
  return new Promise<T>((resolve, reject) => {
    const stop = () => reject(any.reason)
    any.addEventListener('abort', stop)
    work.then(resolve, reject).finally(() => any.removeEventListener('abort', stop))
  })
}
