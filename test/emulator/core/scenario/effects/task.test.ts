import { describe, expect, test } from 'vitest'
import type { MediaSpec } from '../../../../../src/emulator/core/media/spec.js'
import { plainTimeline } from '../../../../../src/emulator/core/model/task.js'
import { overrideTask } from '../../../../../src/emulator/core/scenario/apply.js'
import type { StepEffects } from '../../../../../src/emulator/core/scenario/effects/index.js'
import { HOUR } from '../../../../../src/emulator/core/schedule/time.js'
import { taskWith } from '../../task/literals.js'

type TaskValues = NonNullable<StepEffects['task']>

/** Queued from 0, running from 10, succeeded at 20. */
const timeline = plainTimeline(0, { queuedMs: 10, runningMs: 10 }, [])
const changed = (task: TaskValues, deadline?: number) =>
  overrideTask(taskWith({ timeline }), { task }, () => deadline)
const momentsOf = (values: TaskValues) => changed(values).timeline.map(({ at, value }) => [at, value.state])

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
])('%s', (_, values, expected) => expect(momentsOf(values)).toEqual(expected))

/** The same one hour later, with a longer run. */
const later = plainTimeline(HOUR, { queuedMs: 10, runningMs: 31 }, [])
const toldLater = (values: TaskValues) =>
  overrideTask(taskWith({ timeline: later }), { task: values }, () => undefined).timeline.map(
    ({ at, value }) => [at - HOUR, value.state],
  )

test.each<[string, TaskValues, [number, string][]]>([
  [
    'a failure so long after the create',
    { fails: { error: 'bad', after: 15 } },
    [
      [0, 'queued'],
      [10, 'running'],
      [15, 'failed'],
    ],
  ],
  [
    'an expiry so long after the create',
    { expires: { after: 12 } },
    [
      [0, 'queued'],
      [10, 'running'],
      [12, 'expired'],
    ],
  ],
  [
    'a status that goes back in the middle third',
    { statusGoesBack: true },
    [
      [0, 'queued'],
      [10, 'running'],
      [20, 'queued'],
      [30, 'running'],
      [41, 'succeeded'],
    ],
  ],
  [
    'a status that cannot go back since the task never runs',
    { fails: { error: 'bad', after: 5 }, statusGoesBack: true },
    [
      [0, 'queued'],
      [5, 'failed'],
    ],
  ],
])('%s, at any time of the day', (_, values, expected) => expect(toldLater(values)).toEqual(expected))

test('a finish at once has the result that the task would have had', () => {
  const spec = { kind: 'image' } as unknown as MediaSpec
  const made = taskWith({ timeline: plainTimeline(0, { queuedMs: 10, runningMs: 10 }, [spec]) })
  const { timeline } = overrideTask(made, { task: { finishes: 'at once' } }, () => undefined)
  expect(timeline.at(-1)).toEqual({ at: 0, value: { state: 'succeeded', media: [spec] } })
})

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
