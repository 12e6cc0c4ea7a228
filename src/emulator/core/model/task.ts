import type { Attempt } from '../callback/delivery.js'
import type { MediaSpec } from '../media/spec.js'
import { type Instant, lastOf, type Moment, momentAt, nextAfter, type Timeline } from '../schedule/time.js'

/** Every state that a task can have. */
export const states = ['pending', 'queued', 'running', 'succeeded', 'failed', 'cancelled', 'expired'] as const
/** The status words of the specification, all interfaces together (§Task states). A task passes the first three in this order. */
export type State = (typeof states)[number]

/** Phase of a task, with what that brings: media when it succeeds, a named error when it fails. */
export type Phase<E extends string = string> =
  | { readonly state: 'pending' | 'queued' | 'cancelled' | 'expired' }
  /** `progress`: where it stands still, since the task is held. Undefined where it follows from the timeline. */
  | { readonly state: 'running'; readonly progress?: number | undefined }
  | { readonly state: 'succeeded'; readonly media: readonly MediaSpec[] }
  | { readonly state: 'failed'; readonly error: E }

/** The phases that a task goes through, each from its moment on. */
export type TaskTimeline<E extends string = string> = Timeline<Phase<E>>

/**
 * Task record: plain data that survives JSON. `params` is the request with everything resolved that it left open
 * (ratio, length, seed), so that nothing is decided twice.
 */
export interface Task<Params = unknown, E extends string = string> {
  readonly id: string
  readonly family: string
  readonly account: string
  readonly model: string
  readonly requestId: string
  readonly createdAt: Instant
  readonly params: Params
  readonly timeline: TaskTimeline<E>
  /** What it costs when it succeeds, in the account's currency; 0 where nothing is charged. */
  readonly price: number
  /** Callback address for status changes, or undefined where the create named none. */
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

/** Exposure: the last instants at which a task can be queried, and at which it or its results can be fetched. */
export interface Exposure {
  readonly visibleUntil: Instant
  readonly reachableUntil: Instant
}

/** The exposure of a task that can be asked for as long as it is kept. */
export const FOR_EVER: Exposure = {
  visibleUntil: Number.POSITIVE_INFINITY,
  reachableUntil: Number.POSITIVE_INFINITY,
}

/** Overrides of the answers about a task, by a scenario. Kept with the task. */
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

/** Address of a task's callbacks, fixed when the task is created. */
export interface CallbackAddress {
  readonly url: string
  /** What the receiver must give back before anything is sent (§Callbacks); undefined where nothing is asked (gap B17). */
  readonly challenge?: string
  /** The scheme and host of the create call: what result URLs in callbacks begin with. */
  readonly origin: string
  /** The challenge that the receiver passed before the create was accepted. Undefined where none was sent then. */
  readonly verified?: { readonly challenge: string; readonly attempt: Attempt }
}

/** The states that tasks of a family can be in (§Task states). */
export const statesOf = (family: {
  readonly states?: readonly State[]
  readonly deadline?: unknown
}): readonly State[] =>
  family.states ??
  states.filter((state) => state !== 'pending' && (state !== 'expired' || family.deadline !== undefined))

/** Timeline that is over when it begins, as of synchronous operations. */
export const instantTimeline = <E extends string>(
  at: Instant,
  media: readonly MediaSpec[],
): TaskTimeline<E> => [{ at, value: { state: 'succeeded', media } }]

// Shared by all tasks, of which there can be a million.
const QUEUED = { state: 'queued' } as const
const RUNNING = { state: 'running' } as const

/** The ordinary timeline: queued, running, succeeded. */
export const plainTimeline = <E extends string>(
  createdAt: Instant,
  pace: { readonly queuedMs: number; readonly runningMs: number },
  media: readonly MediaSpec[],
): TaskTimeline<E> => [
  { at: createdAt, value: QUEUED },
  { at: createdAt + pace.queuedMs, value: RUNNING },
  { at: createdAt + pace.queuedMs + pace.runningMs, value: { state: 'succeeded', media } },
]

/** Timeline cut short at a deadline, where the task expires and later moments are dropped; itself if it ends in time. */
export const expiringAt = <E extends string>(
  timeline: TaskTimeline<E>,
  deadline: Instant,
): TaskTimeline<E> => {
  const end = lastOf(timeline)
  if (isFinal(end.value) && end.at < deadline) return timeline
  const before = timeline.filter((moment) => moment.at < deadline && !isFinal(moment.value))
  return [...before, { at: deadline, value: { state: 'expired' } }]
}

/** Timeline of a task that is forced into another state at `now`: the past stays, and one moment, or none, replaces the future. */
export const forcedTimeline = <E extends string>(
  timeline: TaskTimeline<E>,
  now: Instant,
  phase: Phase<E>,
): TaskTimeline<E> => {
  const past = timeline.filter((moment, index) => index === 0 || moment.at <= now)
  const reached = lastOf(past)
  // A task that is held where it is has not changed. Its progress stays where it is.
  if (reached.value.state === phase.state)
    return phase.state === 'running'
      ? past.with(-1, { ...reached, value: { ...phase, progress: progressAt(timeline, reached, now) } })
      : past
  return [...past, { at: Math.max(now, reached.at), value: phase }]
}

/** Whether a phase is the end of a task: no status follows it (§Task states). */
export const isFinal = (phase: Phase): boolean =>
  phase.state !== 'pending' && phase.state !== 'queued' && phase.state !== 'running'

/** The media of a phase; none unless it is `succeeded`. */
export const mediaOf = (phase: Phase): readonly MediaSpec[] =>
  phase.state === 'succeeded' ? phase.media : []

/** View of a task at an instant: a look-up in its timeline, which changes nothing. */
export const viewAt = <Params, E extends string>(
  task: Task<Params, E>,
  now: Instant,
): TaskView<Params, E> => {
  const moment = momentAt(task.timeline, now)
  const progress = progressAt(task.timeline, moment, now)
  return { task, now, phase: moment.value, since: moment.at, progress }
}

// 10 to 95 while running (gap E6), so that a progress bar moves and never claims to be done too early. It stands still in a
// task that is never done: one that does not end, or that runs until it expires.
const progressAt = (timeline: TaskTimeline, { value, at }: Moment<Phase>, now: Instant): number => {
  if (isFinal(value)) return 100
  if (value.state !== 'running') return 0
  if (value.progress !== undefined) return value.progress
  const next = nextAfter(timeline, now)
  const end = next?.value.state === 'expired' ? undefined : next?.at
  return end === undefined ? 10 : Math.floor(10 + (85 * (now - at)) / Math.max(1, end - at))
}
