import { changeAccountSettings } from '../account/account.js'
import type { Change, Decision } from '../contract.js'
import type { Account, Callback, ScenarioRun } from '../model/account.js'
import type { Call } from '../model/call.js'
import { expiringAt, type Task } from '../model/task.js'
import type { Moment } from '../retry-after.js'
import type { Instant } from '../schedule/time.js'
import { applyEffectsOf, fileUnder, type StepEffects } from './effects/index.js'
import { fileContextOf } from './effects/other-file.js'
import { scenarioResultOf } from './explain.js'
import {
  countMatch,
  inputOfCall,
  inputOfCallback,
  type MatchInput,
  matchStep,
  noMatch,
  refusedMatch,
  type ScenarioMatch,
} from './match.js'

/** Match of one call: what plays for its account, and the scenario that it named for itself. */
export interface CallMatch extends ScenarioMatch {
  /** The scenario that the call named for itself. Undefined where it named none. */
  readonly requestRun?: ScenarioRun | undefined
  /** Whether it is counted with its account. */
  readonly isRecorded?: true
}

/**
 * Matches a call of an operation. Changes nothing.
 * @param decidedAt the instant whose status of a task counts. Default: that at which it came
 */
export const matchCall = (
  account: Readonly<Account>,
  operation: { readonly id: string },
  call: Call,
  moment: Moment,
  requestRun?: ScenarioRun,
  decidedAt = moment.at,
): CallMatch =>
  requestRun === undefined && account.playing.length === 0
    ? noMatch
    : matchOn(account, inputOfCall(operation, call, account, moment, decidedAt), requestRun)

/** Matches a call or a message; the scenario that a request named comes first. Changes nothing. */
const matchOn = (account: Readonly<Account>, input: MatchInput, requestRun?: ScenarioRun): CallMatch => {
  const match = matchStep(runsOf(account, requestRun), input)
  return requestRun === undefined ? match : { ...match, requestRun }
}

const runsOf = ({ playing }: Readonly<Account>, first: ScenarioRun | undefined): readonly ScenarioRun[] =>
  first === undefined ? playing : [first, ...playing]

/** Applies the account effects of the step that acts, before the call is decided. */
export const changeAccountFor = (account: Account, { step }: CallMatch): void => {
  if (step?.effects.account !== undefined)
    changeAccountSettings(account, applyEffectsOf('account', step.effects, {}, undefined))
}

/** Whether a step of what plays moves the clock before a call is decided. */
export const canMoveClock = (account: Readonly<Account>, requestRun?: ScenarioRun): boolean =>
  runsOf(account, requestRun).some(({ scenario }) =>
    scenario.steps.some((step) => step.then.clock !== undefined),
  )

/** Clock jump before the call is decided, in milliseconds, or undefined where there is none. */
export const clockJumpOf = ({ step }: ScenarioMatch): number | undefined =>
  step?.effects.clock === undefined ? undefined : applyEffectsOf('clock', step.effects, 0, undefined)

/** Counts a match with its account: how often each step was selected, and which acted. */
export const recordMatch = (account: Account, match: CallMatch): CallMatch => {
  if (match.traces.length === 0 || match.isRecorded) return match
  const runs = countMatch(runsOf(account, match.requestRun), match)
  account.playing = match.requestRun === undefined ? runs : runs.slice(1)
  const [requestRun] = match.requestRun === undefined ? [] : runs
  // The journal keeps the match, in which counts would take a third of the memory.
  const traces = match.traces.map(({ scenario, trace }) => ({ scenario, trace }))
  return { step: match.step, traces, requestRun, isRecorded: true }
}

