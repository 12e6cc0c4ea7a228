import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Look, numbersIn } from '../../../src/core/scenario/look.js'
import { matchStep, noMatch, type ScenarioMatch } from '../../../src/core/scenario/play.js'
import { beginRun, type ScenarioRun } from '../../../src/core/scenario/playing.js'
import { forgetRun } from '../../../src/core/scenario/quiet.js'
import { type Scenario, scenarioSchema } from '../../../src/core/scenario/scenario.js'
import { takeBack } from '../../../src/core/scenario/take-back.js'
import { createCall, playing, type StepInput, stepWhen } from './literals.js'
import { type Event, events, steps } from './series.js'

/** Two accounts with the same two scenarios, and a guest who comes to either, when they have been through some events. */
const after = (
  scripts: readonly StepInput[][],
  happened: readonly Event[],
  before: (play: ScenarioRun) => void,
) => {
  const [visiting, ...scenarios] = scripts.map(scenarioOf) as [Scenario, ...Scenario[]]
  const guest = beginRun(visiting, 1, 0)
  const houses = [0, 2_000].map((since) => scenarios.map((scenario) => beginRun(scenario, 1, since)))
  const outcomes: ScenarioMatch[][] = [[], []]
  let now = 3_000
  const happens = (event: Event): void => {
    const [house, heard] = [houses[event.house] ?? [], outcomes[event.house] ?? []]
    if (event.what === 'copied') houses[event.house] = house.map(copyOf)
    if (event.what === 'taken back') {
      const at = heard.findLastIndex(({ matchedStep }) => matchedStep !== undefined)
      if (at >= 0) heard[at] = takeBack([guest, ...house], heard[at] ?? noMatch)
    }
    if (event.what !== 'occasions') return
    const { occasion, length, apart } = event.series
    for (let n = 0; n < length; n += 1) {
      now += apart
      const all = event.guest ? [guest, ...house] : house
      all.forEach(before)
      heard.push(matchStep(all, { ...occasion, now }))
    }
  }
  happened.forEach(happens)
  return { outcomes: outcomes.flat().map(shown), standings: [guest, ...houses.flat()].map(stepStatusesOf) }
}

const scenarioOf = (list: readonly StepInput[], n: number): Scenario =>
  scenarioSchema.parse({ name: `trial-${n}`, says: 'A trial.', steps: list })

const copyOf = ({ seen, acted, latest, ...rest }: ScenarioRun): ScenarioRun => ({
  ...rest,
  seen: [...seen],
  acted: [...acted],
  latest: { ...latest },
})

const stepStatusesOf = ({ seen, acted, latest }: ScenarioRun) => ({
  seen,
  acted,
  latest: Object.values(latest).map(plain),
})

const shown = ({ matchedStep, traces }: ScenarioMatch) => ({
  matchedStep: matchedStep && { ...matchedStep, draw: matchedStep.draw.fraction('shown') },
  traces: traces.map(plain),
})

/** A look that does not say whether it was one of a run. */
const plain = (look: Look) => ({
  ...look.finding,
  scenario: look.finding.scenario.name,
  numbers: numbersIn(look),
  elapsed: look.elapsed,
})

test('a series comes to the same as occasions that are each held against every step', () => {
  fc.assert(
    fc.property(fc.tuple(steps, steps, steps), events, (scripts, happened) => {
      expect(after(scripts, happened, () => {})).toEqual(after(scripts, happened, forgetRun))
    }),
    { numRuns: 500 },
  )
})

test('what is taken back long afterwards may act again at once', () => {
  const play = playing(stepWhen({}, { times: 1 }))
  const first = matchStep([play], createCall())
  for (let n = 0; n < 5; n += 1) expect(matchStep([play], createCall()).matchedStep).toBeUndefined()
  takeBack([play], first)
  expect(matchStep([play], createCall()).matchedStep?.step).toBe(1)
})
