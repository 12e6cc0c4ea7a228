import type { Cue } from './ask.js'
import { missesIn } from './look.js'
import type { Outcome } from './play.js'
import { whyNot } from './words.js'

export interface Acted {
  readonly scenario: string
  /** From 1. */
  readonly step: number
  readonly says: string | null
  /** What it did, as its file names it: `answer.error`, `transport.hang`. */
  readonly effects: readonly string[]
}

/** What scenarios had to do with a call or a message, as it is shown and kept. */
export interface Played {
  /** The step that acted; null where none did. */
  readonly acted: Acted | null
  /** Steps that could have acted, each with why it did not. */
  readonly nearMisses: readonly { readonly scenario: string; readonly step: number; readonly why: string }[]
}

export const playedOf = ({ cue, looks }: Outcome): Played => ({
  acted: cue === undefined ? null : named(cue),
  nearMisses: looks.flatMap((look) =>
    missesIn(look).map((miss) => ({
      scenario: look.finding.scenario.name,
      step: miss.index + 1,
      why: whyNot(look, miss),
    })),
  ),
})

const named = ({ scenario, step, says, does }: Cue): Acted => ({
  scenario,
  step,
  says: says ?? null,
  effects: Object.entries(does).flatMap(([part, what]) => Object.keys(what).map((name) => `${part}.${name}`)),
})

/** The same as sentences. */
export const playedSentences = ({ acted, nearMisses }: Played): string[] => [
  ...(acted === null ? [] : [actedSentence(acted)]),
  ...nearMisses.map(
    ({ scenario, step, why }) => `Step ${step} of the scenario ${scenario} did not act: it ${why}.`,
  ),
]

const actedSentence = ({ scenario, step, says, effects }: Acted): string =>
  `Step ${step} of the scenario ${scenario} acted${says === null ? '' : ` (${says})`}: ${effects.join(', ')}.`
