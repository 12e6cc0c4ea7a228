import { hash } from 'node:crypto'
import { type CallbackBook, createBook } from '../callback/book.js'
import type { Limits, Settings } from '../settings.js'
import type { Task } from '../task/task.js'
import type { ClockState } from '../time/clock.js'
import type { Instant } from '../time/timeline.js'
import { type Agenda, createAgenda } from './agenda.js'
import { termsOf } from './terms.js'

/** A namespace: everything that belongs to one API key, and to nobody else. */
export interface Account {
  readonly key: string
  /** What stands for the key where it must not be shown: in result URLs, ids and listings. */
  readonly tag: string
  clock: ClockState
  /** Accepted creates and uploads so far (defaults Z19). */
  ordinal: number
  /** Calls so far; request ids come from it. */
  requests: number
  /** Paid in, in the account's currency; the balance is this less what was spent. */
  credit: number
  spent: number
  agreementAccepted: boolean
  limits: Limits
  readonly tasks: Map<string, Task>
  /** Which moment comes next, for tasks whose life is not over. */
  readonly open: Map<string, number>
  readonly agenda: Agenda
  /** When creates were accepted in the last minute. */
  readonly recentCreates: Instant[]
  imagesMade: number
  readonly callbacks: CallbackBook
}

/** A new account as its key and the settings have it. */
export const openAccount = (key: string, settings: Settings, clock: ClockState): Account => ({
  key,
  tag: tagOf(key),
  clock,
  ordinal: 0,
  requests: 0,
  spent: 0,
  ...openingTerms(key, settings),
  tasks: new Map(),
  open: new Map(),
  agenda: createAgenda(),
  recentCreates: [],
  imagesMade: 0,
  callbacks: createBook(settings.callbackLogEntries),
})

const openingTerms = (key: string, settings: Settings) => {
  const { balance, agreementAccepted, limits } = termsOf(key, settings)
  return { credit: balance, agreementAccepted, limits }
}

export const balanceOf = (account: Readonly<Account>): number => account.credit - account.spent

/** Twelve hex digits that follow from the key and do not lead back to it. */
export const tagOf = (key: string): string => hash('sha256', `account|${key}`, 'hex').slice(0, 12)

/** The key of calls that carry none: control calls, and calls that are refused for it. */
export const DEFAULT_KEY = 'default'
