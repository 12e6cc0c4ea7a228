import type { Account } from '../account/account.js'
import type { Asset } from '../asset/asset.js'
import type { CallbackQueue } from '../callback/book.js'
import type { Callback } from '../callback/callback.js'
import type { Look, MatchTrace } from '../scenario/look.js'
import type { ScenarioRun } from '../scenario/playing.js'
import type { Scenario } from '../scenario/scenario.js'
import type { Task } from '../task/task.js'
import type { Instant } from '../time/timeline.js'
import type { StateRecord } from './record.js'

/** What the server is, whatever its accounts. */
export interface StoredServer {
  readonly seed: number
  /** What signs result URLs. */
  readonly secret: string
  /** The names of the scenarios that the settings gave to every account. */
  readonly given: readonly string[]
}

/** How a scenario stands with an account; the scenario itself is a record of its own, named here. */
export interface StoredRun extends Omit<ScenarioRun, 'scenario' | 'latest'> {
  readonly scenario: string
  readonly latest: Readonly<Record<string, StoredLook>>
}

/** A look is alone there, and shares nothing. */
export type StoredLook = Omit<MatchTrace, 'scenario'> & Pick<Look, 'elapsed'>

/** What is kept of an account elsewhere, or made again when it is read. */
export type Elsewhere =
  | 'key'
  | 'tag'
  | 'tasks'
  | 'taskBytes'
  | 'open'
  | 'assets'
  | 'jobs'
  | 'agenda'
  | 'callbacks'
  | 'playing'

/** An account without what it holds. */
export interface StoredHead extends Readonly<Omit<Account, Elsewhere>> {
  /** Up to where everything due had happened when this was written. */
  readonly settledTo: Instant
  readonly callbacksEvicted: number
  readonly playing: readonly StoredRun[]
}

/** The task is left out where it is the one that the account has under this id. */
export type StoredCallback = Omit<Callback, 'task'> & { readonly task?: Task }

export interface StoredQueue extends Readonly<Omit<CallbackQueue, 'waiting' | 'held' | 'guest'>> {
  readonly waiting: readonly StoredCallback[]
  readonly held: readonly StoredCallback[]
  readonly guest?: StoredRun
}

/** An account as it was written down. Maps are in the order in which things came about. */
export interface StoredAccount {
  head: StoredHead | undefined
  readonly task: Map<string, Task>
  readonly next: Map<string, number>
  readonly asset: Map<string, Asset>
  readonly correspondence: Map<string, StoredQueue>
  readonly callback: Map<string, StoredCallback>
}

/** Everything that was written down, each record met by its schema. */
export interface StoredState {
  server: StoredServer | undefined
  readonly scenarios: Map<string, Scenario>
  readonly accounts: Map<string, StoredAccount>
}

export const nothingSaved = (): StoredState => ({
  server: undefined,
  scenarios: new Map(),
  accounts: new Map(),
})

/** Lets a record take its place; its value is one that its schema gave, or null. */
export const take = (state: StoredState, [kind, key, id, value]: StateRecord): void => {
  if (kind === 'server') state.server = (value ?? undefined) as StoredServer | undefined
  else if (kind === 'scenario') put(state.scenarios, id, value)
  else if (kind !== 'account') put(accountIn(state, key)[kind], id, value)
  else if (value === null) state.accounts.delete(key)
  else accountIn(state, key).head = value as StoredHead
}

// The schema of its kind has made the value what the map holds.
const put = (map: Map<string, unknown>, id: string, value: unknown): void => {
  if (value === null) map.delete(id)
  else map.set(id, value)
}

const accountIn = ({ accounts }: StoredState, key: string): StoredAccount => {
  const known = accounts.get(key)
  if (known !== undefined) return known
  const fresh: StoredAccount = {
    head: undefined,
    task: new Map(),
    next: new Map(),
    asset: new Map(),
    correspondence: new Map(),
    callback: new Map(),
  }
  accounts.set(key, fresh)
  return fresh
}
