import cluster from 'node:cluster'
import { constants } from 'node:os'

// GNU timeout signals its child and then the group of both, npm passes on what the terminal has sent to all, and of a terminal
// that closes the shell and the system tell.
const REPEATED_WITHIN_MS = 100

/**
 * Signal handler: calls back at the first of these signals. A second one ends the process at once, unless it repeats the first,
 * or `mayEnd` says no. Returns what removes the handler.
 */
export const onFirstSignal = (
  names: readonly NodeJS.Signals[],
  stop: (signal: NodeJS.Signals) => void,
  source: NodeJS.EventEmitter = process,
  mayEnd = () => true,
): (() => void) => {
  let first: { readonly signal: NodeJS.Signals; readonly at: number } | undefined
  const onSignal = (signal: NodeJS.Signals) => {
    if (first === undefined) {
      first = { signal, at: performance.now() }
      return stop(signal)
    }
    const isRepeated = signal === first.signal && performance.now() - first.at < REPEATED_WITHIN_MS
    // One of several processes gets a signal from the terminal and from the one that started it.
    if (!isRepeated && cluster.isPrimary && mayEnd()) process.exit(exitCodeOfSignal(signal))
  }
  for (const name of names) source.on(name, onSignal)
  return () => {
    for (const name of names) source.off(name, onSignal)
  }
}

/** Exit code of shells for a process that a signal has ended: 128 and the signal's number. */
export const exitCodeOfSignal = (signal: NodeJS.Signals): number => 128 + constants.signals[signal]
