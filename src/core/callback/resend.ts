import type { Account } from '../account/account.js'
import type { AccountEvent } from '../account/settle.js'
import { EmulatorError } from '../emulator-error.js'
import type { Instant } from '../time/timeline.js'
import { sending } from './posting.js'
import { schedule } from './report.js'

/**
 * Sends a callback of the log again now. One that waits for its next attempt has it now instead.
 * @throws EmulatorError `unknown-callback` or `callback-waiting`
 */
export const resend = (account: Account, id: string, now: Instant): AccountEvent[] => {
  const callback = account.callbacks.log.get(id)
  if (callback === undefined) throw unknownCallback(id)
  if (callback.state !== 'waiting') return [sending({ callback, at: now, isExtra: true })]
  const correspondence = account.callbacks.correspondences.get(callback.taskId)
  if (correspondence?.waiting[0]?.id !== id || correspondence.dueAt === null) throw stillWaiting(id)
  schedule(account, correspondence, now)
  return []
}

export const unknownCallback = (id: string): EmulatorError =>
  new EmulatorError(`The callback log of this account has no callback ${id}.`, {
    code: 'unknown-callback',
    hint: 'The log lists those it has; old ones are evicted (setting callbackLogEntries).',
  })

const stillWaiting = (id: string): EmulatorError =>
  new EmulatorError(`The callback ${id} has not been sent yet: it is on its way, or waits for its turn.`, {
    code: 'callback-waiting',
    hint: 'Callbacks of a task are sent in order; wait until the ones before it have been answered or given up.',
  })
