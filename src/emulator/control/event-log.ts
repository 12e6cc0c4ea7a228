import { clearTimeout, setTimeout } from '../timers.js'

interface LoggedEvent {
  readonly account: string
  readonly text: string
}

/** Event log: a ring buffer of numbered events, from which streams are resumed and whose readers wait for the next append. */
export interface EventLog {
  /** The number of the latest event; 0: none has come. */
  readonly latest: number
  append(events: readonly LoggedEvent[]): void
  /** Drops all events: readers have to reload. */
  clear(): void
  /** Events after a number, in order, or undefined where some were evicted, or there is no event of this number. */
  after(number: number): readonly LoggedEvent[] | undefined
  /** Resolves with true once there is an event after this one, with false after the time or once the signal is aborted. */
  changed(after: number, timeoutMs: number, signal: AbortSignal): Promise<boolean>
}

/** Live events: what happens on accounts, appended to a log in batches that streams read. */
export interface LiveEvents {
  readonly log: Pick<EventLog, 'latest' | 'after' | 'changed'>
  readonly followers: number
  /** Follows the emulator from now on; returns a function that ends it, to be called once. */
  follow(): () => void
}

/** @param max how many events, and how many characters of all of them */
export const createEventLog = (max: { readonly entries: number; readonly characters: number }): EventLog => {
  const entries: LoggedEvent[] = []
  const waiting = new Set<() => void>()
  let latest = 0
  let characters = 0
  return {
    get latest() {
      return latest
    },
    append: (events) => {
      latest += events.length
      for (const event of events) {
        entries.push(event)
        characters += event.text.length
      }
      while (entries.length > max.entries || characters > max.characters)
        characters -= entries.shift()?.text.length ?? characters
      for (const wake of waiting) wake()
    },
    clear: () => {
      // A number for what was dropped: a reader that was up to date has missed it too.
      latest += 1
      entries.length = 0
      characters = 0
      for (const wake of waiting) wake()
    },
    after: (number) => {
      const first = latest - entries.length
      return number < first || number > latest ? undefined : entries.slice(number - first)
    },
    changed: (after, timeoutMs, signal) =>
      new Promise((resolve) => {
        const proceed = (): void => {
          clearTimeout(timer)
          waiting.delete(proceed)
          signal.removeEventListener('abort', proceed)
          resolve(latest !== after && !signal.aborted)
        }
        const timer = setTimeout(proceed, timeoutMs).unref()
        waiting.add(proceed)
        signal.addEventListener('abort', proceed)
        if (latest !== after || signal.aborted) proceed()
      }),
  }
}
