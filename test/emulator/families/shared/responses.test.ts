import { describe, expect, test } from 'vitest'
import { type Task, viewAt } from '../../../../src/emulator/core/model/task.js'
import { isVisible } from '../../../../src/emulator/core/task/read.js'
import {
  timestampDigits,
  uniqueSuffix,
  unixSeconds,
  visibleUntilDeleted,
  visibleWhileRecent,
} from '../../../../src/emulator/families/shared/responses.js'
import { taskWith } from '../../core/task/literals.js'
import { contextWith } from '../context.js'

describe('respond', () => {
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

  test('a task that was cancelled on its last day leaves with the others of 7 days', () => {
    const at = (now: number) => viewAt(cancelledAt(6.5 * DAY), now)
    expect(isVisible({ visibleUntil: visibleUntilDeleted }, at(7 * DAY))).toBe(true)
    expect(isVisible({ visibleUntil: visibleUntilDeleted }, at(7 * DAY + 1))).toBe(false)
  })

  test('a cancelled task that interfaces without deletion see is kept for 7 days', () =>
    expect(isVisible({ visibleUntil: visibleWhileRecent }, viewAt(cancelledAt(0), 2 * DAY))).toBe(true))
})

describe('ids', () => {
  test.each([
    [0, 0],
    [999, 0],
    [1_000, 1],
    [1_767_225_600_999, 1_767_225_600],
  ])('%i milliseconds are %i whole seconds', (at, seconds) => expect(unixSeconds(at)).toBe(seconds))

  test('digits are of UTC, with leading zeros', () => {
    expect(timestampDigits(Date.UTC(2026, 0, 2, 3, 4, 5, 678))).toBe('20260102030405')
    expect(timestampDigits(Date.UTC(2026, 11, 31, 23, 59, 59, 999))).toBe('20261231235959')
    expect(timestampDigits(Date.UTC(2026, 11, 31, 23, 59, 59, 0))).toBe('20261231235959')
    expect(timestampDigits(Date.UTC(2027, 0, 1))).toBe('20270101000000')
    expect(timestampDigits(Date.UTC(2026, 11, 31, 23, 59, 58, 999))).toBe('20261231235958')
  })

  test('the letters of 200,000 tasks of an account never meet', () => {
    const context = contextWith()
    const letters = new Set<string>()
    for (let sequence = 1; sequence <= 200_000; sequence += 1)
      letters.add(uniqueSuffix({ ...context, sequence }))
    expect(letters.size).toBe(200_000)
    for (const one of [...letters].slice(0, 1_000)) expect(one).toMatch(/^[a-z0-9]{5}$/)
  })

  test('another account and another seed have other letters', () => {
    const usual = uniqueSuffix(contextWith())
    expect(uniqueSuffix(contextWith({ key: 'another' }))).not.toBe(usual)
    expect(uniqueSuffix(contextWith({ settings: { seed: 99 } }))).not.toBe(usual)
  })

  test('the largest seed is no obstacle', () =>
    expect(uniqueSuffix(contextWith({ settings: { seed: Number.MAX_SAFE_INTEGER } }))).toMatch(
      /^[a-z0-9]{5}$/,
    ))
})
