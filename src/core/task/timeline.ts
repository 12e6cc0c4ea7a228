import type { MediaSpec } from '../media/spec.js'
import { type Phase, type State, states, type Task, type TaskTimeline, type TaskView } from '../model/task.js'
import { type Instant, type Moment, momentAt, nextAfter } from '../schedule/time.js'

/** The states that tasks of a family can be in (§Task states). */
export const statesOf = ({
  states: own,
  deadline,
}: {
  readonly states?: readonly State[]
  readonly deadline?: unknown
}): readonly State[] =>
  own ?? states.filter((state) => state !== 'pending' && (state !== 'expired' || deadline !== undefined))

/** A life that is over when it begins: what synchronous operations have. */
export const instantTimeline = <E extends string>(
  at: Instant,
  media: readonly MediaSpec[],
): TaskTimeline<E> => [{ at, value: { state: 'succeeded', media } }]

/** The ordinary life: queued, running, succeeded. */
export const plainTimeline = <E extends string>(
  createdAt: Instant,
  pace: { readonly queuedMs: number; readonly runningMs: number },
  media: readonly MediaSpec[],
): TaskTimeline<E> => [
  { at: createdAt, value: { state: 'queued' } },
  { at: createdAt + pace.queuedMs, value: { state: 'running' } },
  { at: createdAt + pace.queuedMs + pace.runningMs, value: { state: 'succeeded', media } },
]

/**
 * The same life, cut short at a deadline: what would come at or after it does not, and the task expires there. A life
 * that ends in time is returned as it is.
 */
export const expiringAt = <E extends string>(life: TaskTimeline<E>, deadline: Instant): TaskTimeline<E> => {
  const end = life[life.length - 1] as Moment<Phase<E>>
  if (isFinal(end.value) && end.at < deadline) return life
  const before = life.filter((moment) => moment.at < deadline && !isFinal(moment.value))
  return [...before, { at: deadline, value: { state: 'expired' } }]
}

/** The life of a task that is told, at `now`, to be in another state: the past stays, the future is this. */
export const forcedTimeline = <E extends string>(
  life: TaskTimeline<E>,
  now: Instant,
  phase: Phase<E>,
): TaskTimeline<E> => {
  const past = life.filter((moment, index) => index === 0 || moment.at <= now)
  return [...past, { at: Math.max(now, (past[past.length - 1] as Moment<Phase<E>>).at), value: phase }]
}

export const stateNames = (life: TaskTimeline): State[] => life.map((moment) => moment.value.state)

export const isFinal = (phase: Phase): boolean =>
  phase.state !== 'pending' && phase.state !== 'queued' && phase.state !== 'running'

export const mediaOf = (phase: Phase): readonly MediaSpec[] =>
  phase.state === 'succeeded' ? phase.media : []

export const viewAt = <Params, E extends string>(
  task: Task<Params, E>,
  now: Instant,
): TaskView<Params, E> => {
  const moment = momentAt(task.timeline, now)
  return { task, now, phase: moment.value, since: moment.at, progress: progressAt(task, now) }
}

/** The next instant at which the task changes; undefined once nothing more will come of it. */
export const nextChange = (task: Task, now: Instant): Instant | undefined => nextAfter(task.timeline, now)?.at

// 10 to 95 while running (gap E6), so that a progress bar moves and never claims to be done too early. It stands still in a
// task that is never done: one that does not end, or that runs until it expires.
const progressAt = (task: Task, now: Instant): number => {
  const { value, at } = momentAt(task.timeline, now)
  if (isFinal(value)) return 100
  if (value.state !== 'running') return 0
  const next = nextAfter(task.timeline, now)
  const end = next?.value.state === 'expired' ? undefined : next?.at
  return end === undefined ? 10 : Math.floor(10 + (85 * (now - at)) / Math.max(1, end - at))
}
