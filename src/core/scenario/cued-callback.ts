import type { Account } from '../account/account.js'
import type { Callback } from '../callback/callback.js'
import type { Instant } from '../time/timeline.js'
import { occasionAbout } from './occasion.js'
import { cueFor, noOutcome } from './play.js'
import { playedOf } from './played.js'
import type { Playing } from './playing.js'
import type { CallbackFault } from './then.js'

/**
 * A message that is to be sent, as the scenarios have it. It is decided once and for all attempts, when the message
 * comes about. `guest` plays for its task alone and is asked first.
 */
export const cued = (
  account: Account,
  guest: Playing | undefined,
  callback: Callback,
  now: Instant,
): Callback => {
  const playing = guest === undefined ? account.playing : [guest, ...account.playing]
  if (playing.length === 0) return callback
  const { kind, status, task } = callback
  const outcome = cueFor(
    playing,
    occasionAbout(task, account, now, {
      operation: `${task.family}.create`,
      callback: { kind, status: status ?? undefined },
    }),
  )
  if (outcome === noOutcome) return callback
  return { ...callback, scenario: playedOf(outcome), ...faulty(outcome.cue?.does.callback, now) }
}

const faulty = (
  fault: CallbackFault | undefined,
  now: Instant,
): Pick<Callback, 'fault' | 'notBefore' | 'copiesLeft'> => {
  if (fault === undefined) return {}
  return {
    fault,
    ...(fault.late === undefined ? {} : { notBefore: now + fault.late }),
    ...(fault.copies === undefined ? {} : { copiesLeft: fault.copies - 1 }),
  }
}
