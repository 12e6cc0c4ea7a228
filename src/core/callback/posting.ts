import type { Account } from '../account/account.js'
import type { ScheduledEvent } from '../account/agenda.js'
import type { AccountEvent } from '../account/settle.js'
import type { Instant } from '../time/timeline.js'
import type { CallbackQueue } from './book.js'
import type { Callback } from './callback.js'
import { happened } from './happened.js'
import { moveOn, skipped } from './report.js'

/** A callback that is to be sent now. */
export interface DeliveryJob {
  readonly callback: Callback
  readonly at: Instant
  /** Sent again because somebody asked, out of turn and once. */
  readonly isExtra: boolean
}

/** Whether an entry of the agenda still stands for something that is to be sent. */
export const isStillDue = (account: Account, due: ScheduledEvent): boolean =>
  queueDue(account, due) !== undefined

const queueDue = (account: Account, { id, index, at }: ScheduledEvent): CallbackQueue | undefined => {
  const correspondence = account.callbacks.correspondences.get(id)
  return correspondence?.entry === index && correspondence.dueAt === at ? correspondence : undefined
}

/** Takes the first in turn out of the agenda and on its way. Whoever settles hands it to the courier. */
export const takeDeliveryJob = (account: Account, due: ScheduledEvent): AccountEvent[] => {
  const correspondence = queueDue(account, due)
  const callback = correspondence?.waiting[0]
  if (correspondence === undefined || callback === undefined) return []
  correspondence.dueAt = null
  if (!isOfDeleted(account, callback)) return [sending({ callback, at: due.at, isExtra: false })]
  const done = skipped(callback, 'The task was deleted before this was sent.')
  moveOn(account, correspondence, done, due.at)
  return [happened(done, due.at, 'skipped')]
}

// Only a scenario keeps a callback back for so long that its task can be deleted meanwhile.
const isOfDeleted = (account: Account, { fault, taskId }: Callback): boolean =>
  fault?.late !== undefined && fault.evenIfDeleted !== true && !account.tasks.has(taskId)

/** A posting on its way from the agenda to the courier; not yet something that has happened. */
export const sending = (posting: DeliveryJob): AccountEvent => ({
  at: posting.at,
  kind: 'callback',
  id: posting.callback.id,
  detail: 'sending',
  posting,
})
