import type { Launched } from './launcher.js'

/** The programs that a shell has been told to start, and what it says of them. */
export interface Jobs {
  begin(): { readonly number: number; readonly launched: Promise<Launched> }
  /** A line of the shell: `3 began 4711`, `3 ended 0`. */
  told(line: string): void
  /** The shell has ended: so do they. */
  end(reason: Error): void
}

interface Job {
  /** Its process; undefined until it has begun. */
  process: number | undefined
  readonly began: Deferred<Launched>
  readonly ended: Deferred<number>
}

export const createJobs = (on: { readonly onFirst: () => void; readonly onNone: () => void }): Jobs => {
  const jobs = new Map<number, Job>()
  let latest = 0

  const forget = (number: number): void => {
    jobs.delete(number)
    if (jobs.size === 0) on.onNone()
  }

  const kill = (number: number): void => {
    const { process: started } = jobs.get(number) ?? {}
    if (started === undefined) return
    try {
      process.kill(started, 'SIGKILL')
    } catch {
      // It has ended meanwhile.
    }
  }

  return {
    begin: () => {
      latest += 1
      if (jobs.size === 0) on.onFirst()
      const job: Job = { process: undefined, began: deferred(), ended: deferred() }
      jobs.set(latest, job)
      return { number: latest, launched: job.began.promise }
    },
    told: (line) => {
      const [name, what, value] = line.split(' ')
      const number = Number(name)
      const job = jobs.get(number)
      if (job === undefined) return
      if (what === 'began') {
        job.process = Number(value)
        job.began.resolve({ ended: job.ended.promise, kill: () => kill(number) })
      } else {
        forget(number)
        job.ended.resolve(Number(value))
      }
    },
    end: (reason) => {
      for (const [number, job] of jobs) {
        kill(number)
        forget(number)
        job.began.reject(reason)
        job.ended.reject(reason)
      }
    },
  }
}

interface Deferred<T> {
  readonly promise: Promise<T>
  resolve(value: T): void
  reject(reason: Error): void
}

const deferred = <T>(): Deferred<T> => {
  let [resolve, reject]: [Deferred<T>['resolve'], Deferred<T>['reject']] = [() => {}, () => {}]
  const promise = new Promise<T>((...both) => {
    ;[resolve, reject] = both
  })
  // One that nobody waits for any more is nobody's trouble.
  promise.catch(() => {})
  return { promise, resolve, reject }
}
