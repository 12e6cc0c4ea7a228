import type { CallbackRecord, RequestRecord, TaskRecord, TaskStatus } from '../../generated/control-api.js'
import { remembered } from './remembered.js'
import { isPoll, isProblem, promptOf, sentenceOf } from './request-rows.js'
import { type AccountState, taskIn } from './store.js'

export type MarkKind = 'poll' | 'call' | 'download' | 'callback' | 'refusal' | 'effect' | 'expiry'

/** A mark on a row: something that happened to a task, or will. */
export interface Mark {
  readonly at: number
  readonly kind: MarkKind
  readonly label: () => string
  /** What to open; undefined: there is nothing more to see. */
  readonly opens?: { readonly view: 'requests' | 'callbacks'; readonly id: string }
}

/** A part of a bar, in one state. `to` is undefined where the state has no end. */
export interface Stretch {
  readonly status: TaskStatus
  readonly from: number
  readonly to: number | undefined
}

/** A row of the timeline: a task, or a call that was refused and made none. */
export interface TimelineRow {
  readonly id: string
  readonly at: number
  readonly title: string
  readonly subtitle: string
  /** The letter of the family; `–` where there is none. */
  readonly family: string
  readonly task: TaskRecord | undefined
  readonly stretches: readonly Stretch[]
  readonly marks: readonly Mark[]
  /** The instants of everything on it, in order. */
  readonly course: readonly number[]
}

/** What becomes of something on the account's clock. */
export interface FutureMoment {
  readonly at: number
  readonly text: string
}

/** Rows of the timeline, newest first. A row of which nothing is new is the same object as before. */
export const timelineRows = ({
  tasks,
  requests,
  hasTask,
  requestsOf,
  callbacksOf,
}: AccountState): readonly TimelineRow[] => {
  const rows = tasks.map((task) => taskRow(task, requestsOf(task.id), callbacksOf(task.id)))
  const refused = requests.filter(
    (request) => request.task === null && isProblem(request) && !hasTask(taskIn(request)),
  )
  return [...rows, ...refusedRows(refused)].sort((one, other) => other.at - one.at)
}

interface BuiltRow {
  readonly requests: readonly RequestRecord[]
  readonly callbacks: readonly CallbackRecord[]
  readonly row: TimelineRow
}

const built = new WeakMap<TaskRecord, BuiltRow>()

/** Row of a task, built anew where a call or a callback about it has come. */
export const taskRow = (
  task: TaskRecord,
  requests: readonly RequestRecord[],
  callbacks: readonly CallbackRecord[],
): TimelineRow => {
  const known = built.get(task)
  if (known?.requests === requests && known.callbacks === callbacks) return known.row
  const times = task.timeline.map(({ at }) => Date.parse(at))
  const at = times[0] ?? Date.parse(task.createdAt)
  const marks = marksOf(task, requests, callbacks)
  const row: TimelineRow = {
    id: task.id,
    at,
    title: task.id,
    subtitle: promptOf(task.order) ?? task.model,
    family: familyLetter(task.family),
    task,
    stretches: task.timeline.map(({ status }, index) => ({
      status,
      from: times[index] as number,
      to: times[index + 1],
    })),
    marks,
    course: courseOf([at, ...times, ...marks.map((mark) => mark.at)]),
  }
  built.set(task, { requests, callbacks, row })
  return row
}

/** Refusals of one kind that follow each other are one row. */
const refusedRows = (requests: readonly RequestRecord[]): readonly TimelineRow[] => {
  const rows: (Omit<TimelineRow, 'course'> & { readonly marks: Mark[] })[] = []
  for (const request of requests) {
    const title = `${request.method} ${request.operation ?? request.path}`
    const subtitle = sentenceOf(request)
    const last = rows.at(-1)
    if (last?.title === title && last.subtitle === subtitle) last.marks.push(markOf(request))
    else
      rows.push({
        id: request.id,
        at: Date.parse(request.at),
        title,
        subtitle,
        family: request.operation === null ? '–' : familyLetter(request.operation),
        task: undefined,
        stretches: [],
        marks: [markOf(request)],
      })
  }
  return rows.map((row) => ({ ...row, course: courseOf([row.at, ...row.marks.map(({ at }) => at)]) }))
}

