import { readAccounts } from '../accounts/persistence/account-records.js'
import type { Batch } from '../accounts/persistence/port.js'
import { applyRecord, emptyState, recordsFor, type StoredAccount } from '../accounts/persistence/records.js'
import { scheduledAccount } from '../accounts/persistence/resume-account.js'
import type { Account } from '../core/model/account.js'
import { type Scenario, scenarioSchema } from '../core/scenario/schema.js'
import { clockAt, readClock } from '../core/schedule/time.js'

/** Scenarios of an account by the id of their record. */
export type Scenarios = Map<string, Scenario>

/**
 * Account that batches come to, with its schedule; undefined where the last of them removed it. A live clock runs by
 * the store's time. Records are trusted: this program wrote them, in a version that it knows.
 */
export const loadAccount = (
  key: string,
  batches: readonly Batch[],
  { maxCallbacks, now }: { readonly maxCallbacks: number; readonly now: number },
): { readonly account: Account | undefined; readonly scenarios: Scenarios } => {
  const state = emptyState()
  for (const batch of batches) for (const record of recordsFor(key, batch)) applyRecord(state, record)
  const scenarios: Scenarios = new Map(
    [...state.scenarios].map(([id, document]) => [id, scenarioSchema.parse(document)]),
  )
  const stored = state.accounts.get(key)
  if (stored?.head === undefined) return { account: undefined, scenarios }
  const [found] = readAccounts({ ...state, accounts: new Map([[key, withoutOrphans(stored)]]) }, maxCallbacks)
  if (found === undefined) return { account: undefined, scenarios }
  const { account, settledTo } = found
  const isBehind = readClock(account.clock, now) < settledTo
  const clock = isBehind ? clockAt(account.clock, settledTo, now) : account.clock
  const scheduled = scheduledAccount({ ...account, clock }, settledTo)
  for (const { dueAt: at, taskId: id, entry: index } of scheduled.callbacks.queues.values())
    if (at !== null) scheduled.schedule.set({ at, kind: 'callback', id, index })
  return { account: scheduled, scenarios }
}

// A store that lost its tail in a failover can have records of a task without the task.
const withoutOrphans = (stored: StoredAccount): StoredAccount => {
  for (const id of stored.next.keys()) if (!stored.task.has(id)) stored.next.delete(id)
  for (const [id, { task, taskId }] of stored.callback)
    if (task === undefined && !stored.task.has(taskId)) stored.callback.delete(id)
  for (const [id, { waiting, held }] of stored.correspondence)
    if ([...waiting, ...held].some(({ task, taskId }) => task === undefined && !stored.task.has(taskId)))
      stored.correspondence.delete(id)
  return stored
}
