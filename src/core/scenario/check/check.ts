import type { Scenario } from '../scenario.js'
import type { Catalogue } from './catalogue.js'
import { impossibleCombinations } from './combinations.js'
import type { Diagnostic } from './complaint.js'
import { unknownError, unknownInWhen, withSuggestions } from './names.js'
import { partsOfStep, type StepParts } from './step-parts.js'

/** What a scenario of the right shape still names that does not exist, and combines that cannot be together. */
export const complaintsOf = (scenario: Scenario, catalogue: Catalogue): Diagnostic[] =>
  scenario.steps.flatMap((step, index) => complaintsOfStep(partsOfStep(step), index, catalogue))

/** The complaints about what has its shape of one step; `index` is its place from 0. */
export const complaintsOfStep = (parts: StepParts, index: number, catalogue: Catalogue): Diagnostic[] => {
  const at = ['steps', index]
  const { when, then, isAboutKnown, errors } = parts
  // Which errors there are follows from what the step is about, so that is put right first.
  const meant = isAboutKnown ? withSuggestions(when, catalogue) : undefined
  return [
    ...unknownInWhen(when, [...at, 'when'], catalogue),
    ...errors.flatMap(({ path, name }) =>
      meant === undefined ? [] : unknownError(meant, [...at, ...path], catalogue, name),
    ),
    // What only a guess is about is not said to be impossible.
    ...impossibleCombinations({ when, then }, at, meant === when ? catalogue : undefined),
  ]
}
