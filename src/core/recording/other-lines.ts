import { tagOf } from '../account/tag.js'
import type { Callback } from '../callback/callback.js'
import type { Control, Opening } from '../journal/control.js'
import type { Settings } from '../settings.js'
import { type Task, viewAt } from '../task/task.js'
import type { Instant } from '../time/timeline.js'
import type { Cleaner } from './cleaner.js'
import { EMULATOR } from './emulator-origin.js'
import { natureOf } from './key-nature.js'
import type { AccountLine, CallbackLine, ControlLine, TaskLine } from './recording.js'
import { withAccounts } from './scenario-accounts.js'

const isoOf = (at: Instant): string => new Date(at).toISOString()

/** An account as it opened; `lacks` counts the calls that are not kept any more. */
export const accountLine = (key: string, opening: Opening, settings: Settings, lacks = 0): AccountLine => {
  const { at, clock, balance, agreementAccepted, limits } = opening
  return {
    kind: 'account',
    account: tagOf(key),
    at: isoOf(at),
    clock,
    key: natureOf(key, settings),
    ...{ balance, agreementAccepted, limits },
    ...(lacks === 0 ? {} : { lacks }),
  }
}

/** Something that was done to an account. Keys that a scenario names are named by their tags. */
export const controlLine = (key: string, { at, action, input }: Control, cleaner: Cleaner): ControlLine => ({
  kind: 'control',
  account: tagOf(key),
  at: isoOf(at),
  action,
  input: cleaner.request(withAccounts(input, tagOf), { origin: EMULATOR, key }) as Record<string, unknown>,
})

/** A task that has failed or expired by now; undefined for every other. */
export const taskLine = (key: string, task: Task, now: Instant): TaskLine | undefined => {
  const { phase, since } = viewAt(task, now)
  if (phase.state !== 'failed' && phase.state !== 'expired') return undefined
  return {
    kind: 'task',
    account: tagOf(key),
    at: isoOf(since),
    id: task.id,
    family: task.family,
    createdAt: isoOf(task.createdAt),
    state: phase.state,
    ...(phase.state === 'failed' ? { error: phase.error } : {}),
  }
}

/** A message to a receiver and what became of it. Where it went is left out: addresses can be secrets. */
export const callbackLine = (key: string, callback: Callback, cleaner: Cleaner): CallbackLine => {
  const { id, taskId, kind, status, state, reason, attempts, body, task } = callback
  const origin = task.callback?.origin ?? EMULATOR
  return {
    kind: 'callback',
    account: tagOf(key),
    id,
    task: taskId,
    message: kind,
    ...(status === null ? {} : { status }),
    state,
    ...(reason === undefined ? {} : { reason: cleaner.answer(reason, { origin, key }) as string }),
    attempts: attempts.map(({ at, outcome, status }) => ({
      at: isoOf(at),
      outcome,
      ...(status === undefined ? {} : { status }),
    })),
    body: cleaner.answer(body, { origin, key }),
  }
}
