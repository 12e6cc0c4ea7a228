/** Jobs wait in line, so that only so many run at once. */
export interface Queue {
  /** Runs a job when its turn comes. An aborted job leaves the line and rejects with the signal's reason. */
  run<T>(job: () => Promise<T>, signal: AbortSignal): Promise<T>
  waiting(): number
  running(): number
}

export const createQueue = (atOnce: number): Queue => {
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
      line.add(come)
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
