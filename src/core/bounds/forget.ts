import type { Account } from '../account/account.js'
import { holds } from '../account/settle.js'
import { assetPhaseAt } from '../asset/asset.js'
import { isOpen } from '../task/phase.js'
import type { Task } from '../task/task.js'
import type { Instant } from '../time/timeline.js'
import { removeTask } from './task-bytes.js'

/** Nothing more will come of it: its life is over, and so is all that there was to report. */
export const hasEnded = ({ open, callbacks }: Account, { id, life }: Task): boolean =>
  !open.has(id) && !callbacks.correspondences.has(id) && !isOpen(life)

/**
 * Forgets tasks that have ended, the oldest first, at most so many.
 * @returns how many went
 */
export const evictTasks = (
  account: Account,
  most: number,
  mayGo: (task: Task) => boolean = () => true,
): number => {
  let gone = 0
  for (const task of account.tasks.values()) {
    if (gone === most) break
    if (!hasEnded(account, task) || !mayGo(task)) continue
    removeTask(account, task)
    gone += 1
  }
  return gone
}

export const hasEndedTask = (account: Account): boolean => {
  // Most have a next moment where none has ended, and those need not be looked at one by one.
  if (account.open.size === account.tasks.size) return false
  for (const task of account.tasks.values()) if (hasEnded(account, task)) return true
  return false
}

/** Forgets what is written down for later and will never come: of tasks that were cancelled, forced or forgotten. */
export const compactSchedule = (account: Account): void => account.agenda.sift((due) => holds(account, due))

/** Nothing is in flight, nothing is processed, and nothing waits to be sent. */
export const isIdle = (account: Account, now: Instant): boolean =>
  account.open.size === 0 &&
  [...account.callbacks.correspondences.values()].every(({ waiting }) => waiting.length === 0) &&
  [...account.assets.values()].every((asset) => assetPhaseAt(asset, now).state !== 'Processing') &&
  [...account.tasks.values()].every(({ life }) => !isOpen(life))
