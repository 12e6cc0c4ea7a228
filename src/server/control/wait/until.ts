import { clearTimeout, setTimeout } from 'node:timers'
import { nextDue } from '../../../core/account/settle.js'
import { readClock } from '../../../core/time/clock.js'
import { formatDuration } from '../../../core/time/duration.js'
import type { ControlContext } from '../action.js'
import { ControlError } from '../control-error.js'
import { isoOf } from '../iso.js'
import type { ConditionResult } from './look-for.js'

/** What can bring about that which somebody waits for. */
const NEWS = ['happening', 'request', 'callback', 'inbox'] as const

/**
 * Looks now and whenever something comes about on the account, until what is looked for is there.
 * @throws ControlError `not-yet` when it is not after a time of real milliseconds, `never` when it cannot come any more
 */
export const waitUntil = (
  emulator: ControlContext,
  key: string,
  look: () => Promise<ConditionResult>,
  timeoutMs: number,
): Promise<unknown> =>
  new Promise((resolve, reject) => {
    const again = async () => {
      const seen = await look()
      if (seen.reached) end(() => resolve(seen.found))
      else if (seen.isImpossible === true) end(() => reject(never(seen)))
    }
    const giveUp = async () => {
      const [seen, hint] = await Promise.all([look(), suggestion(emulator, key)])
      end(() => (seen.reached ? resolve(seen.found) : reject(notYet(seen, timeoutMs, hint))))
    }
    const fail = (error: unknown) => end(() => reject(error))
    const hear = (about: { readonly account: string }) => {
      if (about.account === key) again().catch(fail)
    }
    const end = (tell: () => void) => {
      clearTimeout(timer)
      for (const news of NEWS) emulator.events.off(news, hear)
      tell()
    }
    // Node's own timer, which is there whatever a test in the same process puts in the place of the global one.
    const timer = setTimeout(() => void giveUp().catch(fail), Math.min(timeoutMs, LONGEST_TIMER_MS))
    // Listening comes before the first look, so that nothing is missed in between.
    for (const news of NEWS) emulator.events.on(news, hear)
    again().catch(fail)
  })

// A longer one would ring at once. Nobody waits for 24 days.
const LONGEST_TIMER_MS = 2 ** 31 - 1

const notYet = ({ missing, found }: ConditionResult, timeoutMs: number, hint: string): ControlError =>
  new ControlError(408, 'not-yet', `Waited for ${formatDuration(timeoutMs)}. ${missing}.`, hint, found)

const never = ({ missing, found }: ConditionResult): ControlError =>
  new ControlError(409, 'never', `${missing}, and nothing more will come of it.`, '', found)

const suggestion = async (emulator: ControlContext, key: string): Promise<string> => {
  if (await othersCall(emulator, key))
    return 'This account has had no calls at all, and others have: is the code given the key of this one?'
  return emulator.store.run(key, (account) => {
    const next = nextDue(account)
    const { mode } = account.clock
    if (mode === 'live' || next === undefined) return 'Wait longer with timeout, or look at what there is.'
    const now = isoOf(readClock(account.clock, emulator.wall()))
    return `The clock is ${mode} and stands at ${now}; the next moment is at ${isoOf(next)}: advance the clock.`
  })
}

const othersCall = async ({ store }: ControlContext, key: string): Promise<boolean> => {
  const callsOf = (one: string) => store.run(one, ({ requests }) => requests)
  if ((await callsOf(key)) > 0) return false
  return (await Promise.all((await store.keys()).map(callsOf))).some((calls) => calls > 0)
}
