import { describe, expect, test } from 'vitest'
import type { ScenarioRun } from '../../../../src/emulator/core/model/account.js'
import {
  scenarioResultOf,
  stepStatusesOf,
  unusedStepsOf,
} from '../../../../src/emulator/core/scenario/explain.js'
import type { MatchInput } from '../../../../src/emulator/core/scenario/match.js'
import { matchStep } from '../../../../src/emulator/core/scenario/match.js'
import {
  actsOn,
  createCall,
  match,
  message,
  playing,
  type StepInput,
  stepWhen,
  type WhenInput,
} from './literals.js'
import { selectorKeys } from './schema-keys.js'

test.each<[string, WhenInput, number[]]>([
  ['without a count', {}, [1, 2, 3, 4, 5, 6]],
  ['nth: 3', { nth: 3 }, [3]],
  ['nth: [2, 5]', { nth: [2, 5] }, [2, 5]],
  ['first: 2', { first: 2 }, [1, 2]],
  ['every: 3', { every: 3 }, [3, 6]],
  ['after: 4', { after: 4 }, [5, 6]],
  ['after: 0', { after: 0 }, [1, 2, 3, 4, 5, 6]],
  ['first and every together', { first: 4, every: 2 }, [2, 4]],
  ['nth and first together', { nth: [2, 5], first: 4 }, [2]],
  ['nth and after together', { nth: [2, 5], after: 2 }, [5]],
  ['probability: 0', { probability: 0 }, []],
  ['probability: 1', { probability: 1 }, [1, 2, 3, 4, 5, 6]],
])('%s acts on those of six calls', (_, when, expected) =>
  expect(actsOn(stepWhen(when), 6)).toEqual(expected),
)

test.each<[string, WhenInput, boolean]>([
  ['its operation', { operation: 'b-video-task.create' }, true],
  ['one of several operations', { operation: ['a-image.create', 'b-video-task.create'] }, true],
  ['every operation of its family', { operation: 'b-video-task.*' }, true],
  ['another operation', { operation: 'b-video-task.read' }, false],
  ['a family whose name only begins alike', { operation: 'b-video.*' }, false],
  ['its family', { family: 'b-video-task' }, true],
  ['another family', { family: 'c-video' }, false],
  ['its model', { model: 'videoa-2-0-260128' }, true],
  ['another model', { model: 'gamma-H3' }, false],
  ['its account', { account: 'test-key' }, true],
  ['another account', { account: ['alice', 'bob'] }, false],
  ['a part of its prompt', { prompt: { contains: 'lighthouse' } }, true],
  ['what its prompt does not hold', { prompt: { contains: 'Lighthouse' } }, false],
  ['a pattern that its prompt matches', { prompt: { matches: '^a .*fog$' } }, true],
  ['a pattern that it does not match', { prompt: { matches: '^fog' } }, false],
  ['a message to a receiver', { callback: 'delivery' }, false],
])('a step about %s: %#', (_, when, acts) => expect(actsOn(stepWhen(when), 1)).toHaveLength(acts ? 1 : 0))

/** Of every key of `when` a value that does not fit at least one of two creates. */
const unfit: Required<WhenInput> = {
  operation: 'b-video-task.read',
  family: 'c-video',
  model: 'gamma-H3',
  account: 'alice',
  prompt: { contains: 'Lighthouse' },
  method: 'GET',
  header: 'range',
  status: 'running',
  task: 2,
  perTask: true,
  callback: 'delivery',
  nth: 1,
  first: 1,
  every: 2,
  after: 1,
  from: '1s',
  until: '0s',
  beforeRetryAfter: true,
  probability: 0,
}

test.each(selectorKeys)('the key %s of when is looked at', (key) =>
  expect(actsOn(stepWhen({ [key]: unfit[key as keyof WhenInput] }), 2)).not.toEqual([1, 2]),
)

test.each<[string, WhenInput['callback'], ReturnType<typeof message>, boolean]>([
  ['challenges, on a challenge', 'challenge', message('challenge'), true],
  ['challenges, on a delivery', 'challenge', message('delivery', 'queued'), false],
  ['deliveries, on a delivery', 'delivery', message('delivery', 'queued'), true],
  ['deliveries, on a challenge', 'delivery', message('challenge'), false],
  ['a status, on that status', { status: 'running' }, message('delivery', 'running'), true],
  ['a status, on another', { status: 'running' }, message('delivery', 'queued'), false],
  ['one of two statuses', { status: ['queued', 'running'] }, message('delivery', 'queued'), true],
  ['calls, on a challenge', undefined, message('challenge'), false],
])('a step about %s', (_, callback, occasion, acts) =>
  expect(actsOn(stepWhen({ callback }), 1, () => occasion)).toHaveLength(acts ? 1 : 0),
)

