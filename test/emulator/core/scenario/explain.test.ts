import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import {
  ordinal,
  scenarioResultOf,
  scenarioSentences,
  stepStatusesOf,
} from '../../../../src/emulator/core/scenario/explain.js'
import { createCall, match, message, playing, type StepInput, stepWhen, whyNotLast } from './literals.js'

const h3 = createCall({ operation: 'f-video-v2.create', model: 'gamma-H3' })
const creates = { operation: 'f-video-v2.create', model: 'gamma-H3' }

test.each<[StepInput, string]>([
  [stepWhen({ ...creates, nth: 3 }), 'wants the third f-video-v2.create of gamma-H3; this was the second'],
  [stepWhen({ nth: [1, 21] }), 'wants the first or 21st call; this was the second'],
  [
    stepWhen({ operation: 'f-video-v2.*', first: 1 }),
    'wants the first of every f-video-v2 call; this was the second',
  ],
  [stepWhen({ family: 'f-video-v2', every: 4 }), 'wants every fourth f-video-v2 call; this was the second'],
  [stepWhen({ after: 2 }), 'wants those after the first 2 of every call; this was the second'],
  [stepWhen({}, { times: 1 }), 'has already acted once (times: 1)'],
  [stepWhen({ model: 'gamma-H3-Max' }), 'wants the model gamma-H3-Max; this was gamma-H3'],
  [stepWhen({ account: 'alice' }), 'wants another account'],
  [stepWhen({ prompt: { contains: 'sea' } }), 'wants a prompt with "sea"; this was another'],
  [stepWhen({ prompt: { matches: '^sea' } }), 'wants a prompt that matches ^sea; this was another'],
  [stepWhen({ from: '90s' }), 'begins 1m 30s after the start; this was at 0ms'],
  [
    stepWhen({ beforeRetryAfter: true }),
    'wants a call before a Retry-After has passed; no step had answered such a call with one',
  ],
  [stepWhen({ probability: 0 }), 'acts with probability 0; the draw was 0.'],
  [
    stepWhen({ ...creates, first: 3, after: 2, every: 3 }),
    'wants the first 3 of every f-video-v2.create of gamma-H3 and every third f-video-v2.create of gamma-H3 and those after the first 2 of every f-video-v2.create of gamma-H3; this was the second',
  ],
])('%#: %s', (step, why) => {
  expect(whyNotLast(step, h3, h3)).toEqual([expect.stringContaining(why)])
})

test('a step that is over says when it ended', () =>
  expect(whyNotLast(stepWhen({ until: '10s' }), createCall({ now: 12_500 }))).toEqual([
    'ends 10s after the start; this was at 12.5s',
  ]))

/** Why a step for early calls did not act on one that came 2.5 s after an answer with a Retry-After of 2 s. */
const whyNotEarly = (): string[] => {
  const asks = stepWhen(
    { operation: 'b-video-task.create', first: 1 },
    { then: { answer: { status: 429, retryAfter: 2 } } },
  )
  const runs = [playing(asks, stepWhen({ beforeRetryAfter: true }))]
  match(runs, createCall())
  const { nearMisses } = scenarioResultOf(match(runs, createCall({ now: 500, wall: 2_500 })))
  return nearMisses.filter(({ step }) => step === 2).map(({ why }) => why)
}

test('a step for calls before a Retry-After says how long one waited', () =>
  expect(whyNotEarly()).toEqual([
    'wants a call before the Retry-After has passed; this one came 2.5s after the answer',
  ]))

test('a call without a model is said to have none', () =>
  expect(whyNotLast(stepWhen({ model: 'gamma-H3' }), createCall({ model: undefined }))).toEqual([
    'wants the model gamma-H3; this was a call without one',
  ]))

test('a draw is said with three digits behind the point', () =>
  expect(whyNotLast(stepWhen({ probability: 0 }), h3)).toEqual([
    expect.stringMatching(/; the draw was 0\.\d{3}$/),
  ]))

