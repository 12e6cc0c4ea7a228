import type { Account } from '../../core/model/account.js'
import { documentOf, type Scenario } from '../../core/scenario/schema.js'
import type { Instant } from '../../core/schedule/time.js'
import { idsOf } from '../tracked.js'
import { idOfScenario, storedCallback, storedHead, storedQueue } from './account-records.js'
import type { Batch, ChangeRecord, ChangeSet } from './port.js'

/** Batch of a change set: a record for everything that changed, null for what is gone. */
export const batchOf = (change: ChangeSet): Batch => {
  const { account, ids } = change
  const { tasks, assets, callbacks } = account
  const [queueIds, logIds] = withReplaced(change)
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

// A callback is stored without its task where the account has the same one. Now it has another one, or none.
const withReplaced = ({ account: { callbacks }, ids, replacedTasks }: ChangeSet) => {
  const queues = new Set(ids.queues)
  const log = new Set(ids.log)
  for (const { id, timeline, callback } of replacedTasks) {
    if (callback === undefined) continue
    if (callbacks.queues.has(id)) queues.add(id)
    for (let number = 0; number <= timeline.length; number += 1)
      if (callbacks.log.has(`${id}-${number}`)) log.add(`${id}-${number}`)
  }
  return [queues, log] as const
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
