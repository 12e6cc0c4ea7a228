import type { Account, Callback, CallbackQueue, ScenarioRun } from '../../core/model/account.js'
import { documentOf, type Scenario } from '../../core/scenario/schema.js'
import { type Instant, readClock } from '../../core/schedule/time.js'
import { idsOf } from '../tracked.js'
import { idOfScenario } from './account-records.js'
import type { ChangeSet } from './port.js'
import type { Batch, ChangeRecord, StoredCallback, StoredHead, StoredQueue, StoredRun } from './records.js'

/** Batch of a change set: a record for everything that changed, null for what is gone. */
export const batchOf = (change: ChangeSet): Batch => {
  const { account, ids } = change
  const { tasks, assets, callbacks } = account
  const { queueIds, logIds } = withReplaced(change)
  const batch: ChangeRecord[] = []
  for (const scenario of scenariosIn(change, queueIds))
    batch.push(['scenario', idOfScenario(scenario), documentOf(scenario)])
  if (change.isHeadChanged) batch.push(['account', '', storedHead(account, change.systemNow)])
  for (const id of ids.tasks) batch.push(['task', id, tasks.get(id) ?? null])
  for (const id of ids.open) batch.push(['next', id, tasks.nextOf(id) ?? null])
  for (const id of ids.assets) batch.push(['asset', id, assets.get(id) ?? null])
  for (const id of queueIds) {
    const queue = callbacks.queues.get(id)
    batch.push(['correspondence', id, queue === undefined ? null : storedQueue(account, queue)])
  }
  for (const id of logIds) {
    const callback = callbacks.log.get(id)
    batch.push(['callback', id, callback === undefined ? null : storedCallback(account, callback)])
  }
  return batch
}

/**
 * Ids of queues and callbacks to be stored: those that changed, and those whose task was replaced. A callback is stored
 * without its task where the account has the same one; a replaced task is no longer that.
 */
const withReplaced = ({ account: { callbacks }, ids, replacedTasks }: ChangeSet) => {
  const queueIds = new Set(ids.queues)
  const logIds = new Set(ids.log)
  for (const { id, timeline, callback } of replacedTasks) {
    if (callback === undefined) continue
    if (callbacks.queues.has(id)) queueIds.add(id)
    for (let number = 0; number <= timeline.length; number += 1)
      if (callbacks.log.has(`${id}-${number}`)) logIds.add(`${id}-${number}`)
  }
  return { queueIds, logIds }
}

/** Scenarios that records of the batch refer to, and that an earlier batch may not hold. */
const scenariosIn = (
  { account: { playing, callbacks }, areRunsReplaced }: ChangeSet,
  queueIds: ReadonlySet<string>,
): Scenario[] => [
  ...(areRunsReplaced ? playing.map(({ scenario }) => scenario) : []),
  ...[...queueIds].flatMap((id) => callbacks.queues.get(id)?.requestRun?.scenario ?? []),
]

/** Change set of everything that an account holds: for a new account, and for a snapshot. */
export const everythingIn = (account: Account, systemNow: Instant): ChangeSet => ({
  account,
  systemNow,
  isHeadChanged: true,
  areRunsReplaced: true,
  ids: idsOf(account),
  replacedTasks: [],
})

const storedRun = (run: ScenarioRun): StoredRun => ({ ...run, scenario: idOfScenario(run.scenario) })

/** Stored account without its collections; `now` is of the system. */
const storedHead = (account: Account, now: Instant): StoredHead => ({
  clock: account.clock,
  settledTo: readClock(account.clock, now),
  ordinal: account.sequence,
  requests: account.requests,
  credit: account.credit,
  spent: account.spent,
  agreementAccepted: account.agreementAccepted,
  limits: account.limits,
  // Without a limit nothing counts them, and every batch would hold them; they follow from what was created.
  recentCreates: account.limits.requestsPerMinute === null ? [] : [...account.recentCreates],
  imagesMade: account.imagesMade,
  callbacksEvicted: account.callbacks.evicted,
  playing: account.playing.map(storedRun),
})

// A callback has the task as it was, which is nearly always the one that stands in the account.
const storedCallback = (account: Account, { task, ...callback }: Callback): StoredCallback =>
  account.tasks.get(task.id) === task ? callback : { ...callback, task }

const storedQueue = (
  account: Account,
  { verification, requestRun, waiting, held, ...rest }: CallbackQueue,
): StoredQueue => ({
  way: verification,
  ...rest,
  waiting: waiting.map((callback) => storedCallback(account, callback)),
  held: held.map((callback) => storedCallback(account, callback)),
  requestRun: requestRun && storedRun(requestRun),
})
