import { hash } from 'node:crypto'
import { type Look, numbersIn } from '../scenario/look.js'
import { beginRun, type ScenarioRun } from '../scenario/playing.js'
import { documentOf, type Scenario } from '../scenario/scenario.js'
import type { Instant } from '../time/timeline.js'
import type { StoredLook, StoredRun } from './saved.js'

const known = new WeakMap<Scenario, string>()

/** What a scenario is called where it is written down: two that say the same have one name. */
export const idOfScenario = (scenario: Scenario): string => {
  const id = known.get(scenario) ?? hash('sha256', JSON.stringify(documentOf(scenario)), 'hex').slice(0, 16)
  known.set(scenario, id)
  return id
}

export const storedRun = ({ scenario, latest, ...standing }: ScenarioRun): StoredRun => ({
  ...standing,
  scenario: idOfScenario(scenario),
  latest: Object.fromEntries(Object.entries(latest).map(([kind, look]) => [kind, storedLook(look)])),
})

const storedLook = (look: Look): StoredLook => {
  const { scenario: _, ...finding } = look.finding
  return { ...finding, numbers: numbersIn(look), elapsed: look.elapsed }
}

/** How a scenario stood with an account when that was written down. */
export const scenarioRunFrom = ({ latest, ...standing }: StoredRun, scenario: Scenario): ScenarioRun => ({
  ...standing,
  scenario,
  latest: Object.fromEntries(Object.entries(latest).map(([kind, look]) => [kind, lookFrom(look, scenario)])),
})

const lookFrom = ({ elapsed, ...finding }: StoredLook, scenario: Scenario): Look => ({
  finding: { scenario, ...finding },
  elapsed,
  later: 0,
})

/** What plays for an account that was read, and what has to be put right with what the settings say now. */
export interface Given {
  readonly now: readonly Scenario[]
  /** The names of those that the settings gave when the account was written. */
  readonly before: readonly string[]
}

/**
 * What plays for an account once it is read. Scenarios of the settings go on where they stood; one that is new there, or
 * says something else, begins; one that has left them ends. Those that were begun by hand are none of this business.
 */
export const playingNow = (
  playing: readonly ScenarioRun[],
  given: Given,
  seed: number,
  at: Instant,
): readonly ScenarioRun[] => {
  const namedNow = new Map(given.now.map((scenario) => [scenario.name, scenario]))
  const kept = playing.flatMap((play): ScenarioRun[] => {
    const { name } = play.scenario
    if (!given.before.includes(name)) return [play]
    const scenario = namedNow.get(name)
    if (scenario === undefined) return []
    return idOfScenario(scenario) === idOfScenario(play.scenario) ? [play] : [beginRun(scenario, seed, at)]
  })
  const added = given.now.filter(
    ({ name }) => !given.before.includes(name) && !playing.some(({ scenario }) => scenario.name === name),
  )
  return [...kept, ...added.map((scenario) => beginRun(scenario, seed, at))]
}
