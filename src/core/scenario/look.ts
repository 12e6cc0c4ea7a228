import { stepsAbout } from './about.js'
import type { MatchInput } from './occasion.js'
import type { Reason } from './reasons.js'
import type { Scenario } from './scenario.js'

/** An occasion as it was held against the steps of a scenario, and what each of them had against it. Plain data. */
export interface MatchTrace {
  readonly scenario: Scenario
  readonly operation: string
  readonly model: string | undefined
  readonly callback: MatchInput['callback']
  /** A letter for each step that is about such occasions, in order: why it did not act, or that it did. */
  readonly verdicts: string
  /** A number for each verdict that has one, in order: which occasion it was for the step, or what was drawn. */
  readonly numbers: readonly number[]
}

/**
 * What was found of an occasion. Plain data, and as little of it as can be: there is one for every call that the journal
 * keeps, and those of which the same was found share the finding.
 */
export interface Look {
  readonly finding: MatchTrace
  /** Milliseconds since the scenario began. */
  readonly elapsed: number
  /** How many occasions after the one of the finding it was: by so much each count is higher. */
  readonly later: number
}

/** What became of a step. */
export type Verdict = Reason | 'acted'

const letters: Readonly<Record<Verdict, string>> = {
  acted: '!',
  model: 'm',
  account: 'a',
  prompt: 'p',
  status: 's',
  times: 't',
  count: 'c',
  before: 'b',
  after: 'f',
  chance: 'x',
  earlier: 'e',
  refused: 'r',
}
const verdicts = new Map(Object.entries(letters).map(([verdict, letter]) => [letter, verdict as Verdict]))

/** Whether a number says more: which occasion it was for the step, or what was drawn. */
export const isNumbered = (verdict: Verdict): boolean => verdict === 'count' || verdict === 'chance'

export const letterOf = (verdict: Verdict): string => letters[verdict]

/** What a step had against an occasion. */
export interface NearMiss {
  /** The step's place in its scenario, from 0. */
  readonly index: number
  readonly reason: Reason
  /** Which of the fitting occasions it was, from 1, or what was drawn; undefined for other reasons. */
  readonly number: number | undefined
}

/** The steps that were about an occasion and did not act on it. */
export const missesIn = (look: Look): NearMiss[] => {
  const { finding } = look
  const numbers = numbersIn(look).values()
  return stepsAbout(finding.scenario, finding).flatMap(({ index }, place) => {
    const reason = verdicts.get(finding.verdicts[place] ?? '') ?? 'acted'
    const number = isNumbered(reason) ? numbers.next().value : undefined
    return reason === 'acted' ? [] : [{ index, reason, number }]
  })
}

/** The numbers of a finding as they were at this look: counts alone, where it is a later one, since no run follows a draw. */
export const numbersIn = ({ finding: { numbers }, later }: Look): readonly number[] =>
  numbers.map((number) => number + later)

/** The same look, where the step that acted found nothing to act on. */
export const refusedLook = (look: Look): Look => ({
  ...look,
  finding: { ...look.finding, verdicts: look.finding.verdicts.replace(letters.acted, letters.refused) },
})
