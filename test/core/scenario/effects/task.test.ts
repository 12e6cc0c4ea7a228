import { describe, expect, test } from 'vitest'
import { overrideTask, overrideTimeline } from '../../../../src/core/scenario/effects/task.js'
import type { TaskOverride } from '../../../../src/core/scenario/schema.js'
import { plainTimeline } from '../../../../src/core/task/timeline.js'
import { taskWith } from '../../task/literals.js'

/** Queued from 0, running from 10, succeeded at 20. */
const life = plainTimeline(0, { queuedMs: 10, runningMs: 10 }, [])
const told = (twist: TaskOverride) => overrideTimeline(life, twist).map(({ at, value }) => [at, value.state])

test.each<[string, TaskOverride, [number, string][]]>([
  [
    'nothing',
    {},
    [
      [0, 'queued'],
      [10, 'running'],
      [20, 'succeeded'],
    ],
  ],
  [
    'a longer wait',
    { queuedFor: 100 },
    [
      [0, 'queued'],
      [100, 'running'],
      [110, 'succeeded'],
    ],
  ],
  [
    'no wait',
    { queuedFor: 0 },
    [
      [0, 'queued'],
      [0, 'running'],
      [10, 'succeeded'],
    ],
  ],
  [
    'a longer run',
    { runningFor: 100 },
    [
      [0, 'queued'],
      [10, 'running'],
      [110, 'succeeded'],
    ],
  ],
  [
    'both',
    { queuedFor: 5, runningFor: 5 },
    [
      [0, 'queued'],
      [5, 'running'],
      [10, 'succeeded'],
    ],
  ],
  ['a wait for ever', { queuedFor: 'ever' }, [[0, 'queued']]],
  [
    'a run for ever',
    { runningFor: 'ever' },
    [
      [0, 'queued'],
      [10, 'running'],
    ],
  ],
  [
    'a failure at the end',
    { fails: { error: 'bad' } },
    [
      [0, 'queued'],
      [10, 'running'],
      [20, 'failed'],
    ],
  ],
  [
    'a failure while it runs',
    { fails: { error: 'bad', after: 15 } },
    [
      [0, 'queued'],
      [10, 'running'],
      [15, 'failed'],
    ],
  ],
  [
    'a failure while it waits',
    { fails: { error: 'bad', after: 5 } },
    [
      [0, 'queued'],
      [5, 'failed'],
    ],
  ],
  [
    'a failure at once',
    { fails: { error: 'bad', after: 0 } },
    [
      [0, 'queued'],
      [0, 'failed'],
    ],
  ],
  [
    'a failure after its end',
    { fails: { error: 'bad', after: 50 } },
    [
      [0, 'queued'],
      [10, 'running'],
      [50, 'failed'],
    ],
  ],
  [
    'a failure after a wait for ever',
    { queuedFor: 'ever', fails: { error: 'bad', after: 50 } },
    [
      [0, 'queued'],
      [50, 'failed'],
    ],
  ],
  [
    'an expiry',
    { expires: { after: 12 } },
    [
      [0, 'queued'],
      [10, 'running'],
      [12, 'expired'],
    ],
  ],
  [
    'a finish at once',
    { finishes: 'at once' },
    [
      [0, 'queued'],
      [0, 'succeeded'],
    ],
  ],
])('%s', (_, twist, expected) => expect(told(twist)).toEqual(expected))

test('a failure has the name that the twist gives it', () =>
  expect(overrideTimeline(life, { fails: { error: 'bad' } }).at(-1)?.value).toEqual({
    state: 'failed',
    error: 'bad',
  }))

describe('a task', () => {
  test('that is held for ever still runs into its deadline', () => {
    const { life: applyScenario } = overrideTask(taskWith({ life }), { queuedFor: 'ever' }, 1_000)
    expect(applyScenario.map(({ at, value }) => [at, value.state])).toEqual([
      [0, 'queued'],
      [1_000, 'expired'],
    ])
  })

  test('without a deadline stays where it is held', () =>
    expect(overrideTask(taskWith({ life }), { runningFor: 'ever' }, undefined).life).toHaveLength(2))

  test('is put into disguise where answers about it are to differ', () =>
    expect(
      overrideTask(taskWith({ life }), { withoutUrl: true, statusWord: 'warming' }, undefined).disguise,
    ).toEqual({
      withoutUrl: true,
      statusWord: 'warming',
    }))

  test('has no disguise otherwise', () =>
    expect(overrideTask(taskWith({ life }), { queuedFor: 5 }, undefined)).not.toHaveProperty('disguise'))
})
