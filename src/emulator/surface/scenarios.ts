/** Scenarios: their documents, files and library, how their steps match calls, and what a journal says of them. */
export { MAX_DIAGNOSTICS, type Path, type ShapeDiagnostic, shapeDiagnostics } from '../core/diagnostics.js'
export { nearestRoute } from '../core/journal/explain.js'
export { skipsDecision } from '../core/scenario/effects/answer.js'
export { breaks } from '../core/scenario/effects/index.js'
export { scenarioResultOf } from '../core/scenario/explain.js'
export { promptIn } from '../core/scenario/match.js'
export {
  type RehearsedCall,
  type RehearsedFile,
  rehearsedFileOf,
  wouldAct,
} from '../core/scenario/rehearse.js'
export {
  adviceOf,
  descriptionOf,
  documentOf,
  isSurvivable,
  type Scenario,
  type ScenarioInput,
  scenarioSchema,
  scenarioSubjects,
} from '../core/scenario/schema.js'
export { RESULTS } from '../core/scenario/selector.js'
export { createLibrary, isFileName, type Library } from '../scenarios/library.js'
export { diagnosticText, parseLocated, readTextFile, UNLIMITED } from '../scenarios/located.js'
export { checkScenarioFile, readScenarioDocument, readScenarioFile } from '../scenarios/read.js'
