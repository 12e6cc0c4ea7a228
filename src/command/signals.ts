import cluster from 'node:cluster'
import { constants } from 'node:os'

// GNU timeout signals its child and then the group of both, npm passes on what the terminal has sent to all, and of a terminal
// that closes the shell and the system tell.
const REPEATED_WITHIN_MS = 100

/**
 * Signal handler: calls back at the first of these signals. A later one ends the process at once, unless it repeats the one
 * before, or `mayEnd` says no. Returns what removes the handler.
 */
export const onFirstSignal = (
  names: readonly NodeJS.Signals[],
  stop: (signal: NodeJS.Signals) => void,
  source: NodeJS.EventEmitter = process,
  mayEnd = () => true,
): (() => void) => {
  let last: { readonly signal: NodeJS.Signals; readonly at: number } | undefined
  const onSignal = (signal: NodeJS.Signals) => {
    const at = performance.now()
    const isRepeated = signal === last?.signal && at - last.at < REPEATED_WITHIN_MS
    if (isRepeated) return
    const isFirst = last === undefined
    last = { signal, at }
    if (isFirst) stop(signal)
    // One of several processes gets a signal from the terminal and from the one that started it.
    else if (cluster.isPrimary && mayEnd()) process.exit(exitCodeOfSignal(signal))
  }
  for (const name of names) source.on(name, onSignal)
  return () => {
    for (const name of names) source.off(name, onSignal)
  }
}

/** Exit code of shells for a process that a signal has ended: 128 and the signal's number. */
export const exitCodeOfSignal = (signal: NodeJS.Signals): number => 128 + constants.signals[signal]
