import { initialAccount } from '../account/account.js'
import { accountIdOf } from '../account/credentials.js'
import { type CallbackLog, createCallbackLog } from '../callback/queue.js'
import type { Scenario } from '../scenario/schema.js'
import type { ClockState } from '../schedule/clock.js'
import { createSchedule, type Schedule } from '../schedule/schedule.js'
import type { Instant } from '../schedule/timeline.js'
import type { Limits, Settings } from '../settings.js'
import type { Asset } from './asset.js'
import { beginRun, type ScenarioRun } from './scenario-run.js'
import type { Task } from './task.js'

/** A namespace: everything that belongs to one API key, and to nobody else. */
export interface Account {
  readonly key: string
  /** What stands for the key where it must not be shown: in result URLs, ids and listings. */
  readonly tag: string
  clock: ClockState
  /** Accepted creates and uploads so far (gap Z19). */
  ordinal: number
  /** Calls so far; request ids come from it. */
  requests: number
  /** Paid in, in the account's currency; the balance is this less what was spent. */
  credit: number
  spent: number
  agreementAccepted: boolean
  limits: Limits
  readonly tasks: Map<string, Task>
  /** About how many bytes of memory they take. */
  taskBytes: number
  /** Which moment comes next, for tasks whose life is not over. */
  readonly open: Map<string, number>
  readonly assets: Map<string, Asset>
  /** The id of the asset that an upload's job stands for, by the id of the job. */
  readonly jobs: Map<string, string>
  readonly agenda: Schedule
  /** When creates were accepted in the last minute. */
  readonly recentCreates: Instant[]
  imagesMade: number
  readonly callbacks: CallbackLog
  /** The scenarios that play, the first to be asked first. */
  playing: readonly ScenarioRun[]
}

/** A new account as its key and the settings have it; `scenarios` are those that play for everybody. */
export const openAccount = (
  key: string,
  settings: Settings,
  clock: ClockState,
  scenarios: readonly Scenario[] = [],
): Account => ({
  key,
  tag: accountIdOf(key),
  clock,
  ordinal: 0,
  requests: 0,
  spent: 0,
  ...openingTerms(key, settings),
  tasks: new Map(),
  taskBytes: 0,
  open: new Map(),
  assets: new Map(),
  jobs: new Map(),
  agenda: createSchedule(),
  recentCreates: [],
  imagesMade: 0,
  callbacks: createCallbackLog(settings.callbackLogEntries),
  playing: scenarios.map((scenario) => beginRun(scenario, settings.seed, clock.now)),
})

const openingTerms = (key: string, settings: Settings) => {
  const { balance, agreementAccepted, limits } = initialAccount(key, settings)
  return { credit: balance, agreementAccepted, limits }
}

/** What is left, to a billionth: ten times 0.1 is 1 to people, and an account that has spent all it had has 0. */
export const balanceOf = ({ credit, spent }: Readonly<Account>): number => toBillionth(credit - spent)

/** What was spent, to a billionth as the balance beside it. */
export const spentOf = ({ spent }: Readonly<Account>): number => toBillionth(spent)

const toBillionth = (sum: number): number => Number(sum.toFixed(9)) || 0

export { accountIdOf }

/** The key of calls that carry none: control calls, and calls that are refused for it. */
export const DEFAULT_KEY = 'default'
