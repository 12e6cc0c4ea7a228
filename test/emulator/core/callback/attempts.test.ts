import { describe, expect, test } from 'vitest'
import { nextDue, runDue } from '../../../../src/emulator/core/account/apply.js'
import {
  type AttemptResult,
  challengeDifference,
  returnsChallenge,
} from '../../../../src/emulator/core/callback/attempts.js'
import { resend } from '../../../../src/emulator/core/callback/queue.js'
import type { DeliveryJob } from '../../../../src/emulator/core/model/account.js'
import {
  accepted,
  accountWith,
  CHALLENGE,
  conclusion,
  postingsAt,
  refused,
  statesOf,
  taskWith,
} from './story.js'

describe('challenge', () => {
  const challenge = 'c'.repeat(32)

  test.each([
    ['its text', challenge],
    ['JSON with it', JSON.stringify({ challenge })],
    ['JSON with it and more', JSON.stringify({ code: 0, challenge })],
  ])('%s gives the challenge back', (_, answer) => expect(returnsChallenge(answer, challenge)).toBe(true))

  test.each([
    ['nothing', ''],
    ['a part of it', challenge.slice(1)],
    ['its text and a line break', `${challenge}\n`],
    ['JSON without it', '{}'],
    ['JSON with another', JSON.stringify({ challenge: 'other' })],
    ['JSON with it somewhere else', JSON.stringify({ data: { challenge } })],
    ['a JSON string', JSON.stringify(challenge)],
    ['null', 'null'],
    ['a number', '1'],
  ])('%s does not', (_, answer) => expect(returnsChallenge(answer, challenge)).toBe(false))
})

describe('challengeDifference', () => {
  const challenge = 'c'.repeat(32)

  test.each([
    ['a line break behind it', `${challenge}\n`, 'white space is around it'],
    ['a space before it in JSON', JSON.stringify({ challenge: ` ${challenge}` }), 'white space is around it'],
    ['a JSON string', JSON.stringify(challenge), 'it is a JSON string, with quotes around it'],
    [
      'another case of the key',
      JSON.stringify({ Challenge: challenge }),
      'its key is Challenge instead of challenge',
    ],
    ['a byte order mark before it', `\uFEFF${challenge}`, 'a byte order mark is before it'],
    [
      'a byte order mark before JSON',
      `\uFEFF${JSON.stringify({ challenge })}`,
      'a byte order mark is before it',
    ],
    ['nothing', '', undefined],
    ['null', 'null', undefined],
    ['another text', 'ok', undefined],
    ['another challenge under another key', JSON.stringify({ CHALLENGE: 'x' }), undefined],
    ['another key', JSON.stringify({ token: challenge }), undefined],
    ['a number', JSON.stringify({ challenge: 1 }), undefined],
  ])('%s', (_, answer, difference) => expect(challengeDifference(answer, challenge)).toBe(difference))
})

