import { expect, test } from 'vitest'
import { planFor } from '../../../src/core/scenario/plan.js'
import { matchStep } from '../../../src/core/scenario/play.js'
import type { ScenarioRun } from '../../../src/core/scenario/playing.js'
import { forgetRun } from '../../../src/core/scenario/quiet.js'
import { runAfter } from '../../../src/core/scenario/run.js'
import { createCall, playing, type StepInput, stepWhen, type WhenInput } from './literals.js'

/** The run that follows so many calls of which the last came at `now`. */
const runOf = (steps: readonly StepInput[], calls: number, now: number) => {
  const play = playing(...steps)
  for (let n = 0; n < calls; n += 1) {
    forgetRun(play)
    matchStep([play], createCall({ now }))
  }
  const plan = planFor(play.scenario, createCall())
  return plan && runAfter(plan, play.seen)
}

const [always, never] = [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY]

test.each<[string, WhenInput, number, number, object | undefined]>([
  ['nth: 9, after two', { nth: 9 }, 2, 0, { length: 6, from: always, until: never }],
  ['nth: 9, before the ninth', { nth: 9 }, 8, 0, undefined],
  ['nth: 1, after two', { nth: 1 }, 2, 0, { length: never, from: always, until: never }],
  ['nth: [1, 9], between them', { nth: [1, 9] }, 2, 0, undefined],
  ['every: 3, in between', { every: 3 }, 1, 0, undefined],
  ['after: 4, after two', { after: 4 }, 2, 0, { length: 2, from: always, until: never }],
  ['from: 10s, before it', { from: '10s' }, 2, 4_000, { length: never, from: always, until: 10_000 }],
  ['first: 5 from: 10s', { first: 5, from: '10s' }, 2, 0, { length: 3, from: always, until: 10_000 }],
  ['every: 2 from: 10s', { every: 2, from: '10s' }, 2, 0, undefined],
  ['until: 2s, after it', { until: '2s' }, 2, 4_000, { length: never, from: 2_000, until: never }],
  [
    'another prompt',
    { prompt: { contains: 'a storm' } },
    2,
    0,
    { length: never, from: always, until: never },
  ],
  ['probability: 0', { probability: 0 }, 2, 0, undefined],
  ['a step that acts', {}, 2, 0, undefined],
])('the run of %s', (_, when, calls, now, expected) => {
  const run = runOf([stepWhen(when)], calls, now)
  expect(run && { length: run.length, from: run.from, until: run.until }).toEqual(expected)
})

test('a run ends with the first step that may act, and knows which steps count', () =>
  expect(runOf([stepWhen({ from: '9s' }), stepWhen({ nth: 7 }), stepWhen({ nth: 5 })], 2, 0)).toEqual({
    counting: [0, 1, 2],
    from: always,
    until: 9_000,
    length: 2,
  }))

/** How many occasions of a run there have been with the latest of some calls. */
const passedAfter = (play: ScenarioRun, prompt: string): number | undefined =>
  matchStep([play], createCall({ prompt: () => prompt })).traces[0]?.later

test('a run begins with the second of two that are alike, and another one in between ends it', () => {
  const play = playing(stepWhen({ prompt: { contains: 'fog' }, nth: 9 }))
  const [fog, sun] = ['a lighthouse in the fog', 'a lighthouse in the sun']
  const prompts = [fog, fog, fog, fog, sun, fog, fog, fog]
  expect(prompts.map((prompt) => passedAfter(play, prompt))).toEqual([0, 0, 1, 2, 0, 0, 0, 1])
})

test('for a prompt of more than ten thousand characters nothing is kept', () => {
  const passed = (length: number): (number | undefined)[] => {
    const play = playing(stepWhen({ prompt: { contains: 'fog' } }))
    return Array.from({ length: 3 }, () => passedAfter(play, 'x'.repeat(length)))
  }
  expect([10_000, 10_001].map(passed)).toEqual([
    [0, 0, 1],
    [0, 0, 0],
  ])
})
