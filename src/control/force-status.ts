import { worldOf } from '../accounts/decision-context.js'
import type { AnyTaskFamily } from '../core/contract.js'
import { ControlError } from '../core/control-error.js'
import type { Account } from '../core/model/account.js'
import type { Phase, State, Task, TaskTimeline } from '../core/model/task.js'
import { type Instant, lastOf } from '../core/schedule/timeline.js'
import { suggest, suggestion } from '../core/suggest.js'
import { expiringAt, forcedTimeline, isFinal, mediaOf, statesOf, viewAt } from '../core/task/timeline.js'
import type { ControlContext } from './context.js'

/** A status to force; `error` is the name of an error of the family. */
interface ForcedStatus {
  readonly status: State
  readonly error?: string | undefined
}

/**
 * Forces the status of a task: its timeline with another future, from now on.
 * @throws ControlError when it has ended, when its family has no such state or no such error, or when an error is
 * named for what is no failure
 */
export const forceStatus = (
  context: ControlContext,
  account: Account,
  task: Task,
  now: Instant,
  forced: ForcedStatus,
): TaskTimeline => {
  const { phase } = viewAt(task, now)
  if (isFinal(phase)) throw hasEnded(task, phase.state)
  const family = context.families.find(({ id }) => id === task.family) as AnyTaskFamily
  const timeline = forcedTimeline(task.timeline, now, phaseFor(context, account, family, task, forced))
  const deadline = family.deadline?.(task.params, task.createdAt)
  // A task that is held where it is still runs into its deadline.
  return deadline === undefined ? timeline : expiringAt(timeline, deadline)
}

const hasEnded = (task: Task, state: State): ControlError =>
  new ControlError(
    409,
    'task-has-ended',
    `The task ${task.id} has already ended: it is ${state}.`,
    'What has happened cannot be changed.',
  )

const phaseFor = (
  context: ControlContext,
  account: Account,
  family: AnyTaskFamily,
  task: Task,
  { status, error }: ForcedStatus,
): Phase => {
  if (!statesOf(family).includes(status)) throw hasNoState(family, status)
  if (error !== undefined && status !== 'failed') throw hasNoError(status, error)
  if (status === 'succeeded') return { state: 'succeeded', media: mediaFor(context, account, family, task) }
  if (status === 'failed') return { state: 'failed', error: errorNamed(family, error) }
  return { state: status }
}

const hasNoState = (family: AnyTaskFamily, status: State): ControlError =>
  new ControlError(
    400,
    'unknown-status',
    `Tasks of ${family.id} are never ${status}.`,
    `Possible are: ${statesOf(family).join(', ')}.`,
  )

const hasNoError = (status: State, error: string): ControlError =>
  new ControlError(
    400,
    'error-without-failure',
    `A task that is ${status} has no error, found ${JSON.stringify(error)}.`,
    `Leave out error, or force the status failed.`,
  )

// Not from the life as it is: a task that was held where it is has no success in it any more.
const mediaFor = ({ settings }: ControlContext, account: Account, family: AnyTaskFamily, task: Task) => {
  const source = { settings, secret: '', origin: '', requestId: task.requestId, found: new Map() }
  const world = worldOf(account, task.createdAt, source)
  return mediaOf(lastOf(family.timeline(task.params, world, task.id)).value)
}

const errorNamed = (family: AnyTaskFamily, error: string | undefined): string => {
  if (error === undefined) return family.wellKnownErrors.internal
  const names = Object.keys(family.errors)
  if (names.includes(error)) return error
  const meant = suggest(error, names)
  throw new ControlError(
    400,
    'unknown-error',
    `Expected the name of an error of ${family.id}, found ${JSON.stringify(error)}${suggestion(error, names)}.`,
    `${meant === undefined ? '' : `Did you mean ${meant}? `}Possible are: ${names.join(', ')}.`,
  )
}
