import type { ScenarioRun } from '../scenario/playing.js'
import type { Instant } from '../time/timeline.js'
import type { Callback } from './callback.js'

/** All that one task has to report, in order. Plain data. */
export interface CallbackQueue {
  readonly taskId: string
  /** `closed`: the challenge failed, so that nothing is sent (gap F9). */
  way: 'challenged' | 'open' | 'closed'
  /** Why the way is closed, in a sentence; left out where the challenge was not answered as it must be. */
  closedFor?: string
  /** What is still to be sent, the first in turn first. */
  waiting: Callback[]
  /** What a scenario has overtaken by the next one of the task. */
  held: Callback[]
  /** The scenario that the create was called with, and that plays for this task alone; left out where there is none. */
  readonly guest?: ScenarioRun
  /** When the first in turn is to be sent; null while it is on its way, and where nothing waits. */
  dueAt: Instant | null
  /** The number of the agenda entry that holds; those before it do not any more. */
  entry: number
  /** Whether the task has ended, so that nothing more will come. */
  isOver: boolean
}

/** The callbacks of an account: what is under way, by task, and the log. */
export interface CallbackLog {
  readonly correspondences: Map<string, CallbackQueue>
  /** By id, oldest first, at most `most`. */
  readonly log: Map<string, Callback>
  readonly most: number
  /** How many had to go to keep the bound. */
  evicted: number
}

export const createCallbackLog = (most: number): CallbackLog => ({
  correspondences: new Map(),
  log: new Map(),
  most,
  evicted: 0,
})

/**
 * Writes a new callback into the log. Where there is no room the oldest goes that has met its fate, or the oldest where
 * none has for long; one that still waits is sent all the same.
 */
export const enter = (book: CallbackLog, callback: Callback): void => {
  if (book.log.size >= book.most) {
    book.log.delete(leaverOf(book.log) ?? '')
    book.evicted += 1
  }
  book.log.set(callback.id, callback)
}

// Where very many wait, looking through all of them each time would hold everybody up.
const MOST_LOOKS = 100

const leaverOf = (log: ReadonlyMap<string, Callback>): string | undefined => {
  let oldest: string | undefined
  let looks = 0
  for (const [id, { state }] of log) {
    if (state !== 'waiting') return id
    oldest ??= id
    looks += 1
    if (looks === MOST_LOOKS) break
  }
  return oldest
}

/** Writes what became of a callback, where it still stands in the log. */
export const update = (book: CallbackLog, callback: Callback): void => {
  if (book.log.has(callback.id)) book.log.set(callback.id, callback)
}
