import { expect, test } from 'vitest'
import { openAccount } from '../../../../src/emulator/core/account/account.js'
import { apply, nextDue, runDue } from '../../../../src/emulator/core/account/apply.js'
import {
  type AttemptResult,
  abandonAttempt,
  completeAttempt,
} from '../../../../src/emulator/core/callback/attempts.js'
import { openCallbackQueue } from '../../../../src/emulator/core/callback/queue.js'
import type { Account, DeliveryJob } from '../../../../src/emulator/core/model/account.js'
import type { CallbackAddress } from '../../../../src/emulator/core/model/task.js'
import { scenarioSchema } from '../../../../src/emulator/core/scenario/schema.js'
import { settingsSchema } from '../../../../src/emulator/settings.js'
import {
  accepted,
  CHALLENGE,
  conclusion,
  postingsAt,
  refused,
  statesOf,
  taskWith,
} from '../callback/story.js'
import { playing, type StepInput, type WhenInput } from './literals.js'

const stepOn = (callback: WhenInput['callback'], does: StepInput['then']['callback']): StepInput => ({
  when: { callback },
  then: { callback: does },
})

const accountPlaying = (steps: StepInput[], challenge?: string): Account => {
  const scenario = scenarioSchema.parse({ name: 'trial', says: 'A trial.', steps })
  const clock = { mode: 'paused', speed: 1, now: 0, wall: 0 } as const
  const account = openAccount('key', settingsSchema.parse({}), clock, [scenario])
  apply(account, [{ putTask: taskWith(challenge) }])
  return account
}

/** Lets everything be sent and answered that is due by an instant; which statuses went out, in order. */
const sentBy = (account: Account, now: number, outcome: AttemptResult = accepted): (string | null)[] => {
  const sent: (string | null)[] = []
  for (let due = postingsAt(account, now); due.length > 0; ) {
    const [posting] = due
    if (posting === undefined) break
    sent.push(posting.callback.status)
    due = conclusion(account, posting, outcome, now).next
  }
  return sent
}

test('a delivery that is never sent is skipped, and the others come', () => {
  const account = accountPlaying([stepOn({ status: 'running' }, { never: true })])
  expect(sentBy(account, 20_000)).toEqual(['queued', 'succeeded'])
  expect(statesOf(account)).toEqual(['queued delivered', 'running skipped', 'succeeded delivered'])
})

test('the last one that is never sent ends the correspondence', () => {
  const account = accountPlaying([stepOn({ status: 'succeeded' }, { never: true })])
  expect(sentBy(account, 20_000)).toEqual(['queued', 'running'])
  expect(account.callbacks.queues.size).toBe(0)
})

test('a challenge that is never sent leaves the address unverified: nothing else is sent', () => {
  const account = accountPlaying([stepOn('challenge', { never: true })], CHALLENGE)
  expect(sentBy(account, 20_000)).toEqual([])
  expect(statesOf(account)).toEqual([
    'challenge skipped',
    'queued skipped',
    'running skipped',
    'succeeded skipped',
  ])
})

test('a late delivery is sent so much later, and those behind it wait for it', () => {
  const account = accountPlaying([stepOn({ status: 'running' }, { late: '1m' })])
  expect(sentBy(account, 69_999)).toEqual(['queued'])
  expect(nextDue(account)).toBe(70_000)
  expect(sentBy(account, 70_000)).toEqual(['running', 'succeeded'])
})

test('a late delivery whose time has passed when its turn comes is sent then', () => {
  const account = accountPlaying([stepOn({ status: 'running' }, { late: '5s' })])
  const [queued] = postingsAt(account, 20_000) as [DeliveryJob]
  expect(conclusion(account, queued, accepted, 20_000).next).toMatchObject([
    { at: 20_000, callback: { status: 'running' } },
  ])
})

test('a late challenge is late too', () => {
  const account = accountPlaying([stepOn('challenge', { late: '1m' })], CHALLENGE)
  expect(sentBy(account, 59_999)).toEqual([])
  expect(sentBy(account, 60_000)).toEqual([null, 'queued', 'running', 'succeeded'])
})

