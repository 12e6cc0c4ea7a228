import { describe, expect, test } from 'vitest'
import { plainTimeline } from '../../../../src/core/model/task.js'
import { overrideTask } from '../../../../src/core/scenario/apply.js'
import type { StepEffects } from '../../../../src/core/scenario/effects/index.js'
import { taskWith } from '../../task/literals.js'

type TaskValues = NonNullable<StepEffects['task']>

/** Queued from 0, running from 10, succeeded at 20. */
const timeline = plainTimeline(0, { queuedMs: 10, runningMs: 10 }, [])
const changed = (task: TaskValues, deadline?: number) =>
  overrideTask(taskWith({ timeline }), { task }, () => deadline)
const told = (values: TaskValues) => changed(values).timeline.map(({ at, value }) => [at, value.state])

test.each<[string, TaskValues, [number, string][]]>([
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
])('%s', (_, values, expected) => expect(told(values)).toEqual(expected))

test('a failure has the name that the step gives it', () =>
  expect(changed({ fails: { error: 'bad' } }).timeline.at(-1)?.value).toEqual({
    state: 'failed',
    error: 'bad',
  }))

describe('a task', () => {
  test('that is held for ever still runs into its deadline', () => {
    expect(changed({ queuedFor: 'ever' }, 1_000).timeline.map(({ at, value }) => [at, value.state])).toEqual([
      [0, 'queued'],
      [1_000, 'expired'],
    ])
  })

  test('without a deadline stays where it is held', () =>
    expect(changed({ runningFor: 'ever' }).timeline).toHaveLength(2))

  test('has response overrides where answers about it are to differ', () =>
    expect(changed({ withoutUrl: true, statusWord: 'warming' }).responseOverrides).toEqual({
      withoutUrl: true,
      statusWord: 'warming',
    }))

  test('has none otherwise', () => expect(changed({ queuedFor: 5 })).not.toHaveProperty('responseOverrides'))
})