test.each([
  ['new', { description: 'Rush hour' }],
  ['old', { says: 'Rush hour' }],
])('the sentence of a step that acted has its description in the %s spelling', (_, others) => {
  const result = scenarioResultOf(match([playing(stepWhen({}, others))], h3))
  expect(result.acted?.says).toBe('Rush hour')
  expect(scenarioSentences(result).acted).toEqual([
    'Step 1 of the scenario trial acted (Rush hour): answer.error.',
  ])
})

test('a step says why it did not act the last time, though calls that it is not about came since', () => {
  const runs = [playing(stepWhen({ ...creates, nth: 3 }), stepWhen({ operation: 'f-video-v2.read' }))]
  match(runs, h3)
  match(runs, createCall({ operation: 'f-video-v2.read' }))
  expect(stepStatusesOf(runs).map(({ lastMiss }) => lastMiss)).toEqual([
    'wants the third f-video-v2.create of gamma-H3; this was the first',
    null,
  ])
})

test('a step about another status says which this was', () =>
  expect(whyNotLast(stepWhen({ callback: { status: 'running' } }), message('delivery', 'queued'))).toEqual([
    'wants a callback with status running; this one has the status queued',
  ]))

test('a header is no name that every object has', () =>
  expect(whyNotLast(stepWhen({ header: 'constructor' }), createCall({ headers: {} }))).toEqual([
    expect.stringContaining('constructor'),
  ]))

test('a step about another operation has nothing to say', () =>
  expect(whyNotLast(stepWhen({ operation: 'a-image.create' }), h3)).toEqual([]))

test('docs/scenarios.md shows the sentences as they are', () => {
  const call = createCall({ operation: 'f-video-v2.create', model: 'gamma-H3-Max', now: 12_000 })
  const about = (state: 'running', number: number) =>
    createCall({ task: { id: 'cgt-1', state: () => state, number: () => number } })
  const whyNotTogether = (steps: readonly StepInput[], isRefused = false) =>
    scenarioResultOf(match([playing(...steps)], call, isRefused)).nearMisses.map(({ why }) => why)
  const made = [
    whyNotLast(stepWhen({ ...creates, nth: 3 }), h3, h3),
    whyNotLast(stepWhen({ model: 'gamma-H3' }), call),
    whyNotLast(stepWhen({ method: 'HEAD' }), call),
    whyNotLast(stepWhen({ header: 'range' }), call),
    whyNotLast(stepWhen({ status: 'succeeded' }), about('running', 1)),
    whyNotLast(stepWhen({ task: 2 }), about('running', 1)),
    whyNotLast(stepWhen({ perTask: true, nth: 1 }), call),
    whyNotLast(stepWhen({ callback: { status: 'running' } }), message('delivery', 'queued')),
    whyNotLast(stepWhen({}, { times: 3 }), call, call, call, call),
    whyNotLast(stepWhen({ from: '5m' }), call),
    whyNotLast(stepWhen({ until: '10s' }), call),
    whyNotEarly(),
    whyNotLast(stepWhen({ beforeRetryAfter: true }), call),
    whyNotLast(stepWhen({ probability: 0.05 }), call),
    whyNotTogether([stepWhen({}), stepWhen({})]),
    whyNotTogether([stepWhen({})], true),
  ].flat()
  const [, table = ''] =
    /^## Why it did, .*?\n\n(\|.*?)\n\n/ms.exec(readFileSync('docs/scenarios.md', 'utf8')) ?? []
  const withoutDraw = (sentence: string) => sentence.replace(/draw was .*/, 'draw was …')
  const shown = [...table.matchAll(/`([^`]+)`/g)].map(([, sentence = '']) => sentence)
  expect(shown.map(withoutDraw)).toEqual(made.map(withoutDraw))
})

test.each([
  [1, 'first'],
  [10, 'tenth'],
  [11, '11th'],
  [12, '12th'],
  [13, '13th'],
  [22, '22nd'],
  [103, '103rd'],
  [111, '111th'],
])('%i is the %s', (n, word) => expect(ordinal(n)).toBe(word))
