import { type Scenario, scenarioSchema, stepSchema } from '../scenario.js'
import { thenSchema } from '../then.js'
import { whenSchema } from '../when.js'
import type { Catalogue } from './catalogue.js'
import { complaintsOf, complaintsOfStep } from './check.js'
import type { Complaint } from './complaint.js'
import { type Naming, unknownNames } from './names.js'
import { shapeComplaints } from './shape.js'

/** A document understood as a scenario, or everything that is wrong with it. */
export type Understood = { readonly scenario: Scenario } | { readonly complaints: readonly Complaint[] }

/** Reads a document, that is what a file holds once it is parsed, as a scenario. All complaints come at once. */
export const understand = (document: unknown, catalogue: Catalogue): Understood => {
  const shape = scenarioSchema.safeParse(document)
  if (shape.success) {
    const complaints = complaintsOf(shape.data, catalogue)
    return complaints.length === 0 ? { scenario: shape.data } : { complaints }
  }
  return {
    complaints: [
      ...shapeComplaints(shape.error.issues, document),
      ...complaintsOfGoodParts(document, catalogue),
    ],
  }
}

// Where the shape of one part is wrong, the names in the others are looked at all the same.
const complaintsOfGoodParts = (document: unknown, catalogue: Catalogue): Complaint[] => {
  const steps = (document as { steps?: unknown } | null | undefined)?.steps
  if (!Array.isArray(steps)) return []
  return steps.flatMap((step, index) => {
    const whole = stepSchema.safeParse(step)
    if (whole.success) return complaintsOfStep(whole.data, index, catalogue)
    return unknownNames(namingOf(step), ['steps', index], catalogue)
  })
}

const namingOf = (step: unknown): Naming => {
  const { when = {}, then } = (step ?? {}) as { when?: unknown; then?: Record<string, unknown> }
  return {
    when: whenSchema.safeParse(when).data,
    answer: thenSchema.shape.answer.safeParse(then?.answer).data,
    task: thenSchema.shape.task.safeParse(then?.task).data,
  }
}
