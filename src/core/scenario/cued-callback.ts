import type { Account } from '../account/account.js'
import type { Callback } from '../callback/callback.js'
import type { Instant } from '../time/timeline.js'
import { inputAbout } from './occasion.js'
import { matchStep, noMatch } from './play.js'
import { scenarioResultOf } from './played.js'
import type { ScenarioRun } from './playing.js'
import type { CallbackFault } from './then.js'

/**
 * A message that is to be sent, as the scenarios have it. It is decided once and for all attempts, when the message
 * comes about. `guest` plays for its task alone and is asked first.
 */
export const matchCallback = (
  account: Account,
  guest: ScenarioRun | undefined,
  callback: Callback,
  now: Instant,
): Callback => {
  const playing = guest === undefined ? account.playing : [guest, ...account.playing]
  if (playing.length === 0) return callback
  const { kind, status, task } = callback
  const outcome = matchStep(
    playing,
    inputAbout(task, account, now, {
      operation: `${task.family}.create`,
      callback: { kind, status: status ?? undefined },
    }),
  )
  if (outcome === noMatch) return callback
  return {
    ...callback,
    scenario: scenarioResultOf(outcome),
    ...faulty(outcome.matchedStep?.does.callback, now),
  }
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
