import { expect, test } from 'vitest'
import { callbackRows } from '../../../src/ui/state/callback-rows.js'
import { withDays } from '../../../src/ui/state/day-rows.js'
import { callback, task } from './records.js'

const row = (id: string, at: string) => ({ id, at })
const dayOf = ({ at }: { at: string }) => at.slice(0, 10)

test('each day but today has a heading, once', () => {
  const rows = [
    row('c', '2026-01-03T00:00:00Z'),
    row('b', '2026-01-02T23:59:59Z'),
    row('a', '2026-01-02T00:00:00Z'),
  ]
  const idsOn = (today: string) => withDays(rows, dayOf, today).map(({ id }) => id)
  expect(idsOn('2026-01-03')).toEqual(['c', 'day 2026-01-02', 'b', 'a'])
  expect(idsOn('2026-01-04')).toEqual(['day 2026-01-03', 'c', 'day 2026-01-02', 'b', 'a'])
  expect(withDays([], dayOf, '2026-01-03')).toEqual([])
})

test('callbacks stand in the order of their latest attempts, those without one at the change that they report', () => {
  const sentAt = (at: string) => [{ at, durationMs: 3, outcome: 'answered', status: 200 }] as const
  const again = sentAt('2026-01-01T00:00:01.000Z')
  const rows = callbackRows(
    [
      callback({ id: 'third', attempts: sentAt('2026-01-01T00:00:04.000Z') }),
      callback({ id: 'unsent', attempts: [], state: 'skipped', status: 'succeeded' }),
      callback({ id: 'second', attempts: sentAt('2026-01-01T00:00:02.000Z') }),
      callback({ id: 'beside', attempts: sentAt('2026-01-01T00:00:02.000Z') }),
      callback({ id: 'redelivered', attempts: [...again, ...sentAt('2026-01-02T00:00:00.000Z')] }),
      callback({ id: 'orphan', attempts: [], taskId: 'gone' }),
    ],
    [task()],
  )
  expect(rows.map(({ id }) => id)).toEqual(['redelivered', 'third', 'unsent', 'second', 'beside', 'orphan'])
  expect(rows[2]?.at).toBe('2026-01-01T00:00:03.000Z')
})
