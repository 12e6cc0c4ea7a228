import { expect, test } from 'vitest'
import { matchStep } from '../../../src/core/scenario/play.js'
import { beginRun } from '../../../src/core/scenario/playing.js'
import { type Scenario, scenarioSchema } from '../../../src/core/scenario/scenario.js'
import { stepStatusesOf } from '../../../src/core/scenario/standing.js'
import { idOfScenario, playingNow, scenarioRunFrom, storedRun } from '../../../src/core/state/scenarios.js'
import { createCall, playing, stepWhen } from '../scenario/literals.js'

const scenario = (name: string, delay = '1s'): Scenario =>
  scenarioSchema.parse({ name, says: 'waits', steps: [{ then: { transport: { delay } } }] })

const namesOf = (playing: ReturnType<typeof playingNow>) =>
  playing.map((play) => [play.scenario.name, play.since])

const played = (...scenarios: Scenario[]) => scenarios.map((one) => beginRun(one, 1, 5))

test('two scenarios that say the same have one name', () => {
  expect(idOfScenario(scenario('one'))).toBe(idOfScenario(scenario('one', '1000ms')))
  expect(idOfScenario(scenario('one'))).not.toBe(idOfScenario(scenario('one', '2s')))
})

test.each([
  ['goes on where it is given as before', ['one'], [scenario('one')], [['one', 5]]],
  ['begins anew where it says something else', ['one'], [scenario('one', '2s')], [['one', 9]]],
  ['ends where it is given no more', ['one'], [], []],
  ['goes on where it was begun by hand', [], [], [['one', 5]]],
  ['goes on where it was begun by hand and is given now', [], [scenario('one')], [['one', 5]]],
  [
    'is joined by one that is given now',
    ['one'],
    [scenario('one'), scenario('two')],
    [
      ['one', 5],
      ['two', 9],
    ],
  ],
])('one that plays %s', (_, before, now, expected) => {
  expect(namesOf(playingNow(played(scenario('one')), { now, before }, 1, 9))).toEqual(expected)
})

test('one that was given and was stopped does not begin again', () => {
  expect(playingNow([], { now: [scenario('one')], before: ['one'] }, 1, 9)).toEqual([])
})

test('how its steps stand is the same once it was written down, in the middle of calls that are only counted', () => {
  const play = playing(stepWhen({ nth: 9 }), stepWhen({ from: '1h' }))
  for (let n = 0; n < 5; n += 1) matchStep([play], createCall())
  const back = scenarioRunFrom(storedRun(play), play.scenario)
  expect(stepStatusesOf([back])).toEqual(stepStatusesOf([play]))
  expect(stepStatusesOf([back])[0]?.lastMiss).toMatch(/; this was the fifth$/)
})
