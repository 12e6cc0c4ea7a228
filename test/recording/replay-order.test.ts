import { describe, expect, test } from 'vitest'
import { sortByTime } from '../../src/recording/replay.js'
import type { Recording } from '../../src/traffic/format.js'

type Line = Recording['lines'][number]['line']

describe('in order', () => {
  const iso = (second: number) => new Date(second * 1_000).toISOString()
  const call = (account: string, second: number, id = `${account}${second}`) =>
    ({
      kind: 'call',
      account,
      at: iso(second),
      id,
      request: { method: 'GET', path: '/' },
      answer: {},
    }) as Line
  const reset = (account: string) => ({ kind: 'reset', account }) as Line

  const control = (account: string, second: number, action: string, input: object) =>
    ({ kind: 'control', account, at: iso(second), action, input }) as Line

  const ids = (lines: readonly Line[]) =>
    sortByTime(lines.map((line, lineNumber) => ({ lineNumber, line }))).map(({ line }) =>
      line.kind === 'call' ? line.id : line.kind === 'control' ? line.action : line.kind,
    )

  test('calls of an account go by its clock', () =>
    expect(ids([call('a', 2), call('a', 1), call('a', 3)])).toEqual(['a1', 'a2', 'a3']))

  test('lines of one instant stay in their order', () =>
    expect(ids([call('a', 1, 'first'), call('a', 1, 'second')])).toEqual(['first', 'second']))

  test('lines of one instant that are numbered go by their numbers', () => {
    const second = { ...call('a', 1, 'second'), sequence: 2 } as Line
    const change = { ...control('a', 1, 'account.change', {}), sequence: 3 } as Line
    expect(ids([change, second, { ...call('a', 1, 'first'), sequence: 1 } as Line])).toEqual([
      ...['first', 'second', 'account.change'],
    ])
  })

  test('a call that was answered late goes before those that were decided after it, which keep their places', () => {
    expect(ids([call('a', 2), call('b', 9), call('a', 1)])).toEqual(['a1', 'a2', 'b9'])
    expect(ids([reset('b'), call('a', 2), call('a', 3), call('b', 9), call('a', 1), call('a', 4)])).toEqual([
      ...['reset', 'a1', 'a2', 'a3', 'b9', 'a4'],
    ])
  })

  test('nothing goes past a reset', () =>
    expect(ids([call('a', 5), reset('a'), call('a', 1), call('b', 0)])).toEqual(['a5', 'reset', 'a1', 'b0']))

  test('nothing goes past a clock that is put to another time', () =>
    expect(
      ids([
        control('a', 9, 'clock.change', { mode: 'on-poll', now: iso(1) }),
        control('a', 1, 'account.change', {}),
        call('a', 3),
        call('a', 2),
      ]),
    ).toEqual(['clock.change', 'account.change', 'a2', 'a3']))

  test('a change of the mode alone lets what was decided before it go before it', () =>
    expect(ids([control('a', 9, 'clock.change', { mode: 'paused' }), call('a', 8)])).toEqual([
      'a8',
      'clock.change',
    ]))
})
