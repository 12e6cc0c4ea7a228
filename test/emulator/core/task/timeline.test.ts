import { describe, expect, test } from 'vitest'
import {
  expiringAt,
  forcedTimeline,
  instantTimeline,
  isFinal,
  mediaOf,
  type Phase,
  plainTimeline,
  type TaskTimeline,
  viewAt,
} from '../../../../src/emulator/core/model/task.js'
import { nextChange } from '../../../../src/emulator/core/schedule/time.js'
import { taskWith } from './literals.js'

describe('timeline', () => {
  const timeline: TaskTimeline = plainTimeline(0, { queuedMs: 10, runningMs: 10 }, [])
  const written = (one: TaskTimeline) => one.map(({ at, value }) => `${at} ${value.state}`)

  test('the ordinary timeline is queued, running, succeeded', () =>
    expect(written(timeline)).toEqual(['0 queued', '10 running', '20 succeeded']))

  test('a synchronous timeline ends where it begins', () =>
    expect(written(instantTimeline(7, []))).toEqual(['7 succeeded']))

  test.each([
    ['after its end', 21, ['0 queued', '10 running', '20 succeeded']],
    ['at its end', 20, ['0 queued', '10 running', '20 expired']],
    ['while it runs', 15, ['0 queued', '10 running', '15 expired']],
    ['when it would begin to run', 10, ['0 queued', '10 expired']],
    ['while it waits', 5, ['0 queued', '5 expired']],
  ])('a deadline %s (%i)', (_, deadline, moments) =>
    expect(written(expiringAt(timeline, deadline))).toEqual(moments),
  )

  test('a timeline that is held without an end expires too', () =>
    expect(written(expiringAt(timeline.slice(0, 2), 500))).toEqual(['0 queued', '10 running', '500 expired']))

  test.each([
    ['at the creation', 0, ['0 queued', '0 failed']],
    ['while it waits', 5, ['0 queued', '5 failed']],
    ['when it begins to run', 10, ['0 queued', '10 running', '10 failed']],
    ['while it runs', 15, ['0 queued', '10 running', '15 failed']],
    ['before the creation, on a clock that was set back', -5, ['0 queued', '0 failed']],
  ])('forced %s (%i), the past stays and the future is replaced', (_, now, moments) =>
    expect(written(forcedTimeline(timeline, now, { state: 'failed', error: 'any' }))).toEqual(moments),
  )

  test.each([
    [{ state: 'pending' }, false],
    [{ state: 'queued' }, false],
    [{ state: 'running' }, false],
    [{ state: 'succeeded', media: [] }, true],
    [{ state: 'failed', error: 'any' }, true],
    [{ state: 'cancelled' }, true],
    [{ state: 'expired' }, true],
  ] as const)('%o is final: %s', (phase: Phase, final) => expect(isFinal(phase)).toBe(final))

  test('only what succeeded has media', () => {
    expect(mediaOf({ state: 'succeeded', media: [] })).toEqual([])
    expect(mediaOf({ state: 'failed', error: 'any' })).toEqual([])
  })
})

describe('view', () => {
  const task = taskWith({ timeline: plainTimeline(0, { queuedMs: 1_000, runningMs: 1_000 }, []) })

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
    expect(viewAt({ ...task, timeline: task.timeline.slice(0, 2) }, 50_000).progress).toBe(10))

  test.each([
    [0, 1_000],
    [999, 1_000],
    [1_000, 2_000],
    [2_000, undefined],
  ])('after %i it changes at %s', (now, at) => expect(nextChange(task, now)).toBe(at))

  test('a synchronous task never changes', () =>
    expect(nextChange(taskWith({ timeline: instantTimeline(0, []) }), 0)).toBeUndefined())
})
