import { expect, test } from 'vitest'
import { clockGoal } from '../../../src/ui/state/clock-goal.js'

const NOW = Date.parse('2026-01-01T12:00:00Z')

test.each([
  ['14d', { by: '1209600000ms' }],
  ['+1h 30m', { by: '5400000ms' }],
  ['2.5 s', { by: '2500ms' }],
  ['18:00', { to: '2026-01-01T18:00:00.000Z' }],
  ['9:30', { to: '2026-01-02T09:30:00.000Z' }],
  ['to 12:00:00', { to: '2026-01-02T12:00:00.000Z' }],
  ['2026-01-15', { to: '2026-01-15T00:00:00.000Z' }],
  ['2026-01-15 08:15', { to: '2026-01-15T08:15:00.000Z' }],
  ['2026-01-15T08:15:00.250+02:00', { to: '2026-01-15T06:15:00.250Z' }],
])('%s is the goal %j', (text, goal) => {
  expect(clockGoal(text, NOW)).toEqual(goal)
})

test.each(['', 'soon', '14', '14 fortnights', '25:00', '2026-13-45', '1h later'])(
  '%s is no goal, and is told so',
  (text) => {
    expect(() => clockGoal(text, NOW)).toThrow(`"${text}" is neither a duration`)
  },
)
