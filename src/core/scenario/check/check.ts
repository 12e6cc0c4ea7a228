import type { Scenario, Step } from '../scenario.js'
import type { Catalogue } from './catalogue.js'
import { impossibleCombinations } from './combinations.js'
import type { Complaint } from './complaint.js'
import { unknownNames } from './names.js'

/** What a scenario of the right shape still names that does not exist, and combines that cannot be together. */
export const complaintsOf = (scenario: Scenario, catalogue: Catalogue): Complaint[] =>
  scenario.steps.flatMap((step, index) => complaintsOfStep(step, index, catalogue))

/** The complaints about one step; `index` is its place from 0. */
export const complaintsOfStep = (step: Step, index: number, catalogue: Catalogue): Complaint[] => {
  const at = ['steps', index]
  const { when, then } = step
  const names = unknownNames({ when, answer: then.answer, task: then.task }, at, catalogue)
  return names.length > 0 ? names : impossibleCombinations(step, at, catalogue)
}
