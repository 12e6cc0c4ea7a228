/** Observable value: holds a value and calls its listeners when it changes; `signals.ts` makes a signal of it. */
export interface Observable<T> {
  get(): T
  /** Calls the listener after each change. @returns a function that ends the subscription */
  subscribe(listener: () => void): () => void
}

/** Observable variable: setting the value that it has already calls no listener. */
export const createValue = <T>(initial: T) => {
  const listeners = new Set<() => void>()
  let value = initial
  return {
    get: () => value,
    set: (next: T): void => {
      if (Object.is(next, value)) return
      value = next
      for (const listener of [...listeners]) listener()
    },
    subscribe: (listener: () => void) => {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
  }
}
