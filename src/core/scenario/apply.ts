import { changeAccountSettings } from '../account/account.js'
import type { Call, Change, Decision } from '../contract.js'
import type { Account } from '../model/account.js'
import type { Callback } from '../model/callback.js'
import type { ScenarioRun } from '../model/scenario-run.js'
import type { Task } from '../model/task.js'
import type { Instant } from '../schedule/timeline.js'
import { overrideAsset } from './effects/asset.js'
import { overrideTask } from './effects/task.js'
import { scenarioResultOf } from './explain.js'
import { matchStep, noMatch, type ScenarioMatch, takeBack } from './match.js'
import { inputAbout, inputOfCall, type MatchInput } from './match-input.js'
import type { CallbackFault, Then } from './schema.js'

/** What scenarios have to do with one call. */
export interface CallMatch extends ScenarioMatch {
  /** The scenario that the call named for itself; left out where it named none. */
  readonly guest?: ScenarioRun
}

/** Asks what plays about a call, and does at once to the account what the step that acts has for it. */
export const matchCall = (
  account: Account,
  operation: { readonly id: string },
  call: Call,
  now: Instant,
  guest?: ScenarioRun,
): CallMatch => {
  if (guest === undefined && account.playing.length === 0) return noMatch
  return matchOn(account, inputOfCall(operation, call, account, now), guest)
}

/** The same for what is no call of an operation. */
export const matchOn = (account: Account, occasion: MatchInput, guest?: ScenarioRun): CallMatch => {
  const outcome = matchStep(guest === undefined ? account.playing : [guest, ...account.playing], occasion)
  const terms = outcome.matchedStep?.does.account
  if (terms !== undefined) changeAccountSettings(account, terms)
  return guest === undefined ? outcome : { ...outcome, guest }
}

/** What a decision made, and the scene once it is known whether there was anything to act on. */
interface ScenarioApplied {
  readonly decision: Decision
  readonly callMatch: CallMatch
}

/** A decision as the step that acts has it: what it makes lives another life. */
export const applyScenario = (
  decision: Decision,
  callMatch: CallMatch,
  account: Readonly<Account>,
  deadlineOf: (task: Task) => Instant | undefined,
): ScenarioApplied => {
  const does = callMatch.matchedStep?.does
  if (does === undefined && callMatch.guest === undefined) return { decision, callMatch }
  const makesSomething = decision.changes.some((change) => 'putTask' in change || 'putAsset' in change)
  if (does !== undefined && !makesSomething && isOnlyForWhatIsMade(does))
    return { decision, callMatch: missed(callMatch, account) }
  const twist = (change: Change): Change => {
    if ('putTask' in change) return overridePut(change.putTask, does, callMatch.guest, deadlineOf)
    if ('putAsset' in change && does?.asset !== undefined)
      return { putAsset: overrideAsset(change.putAsset, does.asset) }
    return change
  }
  return { decision: { ...decision, changes: decision.changes.map(twist) }, callMatch }
}

const isOnlyForWhatIsMade = (does: Then): boolean =>
  Object.keys(does).every((part) => part === 'task' || part === 'asset')

const missed = (callMatch: CallMatch, account: Readonly<Account>): CallMatch => {
  const { guest } = callMatch
  return {
    ...callMatch,
    ...takeBack(guest === undefined ? account.playing : [guest, ...account.playing], callMatch),
  }
}

const overridePut = (
  task: Task,
  does: Then | undefined,
  guest: ScenarioRun | undefined,
  deadlineOf: (task: Task) => Instant | undefined,
): Change => ({
  putTask: does?.task === undefined ? task : overrideTask(task, does.task, deadlineOf(task)),
  ...(guest === undefined ? {} : { guest }),
})

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
