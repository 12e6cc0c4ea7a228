import { expect, test } from 'vitest'
import type { Task } from '../../../src/core/model/task.js'
import { isVisible } from '../../../src/core/task/read.js'
import { viewAt } from '../../../src/core/task/timeline.js'
import { visibleUntilDeleted, visibleWhileRecent } from '../../../src/families/shared/respond.js'
import { taskWith } from '../../core/task/literals.js'

const DAY = 86_400_000
const cancelledAt = (at: number): Task =>
  taskWith({
    timeline: [
      { at: 0, value: { state: 'queued' } },
      { at, value: { state: 'cancelled' } },
    ],
  })

test.each([
  ['at its creation', 0, true],
  ['7 days old', 7 * DAY, true],
  ['older than 7 days', 7 * DAY + 1, false],
  ['not yet made, on a clock that was set back', -DAY, true],
])('a task %s (%i) is recent: %s', (_, now, recent) => {
  expect(isVisible({ visibleUntil: visibleWhileRecent }, viewAt(taskWith(), now))).toBe(recent)
  expect(isVisible({ visibleUntil: visibleUntilDeleted }, viewAt(taskWith(), now))).toBe(recent)
})

test.each([
  ['before 24 hours', 5_000 + DAY - 1, true],
  ['after 24 hours', 5_000 + DAY, false],
])('a cancelled task is kept %s', (_, now, kept) =>
  expect(isVisible({ visibleUntil: visibleUntilDeleted }, viewAt(cancelledAt(5_000), now))).toBe(kept),
)

test('a cancelled task that interfaces without deletion see is kept for 7 days', () =>
  expect(isVisible({ visibleUntil: visibleWhileRecent }, viewAt(cancelledAt(0), 2 * DAY))).toBe(true))
