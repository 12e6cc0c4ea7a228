import { expect, test } from 'vitest'
import { scenarioResultOf, stepStatusesOf, unusedStepsOf } from '../../../src/core/scenario/explain.js'
import { matchStep, takeBack } from '../../../src/core/scenario/match.js'
import type { MatchInput } from '../../../src/core/scenario/match-input.js'
import { actsOn, createCall, message, playing, stepWhen, type WhenInput } from './literals.js'

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

test('times bounds how often it acts, whichever calls those are', () =>
  expect(actsOn(stepWhen({ every: 2 }, { times: 2 }), 10)).toEqual([2, 4]))

test('calls that a selector does not fit are not counted', () => {
  const calls = ['gamma-H3', 'gamma-H3-Max', 'gamma-H3-Max', 'gamma-H3']
  const acted = actsOn(stepWhen({ model: 'gamma-H3', nth: 2 }), 4, (n) => createCall({ model: calls[n - 1] }))
  expect(acted).toEqual([4])
})

test('the first step that fits acts, and the others count the call', () => {
  const play = playing(stepWhen({ nth: 1 }), stepWhen({ nth: [1, 2] }))
  const steps = [1, 2, 3].map(() => matchStep([play], createCall()).matchedStep?.step)
  expect(steps).toEqual([1, 2, undefined])
  expect(play.seen).toEqual([3, 3])
  expect(play.acted).toEqual([1, 1])
})

test('of several scenarios the first that has a step acts', () => {
  const [first, second] = [playing(stepWhen({ nth: 2 })), playing(stepWhen({}, { says: 'always' }))]
  const says = [1, 2].map(() => matchStep([first, second], createCall()).matchedStep?.says)
  expect(says).toEqual(['always', undefined])
})

test('a probability is drawn from the seed: the same calls every time, and others with another seed', () => {
  const drawn = (seed: number) => {
    const play = { ...playing(stepWhen({ probability: 0.5 })), seed }
    return Array.from({ length: 40 }, () => matchStep([play], createCall()).matchedStep !== undefined)
  }
  expect(drawn(1)).toEqual(drawn(1))
  expect(drawn(1)).not.toEqual(drawn(2))
  expect(drawn(1).filter(Boolean).length).toBeGreaterThan(8)
  expect(drawn(1).filter(Boolean).length).toBeLessThan(32)
})

test('what plays is plain data: it goes on as if nothing had been when it is read back', () => {
  const play = playing(stepWhen({ nth: 2 }))
  matchStep([play], createCall())
  const readBack = JSON.parse(JSON.stringify(play))
  expect(matchStep([readBack], createCall()).matchedStep?.step).toBe(1)
})

test('a step that found nothing to act on has not acted, and may still', () => {
  const play = playing(stepWhen({}, { times: 1, required: true }))
  const outcome = takeBack([play], matchStep([play], createCall()))
  expect(outcome.matchedStep).toBeUndefined()
  expect(unusedStepsOf([play])).toHaveLength(1)
  expect(stepStatusesOf([play])[0]).toMatchObject({
    seen: 1,
    acted: 0,
    lastMiss: expect.stringContaining('refused'),
  })
  expect(matchStep([play], createCall()).matchedStep?.step).toBe(1)
})

test('required steps that have not acted are unused', () => {
  const play = playing(
    stepWhen({ nth: 1 }, { required: true }),
    stepWhen({ nth: 2 }, { required: true }),
    stepWhen({ nth: 3 }),
  )
  expect(unusedStepsOf([play]).map(({ step }) => step)).toEqual([1, 2])
  matchStep([play], createCall())
  expect(unusedStepsOf([play]).map(({ step }) => step)).toEqual([2])
})

test('models and accounts take turns at one scenario, and each call is explained as its own', () => {
  const play = playing(stepWhen({ account: 'alice' }), stepWhen({ model: 'gamma-H3' }), stepWhen({ nth: 9 }))
  const whyNot = (parts: Partial<MatchInput>): string[] =>
    scenarioResultOf(matchStep([play], createCall(parts))).nearMisses.map(({ step, why }) => `${step} ${why}`)
  const isEarlier = '3 fits as well, but a step before it acted'
  const wrongAccount = '1 wants another account'
  const wrongModel = '2 wants the model gamma-H3; this was videoa-2-0-260128'
  expect(whyNot({})).toEqual([wrongAccount, wrongModel, '3 wants the ninth call; this was the first'])
  expect(whyNot({ account: 'alice' })).toEqual([wrongModel, isEarlier])
  expect(whyNot({ model: 'gamma-H3' })).toEqual([wrongAccount, isEarlier])
  expect(whyNot({})).toEqual([wrongAccount, wrongModel, '3 wants the ninth call; this was the fourth'])
})
