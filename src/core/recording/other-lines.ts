import { accountIdOf } from '../account/tag.js'
import type { Callback } from '../callback/callback.js'
import type { ControlRecord, InitialState } from '../journal/control.js'
import type { Settings } from '../settings.js'
import { type Task, viewAt } from '../task/task.js'
import type { Instant } from '../time/timeline.js'
import type { Sanitizer } from './cleaner.js'
import { EMULATOR } from './emulator-origin.js'
import { keyKindOf } from './key-nature.js'
import type { AccountLine, CallbackLine, ControlLine, TaskLine } from './recording.js'
import { withAccounts } from './scenario-accounts.js'

const isoOf = (at: Instant): string => new Date(at).toISOString()

/** An account as it opened; `lacks` counts the calls that are not kept any more. */
export const accountLine = (
  key: string,
  opening: InitialState,
  settings: Settings,
  lacks = 0,
): AccountLine => {
  const { at, clock, balance, agreementAccepted, limits } = opening
  return {
    kind: 'account',
    account: accountIdOf(key),
    at: isoOf(at),
    clock,
    key: keyKindOf(key, settings),
    ...{ balance, agreementAccepted, limits },
    ...(lacks === 0 ? {} : { lacks }),
  }
}

/** Something that was done to an account. Keys that a scenario names are named by their tags. */
export const controlLine = (
  key: string,
  { at, action, input }: ControlRecord,
  sanitizer: Sanitizer,
): ControlLine => ({
  kind: 'control',
  account: accountIdOf(key),
  at: isoOf(at),
  action,
  input: sanitizer.request(withAccounts(input, accountIdOf), { origin: EMULATOR, key }) as Record<
    string,
    unknown
  >,
})

/** A task that has failed or expired by now; undefined for every other. */
export const taskLine = (key: string, task: Task, now: Instant): TaskLine | undefined => {
  const { phase, since } = viewAt(task, now)
  if (phase.state !== 'failed' && phase.state !== 'expired') return undefined
  return {
    kind: 'task',
    account: accountIdOf(key),
    at: isoOf(since),
    id: task.id,
    family: task.family,
    createdAt: isoOf(task.createdAt),
    state: phase.state,
    ...(phase.state === 'failed' ? { error: phase.error } : {}),
  }
}

/** A message to a receiver and what became of it. Where it went is left out: addresses can be secrets. */
export const callbackLine = (key: string, callback: Callback, sanitizer: Sanitizer): CallbackLine => {
  const { id, taskId, kind, status, state, reason, attempts, body, task } = callback
  const origin = task.callback?.origin ?? EMULATOR
  return {
    kind: 'callback',
    account: accountIdOf(key),
    id,
    task: taskId,
    message: kind,
    ...(status === null ? {} : { status }),
    state,
    ...(reason === undefined ? {} : { reason: sanitizer.answer(reason, { origin, key }) as string }),
    attempts: attempts.map(({ at, outcome, status }) => ({
      at: isoOf(at),
      outcome,
      ...(status === undefined ? {} : { status }),
    })),
    body: sanitizer.answer(body, { origin, key }),
  }
}