test.each([
  [9_999, []],
  [10_000, [1]],
  [19_999, [1]],
  [20_000, []],
])('from 10s until 20s: at %i', (now, expected) =>
  expect(actsOn(stepWhen({ from: '10s', until: '20s' }), 1, () => createCall({ now }))).toEqual(expected),
)

describe('beforeRetryAfter', () => {
  const asks = stepWhen({ first: 1 }, { then: { answer: { status: 429, retryAfter: 2 } } })
  const strict = stepWhen({ beforeRetryAfter: true }, { then: { answer: { status: 429, retryAfter: 60 } } })

  /** The step that acts on each of some calls. */
  const stepsAt = (first: StepInput, ...calls: Partial<MatchInput>[]) => {
    const runs = [playing(first, strict)]
    return calls.map((call) => match(runs, createCall(call)).step?.step)
  }

  test.each<[string, Partial<MatchInput>, number | undefined]>([
    ['at the same moment', {}, 2],
    ['shortly before the time, on both clocks', { now: 1_979, wall: 1_979 }, 2],
    ['at the time by the clock of the account', { now: 1_980 }, undefined],
    ['at the time in real time', { wall: 1_980 }, undefined],
    ['to another operation', { operation: 'f-video-v2.create' }, undefined],
  ])('a call %s', (_, call, step) => expect(stepsAt(asks, {}, call)).toEqual([1, step]))

  test('does not act before any answer had a Retry-After', () => {
    const other = stepWhen({ first: 1 }, { then: { answer: { status: 503 } } })
    expect(stepsAt(other, {}, {})).toEqual([1, undefined])
  })

  test('the headers of an answer count as well', () => {
    const headers = stepWhen({ first: 1 }, { then: { answer: { headers: { 'RETRY-after': '2' } } } })
    expect(stepsAt(headers, {}, { wall: 1_979 }, { wall: 1_980 })).toEqual([1, 2, undefined])
  })

  test('the answers to early calls begin no new wait', () =>
    expect(stepsAt(asks, {}, { wall: 1_900 }, { wall: 2_000 })).toEqual([1, 2, undefined]))

  test('a further answer with a Retry-After does', () => {
    const twice = stepWhen({ nth: [1, 3] }, { then: { answer: { status: 429, retryAfter: 2 } } })
    const calls = [0, 5_000, 6_000, 7_000, 8_000].map((wall) => ({ wall }))
    expect(stepsAt(twice, ...calls)).toEqual([1, undefined, 1, 2, undefined])
  })
})

test('times bounds how often it acts, whichever calls those are', () =>
  expect(actsOn(stepWhen({ every: 2 }, { times: 2 }), 10)).toEqual([2, 4]))

test('calls that a selector does not fit are not counted', () => {
  const calls = ['gamma-H3', 'gamma-H3-Max', 'gamma-H3-Max', 'gamma-H3']
  const acted = actsOn(stepWhen({ model: 'gamma-H3', nth: 2 }), 4, (n) => createCall({ model: calls[n - 1] }))
  expect(acted).toEqual([4])
})

test('the first step that fits acts, and the others count the call', () => {
  const runs = [playing(stepWhen({ nth: 1 }), stepWhen({ nth: [1, 2] }))]
  const steps = [1, 2, 3].map(() => match(runs, createCall()).step?.step)
  expect(steps).toEqual([1, 2, undefined])
  expect(runs).toMatchObject([{ seen: [3, 3], acted: [1, 1] }])
})

test('matching changes nothing', () => {
  const run = playing(stepWhen({ nth: 1 }))
  const before = JSON.stringify(run)
  matchStep([run], createCall())
  expect(JSON.stringify(run)).toBe(before)
})

test('the first of several scenarios with a matching step acts', () => {
  const runs = [playing(stepWhen({ nth: 2 })), playing(stepWhen({}, { says: 'always' }))]
  const descriptions = [1, 2].map(() => match(runs, createCall()).step?.description)
  expect(descriptions).toEqual(['always', undefined])
})

