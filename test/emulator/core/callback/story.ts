import { openAccount } from '../../../../src/emulator/core/account/account.js'
import { apply, runDue } from '../../../../src/emulator/core/account/apply.js'
import { type AttemptResult, completeAttempt } from '../../../../src/emulator/core/callback/attempts.js'
import type { Account, AccountEvent, DeliveryJob } from '../../../../src/emulator/core/model/account.js'
import type { Task, TaskTimeline } from '../../../../src/emulator/core/model/task.js'
import { settingsSchema } from '../../../../src/emulator/settings.js'

export const CHALLENGE = 'c'.repeat(32)

/** Queued at 0, running at 10 seconds, succeeded at 20. */
export const TIMELINE: TaskTimeline = [
  { at: 0, value: { state: 'queued' } },
  { at: 10_000, value: { state: 'running' } },
  { at: 20_000, value: { state: 'succeeded', media: [] } },
]

export const taskWith = (challenge?: string, timeline: TaskTimeline = TIMELINE): Task => ({
  id: 'task',
  family: 'f-video-v2',
  account: 'key',
  model: 'gamma-H3',
  requestId: 'request',
  createdAt: 0,
  params: {},
  timeline,
  price: 0,
  callback: {
    url: 'http://127.0.0.1/hook',
    origin: 'http://127.0.0.1',
    ...(challenge === undefined ? {} : { challenge }),
  },
})

export const accountWith = (task: Task, callbackLogEntries = 100): Account => {
  const clock = { mode: 'paused', speed: 1, now: 0, wall: 0 } as const
  const account = openAccount('key', settingsSchema.parse({ callbackLogEntries }), clock)
  apply(account, [{ putTask: task }])
  return account
}

export const accepted: AttemptResult = {
  outcome: 'answered',
  status: 200,
  answer: CHALLENGE,
  durationMs: 1,
  sent: {},
}
export const refused: AttemptResult = { ...accepted, status: 500, answer: 'no' }

/** Settles an account and gives what is to be sent, which the courier would take. */
export const postingsAt = (account: Account, now: number): DeliveryJob[] => runDue(account, now).jobs

/** What is to be sent at an instant ends in this way; what came of it in a word each, and what is to be sent next. */
export const conclusion = (account: Account, posting: DeliveryJob, outcome: AttemptResult, now: number) => {
  const words = (happenings: AccountEvent[]) => happenings.map(({ id, detail }) => `${id} ${detail}`)
  return { happened: words(completeAttempt(account, posting, outcome, now)), next: postingsAt(account, now) }
}

export const statesOf = (account: Account): string[] =>
  [...account.callbacks.log.values()].map(({ status, kind, state }) => `${status ?? kind} ${state}`)