const courseOf = (instants: number[]): readonly number[] => instants.sort((one, other) => one - other)

/** `A2` for `a2-image.create`. */
export const familyLetter = (family: string): string => family.replace(/-.*/, '').toUpperCase()

/** Marks of the calls and callbacks about a task, oldest first. That it was made is no mark. */
const marksOf = (
  { status: current }: TaskRecord,
  requests: readonly RequestRecord[],
  callbacks: readonly CallbackRecord[],
): readonly Mark[] => {
  const marks = requests.filter((request) => !isMaking(request)).map(markOf)
  for (const { id, status: reported, kind, attempts } of callbacks)
    for (const { at, status, error } of attempts)
      marks.push({
        at: Date.parse(at),
        kind: 'callback',
        label: () => `callback ${reported ?? kind}: ${status ?? error ?? 'no answer'}`,
        opens: { view: 'callbacks', id },
      })
  // Answers are only searched where there can be a URL: there may be thousands of polls.
  const answered =
    current === 'succeeded' ? requests.find((request) => expiryIn(request) !== undefined) : undefined
  const endsAt = answered && expiryIn(answered)
  if (endsAt !== undefined) marks.push({ at: endsAt, kind: 'expiry', label: () => 'the result URL ends' })
  return marks.sort((one, other) => one.at - other.at)
}

const isMaking = (request: RequestRecord): boolean =>
  request.operation?.endsWith('.create') === true && !isProblem(request) && request.scenario?.acted == null

/** When the result URL in an answer ends; undefined: the answer holds none. */
const expiryIn = remembered(({ answer }: RequestRecord): number | undefined => {
  const seconds = /\bExpires=(\d+)/.exec(JSON.stringify(answer) ?? '')?.[1]
  return seconds === undefined ? undefined : Number(seconds) * 1_000
})

const markOf = (request: RequestRecord): Mark => ({
  at: Date.parse(request.at),
  kind: kindOf(request),
  label: () =>
    `${request.method} ${request.operation ?? request.path} ${request.status}: ${sentenceOf(request)}`,
  opens: { view: 'requests', id: request.id },
})

const kindOf = (request: RequestRecord): MarkKind => {
  if (request.scenario?.acted != null) return 'effect'
  if (isProblem(request)) return 'refusal'
  if (request.operation === 'results.download') return 'download'
  return isPoll(request) ? 'poll' : 'call'
}

/** The rows that have something wrong: a refusal, an effect, a failed task, a callback without a good answer. */
export const isProblemRow = ({ task, marks }: TimelineRow): boolean =>
  task === undefined ||
  task.status === 'failed' ||
  task.status === 'expired' ||
  marks.some(({ kind }) => kind === 'refusal' || kind === 'effect')

/** Median time from create to end, in milliseconds; at least 200. A minute where there is no task. */
export const usualLength = (tasks: readonly TaskRecord[]): number => {
  const lengths = tasks
    .slice(0, 500)
    .map(({ createdAt, timeline }) => Date.parse(timeline.at(-1)?.at ?? createdAt) - Date.parse(createdAt))
    .sort((one, other) => one - other)
  return Math.max(200, lengths[lengths.length >> 1] ?? 60_000)
}

/** What is written down for after an instant, soonest first. */
export const futureMoments = (
  tasks: readonly TaskRecord[],
  now: number,
  next: string | null,
): readonly FutureMoment[] => {
  const since = new Date(now).toISOString()
  const known = tasks
    .filter(({ timeline }) => (timeline.at(-1)?.at ?? '') > since)
    .flatMap(({ id, timeline }) =>
      timeline
        .filter(({ at }) => at > since)
        .map(({ at, status }) => ({ at: Date.parse(at), text: `${id} ${status}` })),
    )
  const nextAt = next === null ? undefined : Date.parse(next)
  // The clock also stops for what has no row: a callback, an asset.
  if (nextAt !== undefined && nextAt > now && !known.some(({ at }) => at === nextAt))
    known.push({ at: nextAt, text: 'a callback or an asset is due' })
  return known.sort((one, other) => one.at - other.at)
}

/** The state of a task at an instant; undefined: it did not exist. */
export const statusAt = ({ timeline }: TaskRecord, at: number): TaskStatus | undefined =>
  timeline.findLast((moment) => Date.parse(moment.at) <= at)?.status