/** Applies the step that acts to a decision, and counts the match: what the decision makes gets another timeline. */
export const applyScenario = (
  decision: Decision,
  matched: CallMatch,
  account: Account,
  deadlineOf: (task: Task) => Instant | undefined,
  now: Instant,
): { readonly decision: Decision; readonly match: CallMatch } => {
  const makesSomething = decision.changes.some((change) => 'putTask' in change || 'putAsset' in change)
  const hasFile = decision.meta.refusedBy.length === 0
  const { file, idle } = fileOf(decision, matched, account, now)
  const match = recordMatch(account, withoutIdleEffects(matched, { makesSomething, hasFile, idle }))
  const { step, requestRun } = match
  if (step === undefined && requestRun === undefined) return { decision, match }
  const changed = (change: Change): Change => {
    if ('putTask' in change)
      return {
        putTask: overrideTask(change.putTask, step?.effects, deadlineOf),
        ...(requestRun === undefined ? {} : { requestRun }),
      }
    if ('putAsset' in change)
      return { putAsset: applyEffectsOf('asset', step?.effects, change.putAsset, undefined) }
    return change
  }
  const reply = file === undefined ? decision.reply : { ...decision.reply, result: file }
  return { decision: { ...decision, reply, changes: decision.changes.map(changed) }, match }
}

/** The file that a decision answers with, as the step that acts has it. */
const fileOf = (
  { reply: { result }, meta: { task } }: Decision,
  { step }: CallMatch,
  account: Account,
  now: Instant,
): Partial<ReturnType<typeof fileUnder>> =>
  result === undefined || step?.effects.result === undefined
    ? {}
    : fileUnder(result, step.effects, fileContextOf(account, task, now))

/** What a call has made or answers with, for effects to act on. */
interface WhatThereIs {
  readonly makesSomething: boolean
  readonly hasFile: boolean
  /** Effects that find nothing to act on in this file, by their keys. Default: none. */
  readonly idle?: readonly string[] | undefined
}

/**
 * Match without the effects that have nothing to act on: those on a new task or asset where the call makes none, and those on a file
 * where the download is refused. A step without other effects has not acted.
 */
export const withoutIdleEffects = <M extends ScenarioMatch>(
  match: M,
  { makesSomething, hasFile, idle: idleOnFile = [] }: WhatThereIs,
): M => {
  const { step } = match
  if (step === undefined) return match
  const { result: onFile = {} } = step.effects
  const isFileIdle = Object.keys(onFile).every((key) => idleOnFile.includes(key))
  const idle = [...(makesSomething ? [] : ['task', 'asset']), ...(hasFile && !isFileIdle ? [] : ['result'])]
  const parts = Object.entries(step.effects)
  const acting = parts.filter(([part]) => !idle.includes(part))
  if (acting.length === parts.length) return match
  return acting.length === 0
    ? { ...match, ...refusedMatch(match) }
    : { ...match, step: { ...step, effects: Object.fromEntries(acting) } }
}

/** A new task with another timeline, which still runs into its deadline. */
export const overrideTask = (
  task: Task,
  effects: StepEffects | undefined,
  deadlineOf: (task: Task) => Instant | undefined,
): Task => {
  if (effects?.task === undefined) return task
  const changed = applyEffectsOf('task', effects, task, undefined)
  const deadline = deadlineOf(task)
  return deadline === undefined ? changed : { ...changed, timeline: expiringAt(changed.timeline, deadline) }
}

/**
 * Matches a message that is to be sent, and counts the match. It is decided once for all attempts, when the message
 * is made. The scenario that the create named plays for its task alone and is matched first.
 */
export const matchCallback = (
  account: Account,
  queue: { requestRun?: ScenarioRun },
  callback: Callback,
  now: Instant,
): Callback => {
  const runs = runsOf(account, queue.requestRun)
  if (runs.length === 0) return callback
  const match = matchOn(account, inputOfCallback(callback, account, now), queue.requestRun)
  if (match.traces.length === 0) return callback
  const recorded = recordMatch(account, match)
  if (recorded.requestRun !== undefined) queue.requestRun = recorded.requestRun
  const scenario = scenarioResultOf(recorded)
  const fault = recorded.step?.effects.callback
  return fault === undefined
    ? { ...callback, scenario }
    : { ...callback, scenario, fault, ...applyEffectsOf('callback', recorded.step?.effects, {}, now) }
}
