import type { z } from 'zod'
import type { MediaRef } from '../media/mention.js'
import type { FailureKind, Route } from '../operation.js'
import type { ErrorSpec, Refusal } from '../problem.js'
import type { Settings } from '../settings.js'
import type { Instant } from '../time/timeline.js'
import type { DecisionContext } from '../world.js'
import type { State, TaskTimeline } from './phase.js'
import type { Rule } from './rule.js'
import type { TaskView } from './task.js'

/** The family's name for what every family must be able to say; `missing` and `invalid` are for fields of the body. */
export type WellKnownErrors<E extends string> = Readonly<
  Record<FailureKind | 'missing' | 'invalid' | 'unknown-model', E>
>

/** The wire format: what clients read. Each function gives a body to be written as JSON. */
export interface Responders<Params, E extends string> {
  readonly created: (view: TaskView<Params, E>, world: DecisionContext) => unknown
  /** Left out where a task cannot be queried. */
  readonly read?: (view: TaskView<Params, E>, world: DecisionContext) => unknown
  /** A page of what `read` gives for each task. */
  readonly list?: (items: readonly unknown[], total: number) => unknown
  readonly cancelled?: (view: TaskView<Params, E>) => unknown
  readonly problem: (problem: Refusal<E>, requestId: string) => unknown
}

/** How a family reports status changes: the body of a callback is what `render.read` gives (§Events 2). */
export interface CallbackContract<In> {
  /** Where to, as a request says it; undefined where it does not ask for callbacks. */
  readonly url: (input: In) => string | undefined
  /** Whether the receiver must return a challenge first (§Events 1). */
  readonly handshake: boolean
}

/** What becomes of a task that a client asks to cancel or delete. */
export type CancelOutcome<E extends string> = 'cancel' | 'remove' | Refusal<E>

/**
 * A chapter of the specification whose calls make tasks. Everything about it is here, and everything here is data or
 * a pure function; `operationsOf` turns it into create, read, list and cancel.
 *
 * `In` is a request of the right shape, `Order` what is settled from it and stored, `E` the names of its errors.
 */
export interface TaskFamily<In, Params, E extends string> {
  /** The name of its folder. */
  readonly id: string
  /** The chapter it mirrors: `B`. */
  readonly section: string
  readonly title: string
  /** The models it claims on a route that it shares. */
  readonly models: readonly string[]
  /** Those of other families on the route of its create, for whoever names no model that one has; left out: none. */
  readonly modelsBeside?: readonly string[]
  readonly routes: Readonly<{ create: Route; read?: Route; list?: Route; cancel?: Route }>
  /** What its tasks can be; left out: queued, running, succeeded, failed, cancelled, and expired where it has a deadline. */
  readonly states?: readonly State[]
  /** Families whose tasks can be read here too; left out: only its own. */
  readonly reads?: readonly string[]
  readonly maxBodyBytes: (settings: Settings) => number
  /** What a request may look like. Defaults are filled in; unknown keys are dropped. */
  readonly schema: z.ZodType<In>
  readonly rules: readonly Rule<NoInfer<In>, NoInfer<E>>[]
  readonly errors: Readonly<Record<E, ErrorSpec>>
  readonly standing: WellKnownErrors<NoInfer<E>>
  /** The media that a request names, in the order of the body; left out where requests name none. */
  readonly mediaRefs?: (input: NoInfer<In>) => readonly MediaRef[]
  /** What the journal should say beside the decision; left out where there is never anything. */
  readonly warnings?: (input: NoInfer<In>, world: DecisionContext) => readonly string[]
  /** Everything settled: sizes, lengths, seeds. Called once all rules are kept. */
  readonly order: (input: NoInfer<In>, world: DecisionContext) => Params
  readonly newId: (world: DecisionContext) => string
  readonly lifecycle: (order: NoInfer<Params>, world: DecisionContext, id: string) => TaskTimeline<NoInfer<E>>
  /** When a task that has not ended expires; left out where tasks never do. */
  readonly deadline?: (order: NoInfer<Params>, createdAt: Instant) => Instant
  /** Images that count against the quota; left out where none do. */
  readonly images?: (order: NoInfer<Params>) => number
  /** What a task costs when it succeeds; left out where nothing is charged. */
  readonly price?: (order: NoInfer<Params>, settings: Settings) => number
  /** Left out where status changes are not reported. */
  readonly callback?: CallbackContract<NoInfer<In>>
  /** Whether a task can still be seen; left out where tasks are never asked for. */
  readonly isKept?: (view: TaskView<NoInfer<Params>, NoInfer<E>>) => boolean
  readonly notFound?: (id: string) => Refusal<NoInfer<E>>
  readonly cancelling?: (view: TaskView<NoInfer<Params>, NoInfer<E>>) => CancelOutcome<NoInfer<E>>
  /** When a result's URL ends, given when the task succeeded. */
  readonly resultLifeMs: number
  readonly render: Responders<NoInfer<Params>, NoInfer<E>>
}

// biome-ignore lint/suspicious/noExplicitAny: a list of families holds families of every kind
export type AnyTaskFamily = TaskFamily<any, any, any>
