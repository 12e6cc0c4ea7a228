import { expect, test } from 'vitest'
import { inOrder } from '../../../src/core/recording/in-order.js'
import type { Line } from '../../../src/core/recording/recording.js'

const iso = (second: number) => new Date(second * 1_000).toISOString()
const call = (account: string, second: number, id = `${account}${second}`) =>
  ({ kind: 'call', account, at: iso(second), id, request: { method: 'GET', path: '/' }, answer: {} }) as Line
const reset = (account: string) => ({ kind: 'reset', account }) as Line

const ids = (lines: readonly Line[]) =>
  inOrder(lines.map((line, at) => ({ at, line }))).map(({ line }) =>
    line.kind === 'call' ? line.id : line.kind === 'control' ? line.action : line.kind,
  )

test('calls of an account go by its clock', () =>
  expect(ids([call('a', 2), call('a', 1), call('a', 3)])).toEqual(['a1', 'a2', 'a3']))

test('those of one instant stay as they are written', () =>
  expect(ids([call('a', 1, 'first'), call('a', 1, 'second')])).toEqual(['first', 'second']))

test('accounts keep their places between each other', () =>
  expect(ids([call('a', 2), call('b', 9), call('a', 1)])).toEqual(['a1', 'b9', 'a2']))

test('nothing goes past a reset', () =>
  expect(ids([call('a', 5), reset('a'), call('a', 1), call('b', 0)])).toEqual(['a5', 'reset', 'a1', 'b0']))

const control = (account: string, second: number, action: string, input: object) =>
  ({ kind: 'control', account, at: iso(second), action, input }) as Line

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