test.each([
  ['is skipped', false, [], 'succeeded skipped'],
  ['is sent where the scenario says so', true, ['succeeded'], 'succeeded delivered'],
])('a late delivery about a task that was deleted meanwhile %s', (_, evenIfDeleted, sent, state) => {
  const does = { late: '1m', ...(evenIfDeleted ? { evenIfDeleted: true as const } : {}) }
  const account = accountPlaying([stepOn({ status: 'succeeded' }, does)])
  sentBy(account, 20_000)
  apply(account, [{ dropTask: 'task' }])
  expect(sentBy(account, 80_000)).toEqual(sent)
  expect(statesOf(account)).toContain(state)
  expect(account.callbacks.queues.size).toBe(0)
})

test('copies are sent one after the other, under one id, before the next one', () => {
  const account = accountPlaying([stepOn({ status: 'queued' }, { copies: 3 })])
  expect(sentBy(account, 20_000)).toEqual(['queued', 'queued', 'queued', 'running', 'succeeded'])
  expect(account.callbacks.log.get('task-1')?.attempts).toHaveLength(3)
  expect(statesOf(account)).toEqual(['queued delivered', 'running delivered', 'succeeded delivered'])
})

interface SendingInput {
  readonly does: StepInput['then']['callback']
  /** Those that are accepted, counted from 1; default: none. */
  readonly accepts?: (nth: number) => boolean
  /** The order in which those that are sent at once are answered. */
  readonly order?: (jobs: DeliveryJob[]) => DeliveryJob[]
}

/** Sends the status queued as a step changes it, until the next status: when each was sent, and how it was answered. */
const sendQueued = ({ does, accepts = () => false, order = (jobs) => jobs }: SendingInput) => {
  const account = accountPlaying([stepOn({ status: 'queued' }, does)])
  const sent: string[] = []
  for (let now = 0; now < 10_000; now = nextDue(account) ?? 10_000)
    for (const job of order(postingsAt(account, now))) {
      const outcome = accepts(sent.length + 1) ? accepted : refused
      sent.push(`${now}${job.isResend ? ' copy' : ''} ${outcome.status}`)
      completeAttempt(account, job, outcome, now)
    }
  return { sent, record: account.callbacks.log.get('task-1') }
}

const reversed = (jobs: DeliveryJob[]) => jobs.toReversed()

test('a copy that fails is tried again after a second, and those behind it are sent', () => {
  const { sent } = sendQueued({ does: { copies: 8 }, accepts: (nth) => nth !== 5 })
  expect(sent).toEqual([
    ...['0 200', '0 200', '0 200', '0 200', '0 500'],
    ...['1000 200', '1000 200', '1000 200', '1000 200'],
  ])
})

test('a copy is given up after its fourth attempt, and what has arrived stays delivered', () => {
  const { sent, record } = sendQueued({ does: { copies: 3 }, accepts: (nth) => nth === 1 })
  expect(sent).toEqual(['0 200', '0 500', '1000 500', '3000 500', '7000 500'])
  expect(record?.state).toBe('delivered')
})

test.each([
  ['first', undefined, ['0 500', '0 copy 500', '0 copy 500', '0 copy 500']],
  ['last', reversed, ['0 copy 500', '0 copy 500', '0 copy 500', '0 500']],
])('copies that fail at once are no retries, and are not sent with them: answered %s', (_, order, atOnce) => {
  const { sent, record } = sendQueued({
    does: { copies: 4, atOnce: true },
    ...(order === undefined ? {} : { order }),
  })
  expect(sent).toEqual([...atOnce, '1000 500', '3000 500', '7000 500'])
  expect([record?.state, record?.attempts.length]).toEqual(['failed', 7])
})

test('what a copy has delivered stays delivered when the retries fail', () => {
  const { sent, record } = sendQueued({
    does: { copies: 2, atOnce: true },
    accepts: (nth) => nth === 1,
    order: reversed,
  })
  expect(sent).toEqual(['0 copy 200', '0 500', '1000 500', '3000 500', '7000 500'])
  expect(record?.state).toBe('delivered')
  expect(record).not.toHaveProperty('reason')
})

test('an attempt that is abandoned leaves what its copies have brought', () => {
  const account = accountPlaying([stepOn({ status: 'queued' }, { copies: 2, atOnce: true })])
  const [, copy] = postingsAt(account, 0)
  if (copy === undefined) throw new Error('no copy is sent')
  completeAttempt(account, copy, accepted, 0)
  abandonAttempt(account, 'task', 0)
  expect(account.callbacks.log.get('task-1')).toMatchObject({
    state: 'delivered',
    attempts: [{ status: 200 }, { outcome: 'failed' }],
  })
  expect(postingsAt(account, 0)).toMatchObject([{ isResend: false }])
})

