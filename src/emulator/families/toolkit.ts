/**
 * Toolkit of families: everything of which one is made, for those from outside as for those of the specification. The package
 * exports it as `backlot/family`; docs/adding-a-family.md shows how it is used.
 */
import type { FamilyApi, FamilyDescription, TaskFamily } from '../core/contract.js'

export { z } from 'zod'
export {
  type AnyFamily,
  type AnyTaskFamily,
  asDecision,
  type CancelOutcome,
  type Change,
  type Decision,
  type DecisionContext,
  type ErrorTable,
  type FamilyApi,
  type FamilyDescription,
  type Gap,
  noMeta,
  type Operation,
  type OperationDescription,
  type PreparedCall,
  type Rule,
  type RuleRefusal,
  type SampleRequest,
  type StatedRule,
  type TaskFamily,
  type WellKnownErrors,
} from '../core/contract.js'
export {
  type Bounds,
  type FactChanges,
  type FamilyFacts,
  type ModelFacts,
  withFacts,
} from '../core/family-facts.js'
export type { MediaKind, MediaRef, Pixels, ResolvedMedia } from '../core/media/input.js'
export type { MediaInput, MediaSpec, PictureSpec, VideoSpec } from '../core/media/spec.js'
export type { Call, ErrorSpec, Refusal, RefusalDetails, Reply, Route } from '../core/model/call.js'
export {
  instantTimeline,
  isFinal,
  mediaOf,
  type Phase,
  plainTimeline,
  type State,
  states,
  type Task,
  type TaskTimeline,
  type TaskView,
} from '../core/model/task.js'
export { charactersIn, expectedButFound, mustBe } from '../core/request.js'
export { DAY, HOUR, type Instant, MINUTE, paceOf, SECOND, type TaskDurations } from '../core/schedule/time.js'
export type { Settings } from '../core/settings.js'
export { operation } from '../core/task/operations.js'
export { decideOnTask, listQuerySchema, nextMomentOfTask } from '../core/task/read.js'
export { refused, ruleRef, taskExists } from '../core/task/refusals.js'
export {
  failure,
  failureOf,
  requestId,
  resultUrl,
  timestampedId,
  unixSeconds,
  unixTime,
  visibleUntilDeleted,
  visibleWhileRecent,
} from './shared/responses.js'
export {
  accountHasAgreed,
  balanceIsPositive,
  mediaAreReadable,
  mediaFormIsAllowed,
  mediaIsOfItsKind,
  promptPassesModeration,
  ruleOnFacts,
  tasksInFlightAreFew,
} from './shared/rules.js'
export { callbackUrl, inputOf, videoSpecOf, wholeNumber } from './shared/schema.js'

/**
 * Declares a family whose creates make tasks, or one of operations of its own. It returns what it is given: its types say what
 * the contract asks for, and keep the names of the family for those who name them (`BacklotFamilies`).
 *
 * `Body` is inferred from `schema`, `In` from `readRequest` (default: `Body`), `Params` from `params`, and `E` from `errors`.
 */
export function defineFamily<const Id extends string, E extends string, Api extends FamilyApi>(
  family: FamilyDescription<E> & { readonly id: Id; readonly api: Api; readonly routes?: undefined },
): Omit<FamilyDescription<E>, 'id' | 'api'> & { readonly id: Id; readonly api: Api }
export function defineFamily<
  const Id extends string,
  const Model extends string,
  Body,
  Params,
  E extends string,
  Api extends FamilyApi,
  In = Body,
>(
  family: TaskFamily<In, Params, E, Body> & Named<Id, Model, Api>,
): Omit<TaskFamily<In, Params, E, Body>, keyof Named<Id, Model, Api>> & Named<Id, Model, Api>
export function defineFamily(family: unknown): unknown {
  return family
}

/** What the types of a family keep of its names. The contract has them as any text, with which every name would fit. */
interface Named<Id extends string, Model extends string, Api extends FamilyApi> {
  readonly id: Id
  readonly models: readonly Model[]
  readonly api: Api
}
