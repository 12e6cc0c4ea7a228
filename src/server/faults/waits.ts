import type { ServerResponse } from 'node:http'

/** Calls back after milliseconds of real time, unless it is called off. */
export type SetTimer = (ring: () => void, ms: number) => () => void

const realTimer: SetTimer = (ring, ms) => {
  const timer = setTimeout(ring, ms)
  return () => clearTimeout(timer)
}

/** The time that faults take. None of it outlasts the client that waits, or the emulator. */
export interface Delays {
  /** Resolves after so long with true; with false as soon as the client goes or the emulator stops. */
  pass(ms: number, response: ServerResponse): Promise<boolean>
  /** Resolves when the client goes or the emulator stops. */
  forEver(response: ServerResponse): Promise<void>
  /** How many are under way. */
  readonly count: number
  stop(): void
}

export const createDelays = (setTimer: SetTimer = realTimer): Delays => {
  const endings = new Set<() => void>()
  let isStopped = false

  const wait = (ms: number, response: ServerResponse): Promise<boolean> =>
    new Promise((resolve) => {
      if (isStopped || response.destroyed) return resolve(false)
      const end = (isOver: boolean) => {
        callOff()
        response.off('close', breakOff)
        endings.delete(breakOff)
        resolve(isOver)
      }
      const breakOff = () => end(false)
      const callOff = Number.isFinite(ms) ? setTimer(() => end(true), ms) : () => {}
      endings.add(breakOff)
      response.once('close', breakOff)
    })

  return {
    pass: wait,
    forEver: async (response) => void (await wait(Number.POSITIVE_INFINITY, response)),
    get count() {
      return endings.size
    },
    stop: () => {
      isStopped = true
      for (const end of [...endings]) end()
    },
  }
}
