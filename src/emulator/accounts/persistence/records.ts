import type { z } from 'zod'
import type { Asset } from '../../core/asset.js'
import type { Account, Callback, CallbackQueue, ScenarioRun } from '../../core/model/account.js'
import type { Task } from '../../core/model/task.js'
import type { ScenarioInput } from '../../core/scenario/schema.js'
import type { Instant } from '../../core/schedule/time.js'
import type { recordSchemas } from './schemas.js'

/** Version of stored records, in an exported state. `read-record.ts` converts those of version 1. */
export const STATE_VERSION = 2

/** Values of stored records, by kind. */
interface RecordValues {
  server: StoredServer
  /** The document of a scenario; its id is a hash of that. */
  scenario: ScenarioInput
  account: StoredHead
  task: Task
  /** Index of the moment of a task's timeline that comes next; no record: it has ended. */
  next: number
  asset: Asset
  correspondence: StoredQueue
  callback: StoredCallback
}

type Kind = keyof RecordValues

/**
 * Stored record: its kind, the key of its account (empty: it is the emulator's), its id (empty: there is one) and its
 * value; null: it is gone. The last record of a kind, account and id holds. A record that removes an account removes all
 * that was written of it before.
 */
export type StateRecord = {
  [K in Kind]: readonly [kind: K, account: string, id: string, value: RecordValues[K] | null]
}[Kind]

/**
 * Change record of one account, or of a scenario, which all accounts share: its kind, its id and its value. Plain JSON that
 * is never mutated after it was handed out, so that a writer may serialise it later.
 */
export type ChangeRecord = {
  [K in Exclude<Kind, 'server'>]: readonly [kind: K, id: string, value: RecordValues[K] | null]
}[Exclude<Kind, 'server'>]

/** Batch: everything that one transaction changed in one account. */
export type Batch = readonly ChangeRecord[]

/**
 * Type-level assertion that records and schemas match. A field that a record of the core gains and its schema lacks would
 * make a file that cannot be read again; here it does not compile, and the message has the kind of the record.
 */
export type AssertSchemasMatchRecords = None<
  { [K in Kind]: IsSame<RecordValues[K], z.input<(typeof recordSchemas)[K]>> extends true ? never : K }[Kind]
>

type None<T extends never> = T

type IsSame<A, B> = [Plain<A>] extends [Plain<B>] ? ([Plain<B>] extends [Plain<A>] ? true : false) : false

// The params of a task have a schema in its family.
type Plain<T> = unknown extends T
  ? T
  : { -readonly [K in keyof T]-?: K extends 'params' ? unknown : Plain<Exclude<T[K], undefined>> }

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
type Omitted = 'key' | 'id' | 'sequence' | 'tasks' | 'assets' | 'jobs' | 'schedule' | 'callbacks' | 'playing'

/** Stored account without its collections. */
export interface StoredHead extends Readonly<Omit<Account, Omitted>> {
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

/** Kinds of records of which an account has several, by id. */
const collections = ['task', 'next', 'asset', 'correspondence', 'callback'] as const

type Collections = { readonly [K in (typeof collections)[number]]: Map<string, RecordValues[K]> }

/** Stored account. The order of the maps is the order of creation. */
export interface StoredAccount extends Collections {
  head: StoredHead | undefined
}

/** Stored state: what the records say together. */
export interface StoredState {
  server: StoredServer | undefined
  /** By id. */
  readonly scenarios: Map<string, ScenarioInput>
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
  if (kind === 'server') state.server = value ?? undefined
  else if (kind === 'scenario') put(state.scenarios, id, value)
  else if (kind !== 'account') put(accountIn(state, key)[kind], id, value)
  else if (value === null) state.accounts.delete(key)
  else accountIn(state, key).head = value
}

const put = <V>(map: Map<string, V>, id: string, value: V | null): void => {
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
  batch.map(([kind, id, value]) => [kind, kind === 'scenario' ? '' : key, id, value] as StateRecord)

/** Records of a state, for a snapshot: those that hold, and the scenarios that run. */
export function* recordsOf(state: StoredState): Generator<StateRecord> {
  if (state.server !== undefined) yield ['server', '', '', state.server]
  for (const [id, document] of runningScenarios(state)) yield ['scenario', '', id, document]
  for (const [key, account] of state.accounts) {
    if (account.head !== undefined) yield ['account', key, '', account.head]
    for (const kind of collections)
      for (const [id, value] of account[kind]) yield [kind, key, id, value] as StateRecord
  }
}

/** Documents of the scenarios that accounts of a state run, by id. */
export const runningScenarios = ({ scenarios, accounts }: StoredState): Map<string, ScenarioInput> => {
  const running = new Map<string, ScenarioInput>()
  for (const { head, correspondence } of accounts.values()) {
    const requestRuns = [...correspondence.values()].flatMap(({ requestRun }) => requestRun ?? [])
    for (const run of [...(head?.playing ?? []), ...requestRuns]) {
      const document = scenarios.get(run.scenario)
      if (document !== undefined) running.set(run.scenario, document)
    }
  }
  return running
}
