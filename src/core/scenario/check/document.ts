import { type Scenario, scenarioSchema, stepSchema } from '../scenario.js'
import type { Catalogue } from './catalogue.js'
import { complaintsOf, complaintsOfStep } from './check.js'
import type { Diagnostic } from './complaint.js'
import { shapeComplaints } from './shape.js'
import { partsIn, partsOfStep } from './step-parts.js'

/** A document understood as a scenario, or everything that is wrong with it. */
export type Validated = { readonly scenario: Scenario } | { readonly diagnostics: readonly Diagnostic[] }

/** Reads a document, that is what a file holds once it is parsed, as a scenario. All complaints come at once. */
export const validateScenario = (document: unknown, catalogue: Catalogue): Validated => {
  const shape = scenarioSchema.safeParse(document)
  if (shape.success) {
    const diagnostics = complaintsOf(shape.data, catalogue)
    return diagnostics.length === 0 ? { scenario: shape.data } : { diagnostics }
  }
  return {
    diagnostics: [
      ...shapeComplaints(shape.error.issues, document),
      ...complaintsOfGoodParts(document, catalogue),
    ],
  }
}

// Where the shape of one part is wrong, the others are looked at all the same.
const complaintsOfGoodParts = (document: unknown, catalogue: Catalogue): Diagnostic[] => {
  const steps = (document as { steps?: unknown } | null | undefined)?.steps
  if (!Array.isArray(steps)) return []
  return steps.flatMap((step, index) => {
    const whole = stepSchema.safeParse(step)
    return complaintsOfStep(whole.success ? partsOfStep(whole.data) : partsIn(step), index, catalogue)
  })
}
