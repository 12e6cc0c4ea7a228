import type { Outcome, StepName } from './play.js'
import { whyNot } from './words.js'

/** What scenarios had to do with a call or a message, as it is shown and kept. */
export interface Played {
  /** The step that acted; null where none did. */
  readonly acted: { readonly scenario: string; readonly step: number; readonly says: string | null } | null
  /** Steps that could have acted, each with why it did not. */
  readonly nearMisses: readonly { readonly scenario: string; readonly step: number; readonly why: string }[]
}

export const playedOf = ({ cue, nearMisses }: Outcome): Played => ({
  acted: cue === undefined ? null : named(cue),
  nearMisses: nearMisses.map(({ scenario, index, miss }) => ({
    scenario: scenario.name,
    step: index + 1,
    why: whyNot({ scenario, index, miss }),
  })),
})

const named = ({ scenario, step, says }: StepName) => ({ scenario, step, says: says ?? null })

/** The same as sentences. */
export const playedSentences = ({ acted, nearMisses }: Played): string[] => [
  ...(acted === null
    ? []
    : [`Step ${acted.step} of the scenario ${acted.scenario} acted${saying(acted.says)}.`]),
  ...nearMisses.map(
    ({ scenario, step, why }) => `Step ${step} of the scenario ${scenario} did not act: it ${why}.`,
  ),
]

const saying = (says: string | null): string => (says === null ? '' : ` ("${says}")`)
