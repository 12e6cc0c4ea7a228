import { expect, test } from 'vitest'
import { instantTimeline, plainTimeline } from '../../../src/core/task/life.js'
import { nextChange, viewAt } from '../../../src/core/task/task.js'
import { taskWith } from './literals.js'

const task = taskWith({ life: plainTimeline(0, { queuedMs: 1_000, runningMs: 1_000 }, []) })

test.each([
  ['when it is created', 0, 'queued', 0, 0],
  ['as long as it waits', 999, 'queued', 0, 0],
  ['when it begins to run', 1_000, 'running', 1_000, 10],
  ['half-way', 1_500, 'running', 1_000, 52],
  ['just before its end', 1_999, 'running', 1_000, 94],
  ['at its end', 2_000, 'succeeded', 2_000, 100],
  ['long after', 99_999, 'succeeded', 2_000, 100],
  ['before its creation, on a clock that was set back', -5, 'queued', 0, 0],
])('%s (%i) it is %s since %i with %i percent', (_, now, state, since, progress) =>
  expect(viewAt(task, now)).toMatchObject({ phase: { state }, since, progress, now }),
)

test('progress never falls and stays below 100 until the end', () => {
  const seen = Array.from({ length: 2_001 }, (_, now) => viewAt(task, now).progress)
  expect(seen).toEqual([...seen].sort((a, b) => a - b))
  expect(seen.indexOf(100)).toBe(2_000)
})

test('a task that is held while it runs shows that it has begun', () =>
  expect(viewAt({ ...task, life: task.life.slice(0, 2) }, 50_000).progress).toBe(10))

test.each([
  [0, 1_000],
  [999, 1_000],
  [1_000, 2_000],
  [2_000, undefined],
])('after %i it changes at %s', (now, at) => expect(nextChange(task, now)).toBe(at))

test('a synchronous task never changes', () =>
  expect(nextChange(taskWith({ life: instantTimeline(0, []) }), 0)).toBeUndefined())