describe('conclude', () => {
  const first = (postings: DeliveryJob[]): DeliveryJob => postings[0] as DeliveryJob

  test('once the challenge has passed, the first status is sent in the same instant', () => {
    const account = accountWith(taskWith(CHALLENGE))
    const { happened, next } = conclusion(account, first(postingsAt(account, 0)), accepted, 7)
    expect(happened).toEqual(['task-0 passed'])
    expect(next).toMatchObject([{ at: 7, callback: { id: 'task-1' } }])
  })

  test('a challenge that fails is not tried again, and everything else is skipped', () => {
    const account = accountWith(taskWith(CHALLENGE))
    const { happened, next } = conclusion(account, first(postingsAt(account, 10_000)), refused, 10_000)
    expect(happened).toEqual(['task-0 failed', 'task-1 skipped', 'task-2 skipped'])
    expect(next).toEqual([])
  })

  test('status changes after a failed challenge are skipped', () => {
    const account = accountWith(taskWith(CHALLENGE))
    conclusion(account, first(postingsAt(account, 0)), refused, 0)
    const happened = runDue(account, 10_000).events.map(({ kind, detail }) => `${kind} ${detail}`)
    expect(happened).toEqual(['task running', 'callback skipped'])
  })

  const fateOf = (outcome: Partial<AttemptResult>) => {
    const account = accountWith(taskWith(CHALLENGE))
    conclusion(account, first(postingsAt(account, 0)), { ...accepted, ...outcome }, 0)
    runDue(account, 10_000)
    return ['task-0', 'task-1', 'task-2'].map((id) => account.callbacks.log.get(id)?.reason)
  }

  const UNANSWERED = 'The challenge was not answered as it must be, so that nothing is sent for this task.'

  test.each([
    [
      'returned with 500',
      { status: 500 },
      'The receiver returned the challenge, but answered 500 instead of a 2xx status.',
    ],
    [
      'returned with 302, behind much else',
      { status: 302, answer: JSON.stringify({ much: 'x'.repeat(2_000), challenge: CHALLENGE }) },
      'The receiver returned the challenge, but answered 302 instead of a 2xx status.',
    ],
    [
      'answered with something else',
      { answer: 'ok' },
      'The receiver answered 200 and did not return the challenge.',
    ],
    [
      'answered with a line break',
      { answer: `${CHALLENGE}\n` },
      'The receiver answered 200 and did not return the challenge exactly: white space is around it.',
    ],
  ])('a challenge that is %s is said to be that', (_, outcome, reason) =>
    expect(fateOf(outcome)).toEqual([reason, UNANSWERED, UNANSWERED]),
  )

  test('a refused address is the reason of skipped callbacks', () => {
    const refusal =
      'The address was refused when the challenge was to be sent, so that nothing is sent for this task.'
    expect(fateOf({ outcome: 'refused-address', error: 'Not there.' })).toEqual([
      'Not there.',
      refusal,
      refusal,
    ])
  })

  test.each([
    ['200', { status: 200 }, 'delivered'],
    ['204', { status: 204 }, 'delivered'],
    ['299', { status: 299 }, 'delivered'],
    ['199', { status: 199 }, 'retrying'],
    ['300', { status: 300 }, 'retrying'],
    ['404', { status: 404 }, 'retrying'],
    ['a timeout after 200', { outcome: 'timeout', status: 200 }, 'retrying'],
    ['a failure', { outcome: 'failed' }, 'retrying'],
    ['a refused address', { outcome: 'refused-address' }, 'failed'],
  ] as [string, Partial<AttemptResult>, string][])('a delivery with %s', (_, change, detail) => {
    const account = accountWith(taskWith())
    const outcome: AttemptResult = { outcome: 'answered', durationMs: 1, sent: {}, ...change }
    const { happened } = conclusion(account, first(postingsAt(account, 0)), outcome, 0)
    expect(happened).toEqual([`task-1 ${detail}`])
  })

  test('a delivery that is given up at once does not say how often it was tried', () => {
    const account = accountWith(taskWith())
    const outcome = { outcome: 'refused-address', error: 'Not there.', durationMs: 1, sent: {} } as const
    conclusion(account, first(postingsAt(account, 0)), outcome, 0)
    expect(account.callbacks.log.get('task-1')?.reason).toBe('Not there.')
  })

  test('the next attempts come 1, 2 and 4 seconds after the one before has ended', () => {
    const account = accountWith(taskWith())
    const due: (number | undefined)[] = []
    for (const endedAt of [100, 1_200, 3_300]) {
      conclusion(account, first(postingsAt(account, endedAt)), refused, endedAt)
      due.push(nextDue(account))
    }
    expect(due).toEqual([1_100, 3_200, 7_300])
  })

  test('after the fourth attempt it is given up, and the next in turn is sent', () => {
    const account = accountWith(taskWith())
    for (const at of [0, 1_000, 3_000]) conclusion(account, first(postingsAt(account, at)), refused, at)
    const fourth = first(postingsAt(account, 7_000))
    const { happened, next } = conclusion(account, fourth, refused, 12_000)
    expect(happened).toEqual(['task-1 failed'])
    expect(next).toMatchObject([{ callback: { status: 'running' } }])
  })

  test('an attempt keeps the beginning of a long answer', () => {
    const account = accountWith(taskWith())
    conclusion(account, first(postingsAt(account, 0)), { ...accepted, answer: 'x'.repeat(2_000) }, 0)
    expect(account.callbacks.log.get('task-1')?.attempts[0]?.answer).toHaveLength(1_000)
  })

  test('the answer to an attempt that has ended already changes nothing', () => {
    const account = accountWith(taskWith())
    const posting = first(postingsAt(account, 0))
    conclusion(account, posting, accepted, 0)
    const before = statesOf(account)
    expect(conclusion(account, posting, refused, 0)).toEqual({ happened: [], next: [] })
    expect(statesOf(account)).toEqual(before)
  })

  test('sending again one that waits brings its attempt forward, and it is sent once', () => {
    const account = accountWith(taskWith())
    conclusion(account, first(postingsAt(account, 0)), refused, 0)
    const { jobs, events } = { jobs: [], events: [] }
    resend(account, 'task-1', 500, { jobs, events })
    expect(jobs).toEqual([])
    expect(postingsAt(account, 500)).toMatchObject([{ at: 500, isResend: false }])
    expect(nextDue(account)).toBe(10_000)
  })
})
