/** Work that is done once however many ask for it, and given up when nobody asks any more. */
export interface SingleFlight<T> {
  /**
   * Joins the work of that name, or begins it. `arrive` takes a caller's own share of the result before the work's share
   * is given back. Rejects with the signal's reason when the caller leaves, and with the work's error when it fails.
   */
  join(name: string, work: (signal: AbortSignal) => Promise<T>, signal?: AbortSignal): Promise<T>
  /** Ends all of it with this reason, and waits until it has ended. */
  end(reason: Error): Promise<void>
}

interface Flight<T> {
  readonly landed: Promise<T>
  readonly controller: AbortController
  waiting: number
}

/** A result that can be shared: each caller has its own share and gives it back. */
export interface Shared {
  again(): this
  release(): void
}

export const createSingleFlight = <T extends Shared>(): SingleFlight<T> => {
  const flights = new Map<string, Flight<T>>()
  const ending = new Set<Promise<unknown>>()
  const begin = (name: string, work: (signal: AbortSignal) => Promise<T>): Flight<T> => {
    const controller = new AbortController()
    const landed = work(controller.signal)
    const flight = { landed, controller, waiting: 0 }
    flights.set(name, flight)
    const over = landed
      .catch(() => undefined)
      .finally(() => {
        if (flights.get(name) === flight) flights.delete(name)
        ending.delete(over)
      })
    ending.add(over)
    return flight
  }
  const leave = (name: string, flight: Flight<T>, reason: unknown) => {
    flight.waiting -= 1
    if (flight.waiting > 0) return
    // Whoever comes now begins anew: this work is on its way to its end.
    if (flights.get(name) === flight) flights.delete(name)
    flight.controller.abort(reason)
    flight.landed.then((result) => result.release()).catch(() => undefined)
  }
  return {
    join: async (name, work, signal) => {
      const flight = flights.get(name) ?? begin(name, work)
      flight.waiting += 1
      try {
        const result = await unlessAborted(flight.landed, [
          flight.controller.signal,
          ...(signal ? [signal] : []),
        ])
        return result.again()
      } finally {
        leave(name, flight, signal?.reason ?? new Error('nobody waits any more'))
      }
    },
    end: async (reason) => {
      for (const { controller } of flights.values()) controller.abort(reason)
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
