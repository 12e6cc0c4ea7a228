/**
 * Lets one at a time do something for a name, in the order in which they came. Resolves when the turn has come, with
 * what ends it.
 */
type KeyedMutex = (name: string) => Promise<() => void>

export const createKeyedMutex = (): KeyedMutex => {
  const last = new Map<string, Promise<void>>()
  return async (name) => {
    const before = last.get(name)
    let end = () => {}
    const mine = new Promise<void>((resolve) => {
      end = () => {
        if (last.get(name) === mine) last.delete(name)
        resolve()
      }
    })
    last.set(name, mine)
    await before
    return end
  }
}

/** Places of which a receiver has a limited number: whoever comes when all are taken waits, first come first served. */
interface KeyedSemaphore {
  /** Resolves when there is a place; every place that is taken is to be given back. */
  take(name: string): Promise<void>
  give(name: string): void
  taken(name: string): number
}

/** `onFull` is told of everybody who has to wait. */
export const createKeyedSemaphore = (most: number, onFull = () => {}): KeyedSemaphore => {
  const queues = new Map<string, { taken: number; readonly waiting: (() => void)[] }>()
  return {
    take: async (name) => {
      const queue = queues.get(name) ?? { taken: 0, waiting: [] }
      queues.set(name, queue)
      if (queue.taken >= most) {
        onFull()
        return new Promise((resolve) => queue.waiting.push(resolve))
      }
      queue.taken += 1
    },
    give: (name) => {
      const queue = queues.get(name)
      const next = queue?.waiting.shift()
      if (queue === undefined) return
      if (next !== undefined) return next()
      queue.taken -= 1
      if (queue.taken === 0) queues.delete(name)
    },
    taken: (name) => queues.get(name)?.taken ?? 0,
  }
}
