import type { Account } from '../../core/account/account.js'
import type { Asset } from '../../core/asset/asset.js'
import type { CallbackBook, Correspondence } from '../../core/callback/book.js'
import type { Callback } from '../../core/callback/callback.js'
import type { StateRecord } from '../../core/state/record.js'
import { savedCallback, savedCorrespondence, savedHead } from '../../core/state/save.js'
import type { Task } from '../../core/task/task.js'
import type { Instant } from '../../core/time/timeline.js'
import { KeepingMap, LookNotingMap, NotingMap } from './noting-map.js'

interface KeptBook extends CallbackBook {
  readonly correspondences: LookNotingMap<string, Correspondence>
  readonly log: NotingMap<string, Callback>
}

/** An account whose collections note what changes in them. */
export interface KeptAccount extends Account {
  readonly tasks: KeepingMap<string, Task>
  readonly open: NotingMap<string, number>
  readonly assets: NotingMap<string, Asset>
  readonly callbacks: KeptBook
}

/**
 * @param isNew whether all that it holds is still to be written
 * @param onNote told when something has changed in it, also by what was done to another account
 */
export const keptAccount = (account: Account, isNew: boolean, onNote: () => void): KeptAccount => ({
  ...account,
  tasks: new KeepingMap(account.tasks, isNew, onNote),
  open: new NotingMap(account.open, isNew, onNote),
  assets: new NotingMap(account.assets, isNew, onNote),
  callbacks: {
    ...account.callbacks,
    correspondences: new LookNotingMap(account.callbacks.correspondences, isNew, onNote),
    log: new NotingMap(account.callbacks.log, isNew, onNote),
  },
})

/** The ids that were noted since the notes were last taken. */
export type Notes = Readonly<
  Record<'tasks' | 'open' | 'assets' | 'correspondences' | 'log', ReadonlySet<string>>
>

export const takeNotes = (account: KeptAccount): Notes => {
  for (const before of account.tasks.takeReplaced()) noteReports(account, before)
  return {
    tasks: account.tasks.takeNotes(),
    open: account.open.takeNotes(),
    assets: account.assets.takeNotes(),
    correspondences: account.callbacks.correspondences.takeNotes(),
    log: account.callbacks.log.takeNotes(),
  }
}

// A callback is written without its task where the account has the same. Now it has another one, or none.
const noteReports = ({ callbacks }: KeptAccount, { id, life, callback }: Task): void => {
  if (callback === undefined) return
  if (callbacks.correspondences.has(id)) callbacks.correspondences.note(id)
  for (let number = 0; number <= life.length; number += 1)
    if (callbacks.log.has(`${id}-${number}`)) callbacks.log.note(`${id}-${number}`)
}

/** Has written what could not be written another time. */
export const giveBack = (account: KeptAccount, notes: Notes): void => {
  account.tasks.giveBack(notes.tasks)
  account.open.giveBack(notes.open)
  account.assets.giveBack(notes.assets)
  account.callbacks.correspondences.giveBack(notes.correspondences)
  account.callbacks.log.giveBack(notes.log)
}

/** What was noted, as it stands now: a record for each, null for what is gone. */
export function* recordsOf(account: KeptAccount, notes: Notes): Generator<StateRecord> {
  const { key, tasks, open, assets, callbacks } = account
  const { correspondences, log } = callbacks
  for (const id of notes.tasks) yield ['task', key, id, tasks.get(id) ?? null]
  for (const id of notes.open) yield ['next', key, id, open.get(id) ?? null]
  for (const id of notes.assets) yield ['asset', key, id, assets.get(id) ?? null]
  for (const id of notes.correspondences) {
    const one = correspondences.peek(id)
    yield ['correspondence', key, id, one === undefined ? null : savedCorrespondence(account, one)]
  }
  for (const id of notes.log) {
    const one = log.get(id)
    yield ['callback', key, id, one === undefined ? null : savedCallback(account, one)]
  }
}

export const headRecord = (account: Account, wall: Instant): StateRecord => [
  'account',
  account.key,
  '',
  savedHead(account, wall),
]
