import type { Account } from '../../core/account/account.js'
import type { Asset } from '../../core/asset/asset.js'
import type { CallbackLog, CallbackQueue } from '../../core/callback/book.js'
import type { Callback } from '../../core/callback/callback.js'
import type { StateRecord } from '../../core/state/record.js'
import { storedCallback, storedHead, storedQueue } from '../../core/state/save.js'
import type { Task } from '../../core/task/task.js'
import type { Instant } from '../../core/time/timeline.js'
import { ReadTrackedMap, ReplacedTrackedMap, TrackedMap } from './noting-map.js'

interface KeptBook extends CallbackLog {
  readonly correspondences: ReadTrackedMap<string, CallbackQueue>
  readonly log: TrackedMap<string, Callback>
}

/** An account whose collections note what changes in them. */
export interface TrackedAccount extends Account {
  readonly tasks: ReplacedTrackedMap<string, Task>
  readonly open: TrackedMap<string, number>
  readonly assets: TrackedMap<string, Asset>
  readonly callbacks: KeptBook
}

/**
 * @param isNew whether all that it holds is still to be written
 * @param onNote told when something has changed in it, also by what was done to another account
 */
export const trackAccount = (account: Account, isNew: boolean, onNote: () => void): TrackedAccount => ({
  ...account,
  tasks: new ReplacedTrackedMap(account.tasks, isNew, onNote),
  open: new TrackedMap(account.open, isNew, onNote),
  assets: new TrackedMap(account.assets, isNew, onNote),
  callbacks: {
    ...account.callbacks,
    correspondences: new ReadTrackedMap(account.callbacks.correspondences, isNew, onNote),
    log: new TrackedMap(account.callbacks.log, isNew, onNote),
  },
})

/** The ids that were noted since the notes were last taken. */
export type DecisionMeta = Readonly<
  Record<'tasks' | 'open' | 'assets' | 'correspondences' | 'log', ReadonlySet<string>>
>

export const takeChanges = (account: TrackedAccount): DecisionMeta => {
  for (const before of account.tasks.takeReplaced()) noteReports(account, before)
  return {
    tasks: account.tasks.takeChanges(),
    open: account.open.takeChanges(),
    assets: account.assets.takeChanges(),
    correspondences: account.callbacks.correspondences.takeChanges(),
    log: account.callbacks.log.takeChanges(),
  }
}

// A callback is written without its task where the account has the same. Now it has another one, or none.
const noteReports = ({ callbacks }: TrackedAccount, { id, life, callback }: Task): void => {
  if (callback === undefined) return
  if (callbacks.correspondences.has(id)) callbacks.correspondences.note(id)
  for (let number = 0; number <= life.length; number += 1)
    if (callbacks.log.has(`${id}-${number}`)) callbacks.log.note(`${id}-${number}`)
}

/** Has written what could not be written another time. */
export const restoreChanges = (account: TrackedAccount, notes: DecisionMeta): void => {
  account.tasks.restoreChanges(notes.tasks)
  account.open.restoreChanges(notes.open)
  account.assets.restoreChanges(notes.assets)
  account.callbacks.correspondences.restoreChanges(notes.correspondences)
  account.callbacks.log.restoreChanges(notes.log)
}

/** What was noted, as it stands now: a record for each, null for what is gone. */
export function* recordsOf(account: TrackedAccount, notes: DecisionMeta): Generator<StateRecord> {
  const { key, tasks, open, assets, callbacks } = account
  const { correspondences, log } = callbacks
  for (const id of notes.tasks) yield ['task', key, id, tasks.get(id) ?? null]
  for (const id of notes.open) yield ['next', key, id, open.get(id) ?? null]
  for (const id of notes.assets) yield ['asset', key, id, assets.get(id) ?? null]
  for (const id of notes.correspondences) {
    const one = correspondences.peek(id)
    yield ['correspondence', key, id, one === undefined ? null : storedQueue(account, one)]
  }
  for (const id of notes.log) {
    const one = log.get(id)
    yield ['callback', key, id, one === undefined ? null : storedCallback(account, one)]
  }
}

export const headRecord = (account: Account, wall: Instant): StateRecord => [
  'account',
  account.key,
  '',
  storedHead(account, wall),
]
