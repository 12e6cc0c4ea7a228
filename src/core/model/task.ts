import type { MediaSpec } from '../media/spec.js'
import type { Instant, Moment, Timeline } from '../schedule/time.js'

export const states = ['pending', 'queued', 'running', 'succeeded', 'failed', 'cancelled', 'expired'] as const
/** The status words of the specification, all interfaces together (§Task states). */
export type State = (typeof states)[number]

/** Phase of a task, with what that brings: media when it succeeds, a named error when it fails. */
export type Phase<E extends string = string> =
  | { readonly state: 'pending' | 'queued' | 'running' | 'cancelled' | 'expired' }
  | { readonly state: 'succeeded'; readonly media: readonly MediaSpec[] }
  | { readonly state: 'failed'; readonly error: E }

export type TaskTimeline<E extends string = string> = Timeline<Phase<E>>

/**
 * Task record: plain data that survives JSON. `params` is the request with everything resolved that it left open
 * (ratio, length, seed), so that nothing is decided twice.
 */
export interface Task<Params = unknown, E extends string = string> {
  readonly id: string
  /** The id of the family that made it. */
  readonly family: string
  readonly account: string
  readonly model: string
  /** The request that made it, for the journal. */
  readonly requestId: string
  readonly createdAt: Instant
  readonly params: Params
  readonly timeline: TaskTimeline<E>
  /** What it costs when it succeeds, in the account's currency; 0 where nothing is charged. */
  readonly price: number
  /** Callback address for status changes; undefined: the create named none. */
  readonly callback?: CallbackAddress
  /** How answers about it differ from the truth; undefined where no scenario wants them to. */
  readonly responseOverrides?: ResponseOverrides
}

/** View of a task at an instant. Everything here follows from the record and `now`. */
export interface TaskView<Params = unknown, E extends string = string> {
  readonly task: Task<Params, E>
  readonly now: Instant
  readonly phase: Phase<E>
  /** When the phase began: `updated_at` of the answers. */
  readonly since: Instant
  /** Whole percent, 0 to 100: how much of the way to the end is done; held below 100 until it is. */
  readonly progress: number
}

/** The last instant at which a task that is in a phase since a moment can be queried. */
export type VisibleUntil = (task: Task, moment: Moment<Phase>) => Instant

/** Until when a task can be asked for: the last instants at which it can be queried, and at which anything of it can. */
export interface Exposure {
  readonly visibleUntil: Instant
  readonly reachableUntil: Instant
}

/** The exposure of a task that can be asked for as long as it is kept. */
export const FOR_EVER: Exposure = {
  visibleUntil: Number.POSITIVE_INFINITY,
  reachableUntil: Number.POSITIVE_INFINITY,
}

/** How the answers about a task differ from the truth, where a scenario wants them to. Kept with the task. */
export interface ResponseOverrides {
  /** Succeeds, and no result URL is given. */
  readonly withoutUrl?: boolean
  /** What is said instead of `running`. */
  readonly statusWord?: string
  /** Progress falls again half-way through running. */
  readonly progressJumpsBack?: boolean
  /** Progress is a number from 0 to 1. */
  readonly progressAsFraction?: boolean
  /** What is said instead of each status. */
  readonly statusWords?: { readonly [S in State]?: string | undefined }
  /** From its end on, it cannot be seen. */
  readonly vanishes?: boolean
}

/** Where a task's status changes are to be sent, settled when the task is created. */
export interface CallbackAddress {
  readonly url: string
  /** What the receiver must give back before anything is sent (§Callbacks); undefined where nothing is asked (gap B17). */
  readonly challenge?: string
  /** The scheme and host of the create call: what result URLs in callbacks begin with. */
  readonly origin: string
}
