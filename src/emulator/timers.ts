import timers from 'node:timers'
import timersOfPromises from 'node:timers/promises'

/**
 * Node's timers, taken when the package is loaded: tests replace those of their process later, also in `node:timers`, and an
 * emulator in it must go on.
 */
export const { clearInterval, clearTimeout, setImmediate, setInterval, setTimeout } = timers

/** Those that return promises. */
export const { setImmediate: nextTurn, setTimeout: delay } = timersOfPromises

/** Calls back after milliseconds of real time; returns what cancels it. */
export type SetTimer = (callback: () => void, ms: number) => () => void

/** Timer that does not keep the process running. */
export const setUnrefTimer: SetTimer = (callback, ms) => {
  const timer = setTimeout(callback, ms).unref()
  return () => clearTimeout(timer)
}
