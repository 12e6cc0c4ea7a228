import type { Account } from '../../core/account/account.js'

/** An account with what was counted of it last. */
export interface Counted {
  readonly account: Account
  tasks: number
  /** Of its tasks. */
  bytes: number
  assets: number
  /** Callbacks in its log, and how many had to leave it. */
  logged: number
  evicted: number
  requests: number
  /** The number of its latest call among those of all accounts. */
  calledAt: number
  /** How many tasks, and how many entries of its agenda, are worth a look for those that nobody needs any more. */
  tasksToSweep: number
  agendaToSift: number
}

/** Below this many, looking for what can go is not worth it. */
export const FEW = 1_000

export const countedFrom = (account: Account, calledAt: number): Counted => ({
  account,
  tasks: 0,
  bytes: 0,
  assets: 0,
  logged: 0,
  evicted: account.callbacks.evicted,
  requests: account.requests,
  calledAt,
  // One that comes with many, out of a state file, has just been looked through.
  tasksToSweep: Math.max(FEW, 2 * account.tasks.size),
  agendaToSift: Math.max(FEW, 2 * account.agenda.size),
})

/** The accounts in an order: that with most, or longest ago, first. */
export const inOrderOf = (all: Iterable<Counted>, number: (counted: Counted) => number): Counted[] =>
  [...all].sort((one, other) => number(other) - number(one))

/** What goes at once: a share of a bound, so that one look through everything makes room for many. */
export const shareOf = (most: number): number => Math.ceil(most / 50)
