/** Jobs wait in line, so that only so many run at once. */
export interface Queue {
  /** Runs a job when its turn comes; rejects at once where the line is full. An aborted job leaves the line and rejects with the signal's reason. */
  run<T>(job: () => Promise<T>, signal: AbortSignal): Promise<T>
  waiting(): number
  running(): number
}

export interface Line {
  /** How many may wait; left out, any number. */
  readonly most?: number
  /** What one more is turned away with. */
  readonly full?: () => Error
  /** Told how many wait, whenever one more does. */
  readonly onWait?: (waiting: number) => void
}

export const createQueue = (
  atOnce: number,
  { most = Number.POSITIVE_INFINITY, full = () => new Error('too many wait'), onWait }: Line = {},
): Queue => {
  const line = new Set<() => void>()
  let running = 0
  const turn = (signal: AbortSignal) =>
    new Promise<void>((resolve, reject) => {
      const leave = () => {
        line.delete(come)
        reject(signal.reason)
      }
      const come = () => {
        signal.removeEventListener('abort', leave)
        line.delete(come)
        running += 1
        resolve()
      }
      if (running < atOnce) return come()
      if (line.size >= most) return reject(full())
      line.add(come)
      onWait?.(line.size)
      signal.addEventListener('abort', leave)
    })
  const next = () => {
    running -= 1
    const [first] = line
    first?.()
  }
  return {
    run: async (job, signal) => {
      signal.throwIfAborted()
      await turn(signal)
      return job().finally(next)
    },
    waiting: () => line.size,
    running: () => running,
  }
}