test('two runs of the same scenario have their own counts', () => {
  const run = playing(stepWhen({ nth: [1, 2] }))
  const runs = [run, run]
  match(runs, createCall())
  expect(runs).toMatchObject([
    { seen: [1], acted: [1] },
    { seen: [1], acted: [0] },
  ])
})

test('a probability is drawn from the seed: the same calls every time, and others with another seed', () => {
  const drawn = (seed: number) => {
    const runs = [{ ...playing(stepWhen({ probability: 0.5 })), seed }]
    return Array.from({ length: 40 }, () => match(runs, createCall()).step !== undefined)
  }
  expect(drawn(1)).toEqual(drawn(1))
  expect(drawn(1)).not.toEqual(drawn(2))
  expect(drawn(1).filter(Boolean).length).toBeGreaterThan(8)
  expect(drawn(1).filter(Boolean).length).toBeLessThan(32)
})

test('the runs of scenarios are plain data: a run continues after it was written and read back', () => {
  const runs = [playing(stepWhen({ nth: 2 }))]
  match(runs, createCall())
  const readBack = JSON.parse(JSON.stringify(runs))
  expect(match(readBack, createCall()).step?.step).toBe(1)
})

test('a step that found nothing to act on has not acted, and may still', () => {
  const runs = [playing(stepWhen({}, { times: 1, required: true }))]
  expect(match(runs, createCall(), true).step).toBeUndefined()
  expect(unusedStepsOf(runs)).toHaveLength(1)
  expect(stepStatusesOf(runs)[0]).toMatchObject({
    seen: 1,
    acted: 0,
    lastMiss: expect.stringContaining('refused'),
  })
  expect(match(runs, createCall()).step?.step).toBe(1)
})

test('required steps that have not acted are unused', () => {
  const runs = [
    playing(
      stepWhen({ nth: 1 }, { required: true }),
      stepWhen({ nth: 2 }, { required: true }),
      stepWhen({ nth: 3 }),
    ),
  ]
  expect(unusedStepsOf(runs).map(({ step }) => step)).toEqual([1, 2])
  match(runs, createCall())
  expect(unusedStepsOf(runs).map(({ step }) => step)).toEqual([2])
})

const whyNot = (runs: ScenarioRun[], parts: Partial<MatchInput>): string[] =>
  scenarioResultOf(match(runs, createCall(parts))).nearMisses.map(({ step, why }) => `${step} ${why}`)

test('models and accounts take turns at one scenario, and each call is explained as its own', () => {
  const runs = [
    playing(stepWhen({ account: 'alice' }), stepWhen({ model: 'gamma-H3' }), stepWhen({ nth: 9 })),
  ]
  const wrongAccount = '1 wants another account'
  const wrongModel = '2 wants the model gamma-H3; this was videoa-2-0-260128'
  const wrongCount = (word: string) => `3 wants the ninth call; this was the ${word}`
  expect(whyNot(runs, {})).toEqual([wrongAccount, wrongModel, wrongCount('first')])
  expect(whyNot(runs, { account: 'alice' })).toEqual([wrongModel, wrongCount('second')])
  expect(whyNot(runs, { model: 'gamma-H3' })).toEqual([wrongAccount, wrongCount('third')])
  expect(whyNot(runs, {})).toEqual([wrongAccount, wrongModel, wrongCount('fourth')])
})

test.each<[string, WhenInput, Partial<StepInput>, string]>([
  ['another count', { nth: 3 }, {}, 'wants the third call; this was the first'],
  ['a later time', { from: '1m' }, {}, 'begins 1m after the start; this was at 0ms'],
  ['a chance that it has not', { probability: 0 }, {}, 'acts with probability 0; the draw was 0.'],
  ['the same call', {}, {}, 'fits as well, but a step before it acted'],
])('behind a step that acts, one that wants %s says so', (_, when, others, why) =>
  expect(whyNot([playing(stepWhen({ nth: 1 }), stepWhen(when, others))], {})).toEqual([
    expect.stringContaining(`2 ${why}`),
  ]),
)

test('each call on which a step acts draws its delays anew, and the same ones in each run', () => {
  const draws = () => {
    const runs = [playing(stepWhen({}))]
    return [1, 2, 3].map(() => match(runs, createCall()).step?.random.fraction('delay'))
  }
  expect(new Set(draws()).size).toBe(3)
  expect(draws()).toEqual(draws())
})