const TRIED_BEFORE = 'The task was deleted before this was tried again.'

test.each([
  ['failed', { late: '1m' }, [refused], ['task-3 failed'], TRIED_BEFORE],
  ['delivered', { late: '1m', copies: 2 }, [accepted, refused], ['task-3 failed'], undefined],
  ['skipped', { late: '1m' }, [], ['task-3 skipped'], 'The task was deleted before this was sent.'],
] as const)(
  'a late delivery whose task is deleted before its next attempt is %s',
  (state, does, answers, events, reason) => {
    const account = accountPlaying([stepOn({ status: 'succeeded' }, does)])
    sentBy(account, 20_000)
    for (const outcome of answers)
      for (const job of postingsAt(account, 80_000)) completeAttempt(account, job, outcome, 80_000)
    apply(account, [{ dropTask: 'task' }])
    const { jobs, events: happened } = runDue(account, 90_000)
    expect(jobs).toEqual([])
    expect(happened.map(({ id, detail }) => `${id} ${detail}`)).toEqual(events)
    const record = account.callbacks.log.get('task-3')
    expect([record?.state, record?.reason, record?.attempts.length]).toEqual([state, reason, answers.length])
    expect(account.callbacks.queues.size).toBe(0)
  },
)

test('a late challenge whose task is deleted before it is due leaves the address unverified', () => {
  const account = accountPlaying([stepOn('challenge', { late: '1m' })], CHALLENGE)
  runDue(account, 20_000)
  apply(account, [{ dropTask: 'task' }])
  expect(sentBy(account, 90_000)).toEqual([])
  expect(statesOf(account).every((state) => state.endsWith('skipped'))).toBe(true)
})

test('a delivery is overtaken by the next one', () => {
  const account = accountPlaying([stepOn({ status: 'running' }, { afterNext: true })])
  expect(sentBy(account, 10_000)).toEqual(['queued'])
  expect(sentBy(account, 20_000)).toEqual(['succeeded', 'running'])
  expect(account.callbacks.queues.size).toBe(0)
})

test('two that are to be overtaken come in reverse behind the third', () => {
  const account = accountPlaying([stepOn({ status: ['queued', 'running'] }, { afterNext: true })])
  expect(sentBy(account, 10_000)).toEqual([])
  expect(sentBy(account, 20_000)).toEqual(['succeeded', 'running', 'queued'])
})

test('the last one has none to be overtaken by, and is sent', () => {
  const account = accountPlaying([stepOn('delivery', { afterNext: true })])
  expect(sentBy(account, 20_000)).toEqual(['succeeded', 'running', 'queued'])
})

test('a callback that waits for the next one is sent when the next one is never sent', () => {
  const account = accountPlaying([
    stepOn({ status: 'running' }, { afterNext: true }),
    stepOn({ status: 'succeeded' }, { never: true }),
  ])
  expect(sentBy(account, 20_000)).toEqual(['queued', 'running'])
})

test('a step counts the messages of the account, and the log says which acted and which could have', () => {
  const account = accountPlaying([
    { ...stepOn('delivery', { never: true }), when: { callback: 'delivery', nth: 2 } },
  ])
  sentBy(account, 20_000)
  expect([...account.callbacks.log.values()].map(({ scenario }) => scenario)).toEqual([
    {
      acted: null,
      nearMisses: [{ scenario: 'trial', step: 1, why: 'wants the second delivery; this was the first' }],
    },
    { acted: { scenario: 'trial', step: 1, says: null, effects: ['callback.never'] }, nearMisses: [] },
    {
      acted: null,
      nearMisses: [{ scenario: 'trial', step: 1, why: 'wants the second delivery; this was the third' }],
    },
  ])
})

test('a guest plays for its task alone', () => {
  const account = accountPlaying([stepOn('challenge', { never: true })])
  const guest = playing(stepOn({ status: 'queued' }, { never: true }))
  const other = { ...taskWith(), id: 'other' }
  account.tasks.set(other, 1)
  openCallbackQueue(account, other, other.callback as CallbackAddress, guest)
  expect(sentBy(account, 0)).toEqual(['queued'])
  expect(statesOf(account)).toEqual(['queued delivered', 'queued skipped'])
})
