import type { MatchedStep } from './ask.js'
import { missesIn } from './look.js'
import type { ScenarioMatch } from './play.js'
import { whyNot } from './words.js'

export interface ActedStep {
  readonly scenario: string
  /** From 1. */
  readonly step: number
  readonly says: string | null
  /** What it did, as its file names it: `answer.error`, `transport.hang`. */
  readonly effects: readonly string[]
}

/** What scenarios had to do with a call or a message, as it is shown and kept. */
export interface ScenarioResult {
  /** The step that acted; null where none did. */
  readonly acted: ActedStep | null
  /** Steps that could have acted, each with why it did not. */
  readonly nearMisses: readonly { readonly scenario: string; readonly step: number; readonly why: string }[]
}

export const scenarioResultOf = ({ matchedStep, traces }: ScenarioMatch): ScenarioResult => ({
  acted: matchedStep === undefined ? null : named(matchedStep),
  nearMisses: traces.flatMap((look) =>
    missesIn(look).map((miss) => ({
      scenario: look.finding.scenario.name,
      step: miss.index + 1,
      why: whyNot(look, miss),
    })),
  ),
})

const named = ({ scenario, step, says, does }: MatchedStep): ActedStep => ({
  scenario,
  step,
  says: says ?? null,
  effects: Object.entries(does).flatMap(([part, what]) => Object.keys(what).map((name) => `${part}.${name}`)),
})

/** The same as sentences. */
export const scenarioSentences = ({ acted, nearMisses }: ScenarioResult): string[] => [
  ...(acted === null ? [] : [actedSentence(acted)]),
  ...nearMisses.map(
    ({ scenario, step, why }) => `Step ${step} of the scenario ${scenario} did not act: it ${why}.`,
  ),
]

const actedSentence = ({ scenario, step, says, effects }: ActedStep): string =>
  `Step ${step} of the scenario ${scenario} acted${says === null ? '' : ` (${says})`}: ${effects.join(', ')}.`
