import { constants } from 'node:os'

const STOPPING = ['SIGINT', 'SIGTERM'] as const

/** Resolves at the first signal to stop. A second one ends the process at once. */
export const firstSignal = (): Promise<NodeJS.Signals> =>
  new Promise((resolve) => {
    let isSecond = false
    const heard = (signal: NodeJS.Signals) => {
      if (isSecond) process.exit(exitCodeOfSignal(signal))
      isSecond = true
      resolve(signal)
    }
    for (const signal of STOPPING) process.on(signal, heard)
  })

/** What shells answer for a process that a signal has ended: 128 and the signal's number. */
export const exitCodeOfSignal = (signal: NodeJS.Signals): number => 128 + constants.signals[signal]
