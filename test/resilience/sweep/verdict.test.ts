import { expect, test } from 'vitest'
import { verdictOf } from '../../../src/resilience/sweep/report.js'

type Evidence = Parameters<typeof verdictOf>[0]

const green: Evidence = { outcome: 'pass', ledger: [], isReached: true, isCalled: true, survivable: true }
const waste: Evidence['ledger'] = [{ kind: 'paid-twice' }]

test.each<[string, Partial<Evidence>, string]>([
  ['green and nothing seen', {}, 'survived'],
  ['green after a retry', { ledger: [{ kind: 'retried' }] }, 'survived'],
  ['green and something seen', { ledger: waste }, 'survived-but'],
  ['green and impolite', { ledger: [{ kind: 'did-not-wait' }] }, 'survived-but'],
  ['red where no client can survive', { outcome: 'fail', survivable: false }, 'refused-cleanly'],
  [
    'red after a retry',
    { outcome: 'fail', survivable: false, ledger: [{ kind: 'retried' }] },
    'refused-cleanly',
  ],
  ['red and wasteful', { outcome: 'fail', survivable: false, ledger: waste }, 'failed'],
  ...(['did-not-wait', 'polled-on', 'refused-callbacks'] as const).map(
    (kind): [string, Partial<Evidence>, string] => [
      `red, with nothing wasted but ${kind}`,
      { outcome: 'fail', survivable: false, ledger: [{ kind }] },
      'refused-cleanly',
    ],
  ),
  ...(['lost', 'kept-damaged-file', 'abandoned', 'hammered'] as const).map(
    (kind): [string, Partial<Evidence>, string] => [
      `red, with ${kind}`,
      { outcome: 'fail', survivable: false, ledger: [{ kind }] },
      'failed',
    ],
  ),
  ['red where a client can survive', { outcome: 'fail' }, 'failed'],
  ['past the time limit', { outcome: 'hung' }, 'hung'],
  ['past the time limit, and wasteful', { outcome: 'hung', ledger: waste }, 'hung'],
  ['ended by a signal', { outcome: 'crashed' }, 'crashed'],
  ['no step acted', { isReached: false }, 'not-reached'],
  ['no step acted, and red all the same', { isReached: false, outcome: 'fail' }, 'not-reached'],
  ['no emulator was called', { isReached: false, isCalled: false }, 'untested'],
])('%s', (_, evidence, verdict) => expect(verdictOf({ ...green, ...evidence })).toBe(verdict))
