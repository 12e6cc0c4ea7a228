import type { z } from 'zod'
import type { Asset } from '../../core/asset.js'
import type { Account, Callback, CallbackQueue, ScenarioRun } from '../../core/model/account.js'
import type { Task } from '../../core/model/task.js'
import type { Instant } from '../../core/schedule/time.js'
import type { Batch } from './port.js'
import type { recordSchemas } from './schemas.js'

/** Version of stored records. Version 1 had one file without a log; `read-record.ts` converts its records. */
export const STATE_VERSION = 2

type Kind = keyof typeof recordSchemas
type Value<K extends Kind> = z.output<(typeof recordSchemas)[K]>

/**
 * Stored record: its kind, the key of its account (empty: it is the emulator's), its id (empty: there is one) and its
 * value; null: it is gone. The last record of a kind, account and id holds. A record that removes an account removes all
 * that was written of it before.
 */
export type StateRecord = readonly [kind: Kind, account: string, id: string, value: unknown]

/**
 * Type-level assertion that records and schemas match. A field that a record of the core gains and its schema lacks would
 * make a file that cannot be read again; here it does not compile, and the message has the kind of the record.
 */
export type AssertSchemasMatchRecords = None<
  {
    [K in keyof Pairs]: IsSame<Pairs[K][0], Pairs[K][1]> extends true ? never : K
  }[keyof Pairs]
>

interface Pairs {
  server: [StoredServer, Value<'server'>]
  task: [Omit<Task, 'params'>, Omit<Value<'task'>, 'params'>]
  asset: [Asset, Value<'asset'>]
  callback: [Omit<StoredCallback, 'task'>, Omit<Value<'callback'>, 'task'>]
  correspondence: [Omit<StoredQueue, 'waiting' | 'held'>, Omit<Value<'correspondence'>, 'waiting' | 'held'>]
  account: [StoredHead, Value<'account'>]
  accountItself: [
    Omit<Account, Elsewhere>,
    Omit<StoredHead, 'ordinal' | 'settledTo' | 'callbacksEvicted' | 'playing'>,
  ]
  playing: [StoredRun, Value<'account'>['playing'][number]]
}

type None<T extends never> = T

type IsSame<A, B> = [Plain<A>] extends [Plain<B>] ? ([Plain<B>] extends [Plain<A>] ? true : false) : false

type Plain<T> = unknown extends T ? T : { -readonly [K in keyof T]-?: Plain<Exclude<T[K], undefined>> }

/** The emulator itself, apart from its accounts. */
export interface StoredServer {
  readonly seed: number
  /** What signs result URLs. */
  readonly secret: string
  /** Names of the scenarios that the settings gave to every account. */
  readonly given: readonly string[]
}

/** Stored run of a scenario, with the id of the scenario's own record. */
export interface StoredRun extends Omit<ScenarioRun, 'scenario'> {
  readonly scenario: string
}

// Stored elsewhere or by another name, or made again when an account is read.
type Elsewhere =
  | 'key'
  | 'id'
  | 'sequence'
  | 'tasks'
  | 'assets'
  | 'jobs'
  | 'schedule'
  | 'callbacks'
  | 'playing'

/** Stored account without its collections. */
export interface StoredHead extends Readonly<Omit<Account, Elsewhere>> {
  /** `sequence` of the account. */
  readonly ordinal: number
  /** Up to where everything due had happened when this was written. */
  readonly settledTo: Instant
  readonly callbacksEvicted: number
  readonly playing: readonly StoredRun[]
}

/** Stored callback; `task` is undefined where it is the one that the account has under this id. */
export type StoredCallback = Omit<Callback, 'task'> & { readonly task?: Task }

/** Stored queue of callbacks. */
export interface StoredQueue
  extends Readonly<Omit<CallbackQueue, 'verification' | 'waiting' | 'held' | 'requestRun'>> {
  /** `verification` of the queue. */
  readonly way: CallbackQueue['verification']
  readonly waiting: readonly StoredCallback[]
  readonly held: readonly StoredCallback[]
  readonly requestRun?: StoredRun
}

/** Stored account. The order of the maps is the order of creation. */
export interface StoredAccount {
  head: StoredHead | undefined
  readonly task: Map<string, Task>
  readonly next: Map<string, number>
  readonly asset: Map<string, Asset>
  readonly correspondence: Map<string, StoredQueue>
  readonly callback: Map<string, StoredCallback>
}

/** Stored state: what the records say together. */
export interface StoredState {
  server: StoredServer | undefined
  /** Documents of scenarios by id. */
  readonly scenarios: Map<string, unknown>
  readonly accounts: Map<string, StoredAccount>
}

/** State without accounts: that of a new file. */
export const emptyState = (): StoredState => ({
  server: undefined,
  scenarios: new Map(),
  accounts: new Map(),
})

/** Applies a record, whose value has met its schema, to a state. */
export const applyRecord = (state: StoredState, [kind, key, id, value]: StateRecord): void => {
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

/** Records of a batch of one account. */
export const recordsFor = (key: string, batch: Batch): StateRecord[] =>
  batch.map(([kind, id, value]) => [kind, kind === 'scenario' ? '' : key, id, value])

const collections = ['task', 'next', 'asset', 'correspondence', 'callback'] as const

/** Records of a state, for a snapshot: those that hold, and the scenarios that run. */
export function* recordsOf({ server, scenarios, accounts }: StoredState): Generator<StateRecord> {
  if (server !== undefined) yield ['server', '', '', server]
  for (const id of runningIn(accounts.values())) {
    const document = scenarios.get(id)
    if (document !== undefined) yield ['scenario', '', id, document]
  }
  for (const [key, account] of accounts) {
    if (account.head !== undefined) yield ['account', key, '', account.head]
    for (const kind of collections) for (const [id, value] of account[kind]) yield [kind, key, id, value]
  }
}

const runningIn = (accounts: Iterable<StoredAccount>): Set<string> => {
  const ids = new Set<string>()
  for (const { head, correspondence } of accounts) {
    for (const { scenario } of head?.playing ?? []) ids.add(scenario)
    for (const { requestRun } of correspondence.values())
      if (requestRun !== undefined) ids.add(requestRun.scenario)
  }
  return ids
}
