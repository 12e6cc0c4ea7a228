import type { MediaSpec } from '../media/spec.js'
import { type Instant, type Moment, momentAt, nextAfter, type Timeline } from '../schedule/timeline.js'
import type { ResponseOverrides } from '../task/read.js'
import type { CallbackAddress } from './callback.js'

export const states = ['pending', 'queued', 'running', 'succeeded', 'failed', 'cancelled', 'expired'] as const
/** The status words of the specification, all interfaces together (§States and transitions). */
export type State = (typeof states)[number]

/** Where a task is in its life, with what that brings: media when it succeeds, a named error when it fails. */
export type Phase<E extends string = string> =
  | { readonly state: 'pending' | 'queued' | 'running' | 'cancelled' | 'expired' }
  | { readonly state: 'succeeded'; readonly media: readonly MediaSpec[] }
  | { readonly state: 'failed'; readonly error: E }

export type TaskTimeline<E extends string = string> = Timeline<Phase<E>>

export const isFinal = (phase: Phase): boolean =>
  phase.state !== 'pending' && phase.state !== 'queued' && phase.state !== 'running'

export const mediaOf = (phase: Phase): readonly MediaSpec[] =>
  phase.state === 'succeeded' ? phase.media : []

/** A life that still has something to come, as far as it is written down. */
export const isOpen = (life: TaskTimeline): boolean =>
  !isFinal((life[life.length - 1] as Moment<Phase>).value)

/**
 * The stored record: plain data that survives JSON. `order` is the request with everything settled that it left open
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
  /** Where status changes are to be sent; left out where nobody asked. */
  readonly callback?: CallbackAddress
  /** How answers about it differ from the truth; left out where no scenario wants them to. */
  readonly responseOverrides?: ResponseOverrides
}

/** A task as it is seen at an instant. Everything here follows from the record and `now`. */
export interface TaskView<Params = unknown, E extends string = string> {
  readonly task: Task<Params, E>
  readonly now: Instant
  readonly phase: Phase<E>
  /** When the phase began: `updated_at` of the answers. */
  readonly since: Instant
  /** Whole percent, 0 to 100: how much of the way to the end is done; held below 100 until it is. */
  readonly progress: number
}

export const viewAt = <Params, E extends string>(
  task: Task<Params, E>,
  now: Instant,
): TaskView<Params, E> => {
  const moment = momentAt(task.timeline, now)
  return { task, now, phase: moment.value, since: moment.at, progress: progressAt(task, now) }
}

/** The next instant at which the task changes; undefined once nothing more will come of it. */
export const nextChange = (task: Task, now: Instant): Instant | undefined => nextAfter(task.timeline, now)?.at

// 10 to 95 while running (gap E6), so that a progress bar moves and never claims to be done too early.
const progressAt = (task: Task, now: Instant): number => {
  const { value, at } = momentAt(task.timeline, now)
  if (isFinal(value)) return 100
  if (value.state !== 'running') return 0
  const end = nextChange(task, now)
  return end === undefined ? 10 : Math.floor(10 + (85 * (now - at)) / Math.max(1, end - at))
}
