import type { CallbackRecord, RequestRecord, TaskRecord, TaskStatus } from '../../generated/control-api.js'
import { remembered } from './remembered.js'
import { isPoll, isProblem, promptOf, sentenceOf } from './request-rows.js'

export type MarkKind = 'poll' | 'call' | 'download' | 'callback' | 'refusal' | 'effect' | 'expiry'

/** A mark on a row: something that happened to a task, or will. */
export interface Mark {
  readonly at: number
  readonly kind: MarkKind
  readonly label: string
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
}

/** What becomes of something on the account's clock. */
export interface FutureMoment {
  readonly at: number
  readonly text: string
}

interface RowsInput {
  readonly tasks: readonly TaskRecord[]
  readonly requests: readonly RequestRecord[]
  readonly callbacks: readonly CallbackRecord[]
}

/** Rows of the timeline, newest first. */
export const timelineRows = ({ tasks, requests: given, callbacks }: RowsInput): readonly TimelineRow[] => {
  const ids = new Set(tasks.map(({ id }) => id))
  const requests = given.map((request) => withTask(request, ids))
  const marks = marksByTask(requests, callbacks)
  const rows = tasks.map((task) => ({ ...taskRow(task), marks: marks.get(task.id) ?? [] }))
  const refused = refusedRows(requests.filter((request) => request.task === null && isProblem(request)))
  return [...rows, ...refused].sort((one, other) => other.at - one.at)
}

const taskRow = remembered((task: TaskRecord) => ({
  id: task.id,
  at: Date.parse(task.createdAt),
  title: task.id,
  subtitle: promptOf(task.order) ?? task.model,
  family: familyLetter(task.family),
  task,
  stretches: task.timeline.map(({ at, status }, index) => {
    const next = task.timeline[index + 1]
    return { status, from: Date.parse(at), to: next === undefined ? undefined : Date.parse(next.at) }
  }),
}))

/** A call that was refused before its task was looked up names the task in its path all the same. */
const withTask = (request: RequestRecord, ids: ReadonlySet<string>): RequestRecord => {
  if (request.task !== null) return request
  const named = request.path.slice(request.path.lastIndexOf('/') + 1)
  return ids.has(named) ? { ...request, task: named } : request
}

/** Refusals of one kind that follow each other are one row. */
const refusedRows = (requests: readonly RequestRecord[]): readonly TimelineRow[] => {
  const rows: TimelineRow[] = []
  for (const request of requests) {
    const row = refusedRow(request)
    const last = rows.at(-1)
    if (last?.title === row.title && last.subtitle === row.subtitle)
      rows[rows.length - 1] = { ...last, marks: [...last.marks, ...row.marks] }
    else rows.push(row)
  }
  return rows
}

const refusedRow = (request: RequestRecord): TimelineRow => ({
  id: request.id,
  at: Date.parse(request.at),
  title: `${request.method} ${request.operation ?? request.path}`,
  subtitle: sentenceOf(request),
  family: request.operation === null ? '–' : familyLetter(request.operation),
  task: undefined,
  stretches: [],
  marks: [markOf(request)],
})

/** `A2` for `a2-image.create`. */
export const familyLetter = (family: string): string => family.split('-')[0]?.toUpperCase() ?? '–'

const marksByTask = (requests: readonly RequestRecord[], callbacks: readonly CallbackRecord[]) => {
  const marks = new Map<string, Mark[]>()
  const add = (task: string, mark: Mark) => {
    const list = marks.get(task)
    if (list === undefined) marks.set(task, [mark])
    else list.push(mark)
  }
  const expiring = new Set<string>()
  for (const request of requests) {
    const isCreate = request.operation?.endsWith('.create') === true && !isProblem(request)
    if (request.task === null) continue
    if (!isCreate || request.scenario?.acted != null) add(request.task, markOf(request))
    if (expiring.has(request.task)) continue
    const expiresAt = expiryIn(request)
    if (expiresAt === undefined) continue
    expiring.add(request.task)
    add(request.task, { at: expiresAt, kind: 'expiry', label: 'the result URL ends' })
  }
  for (const callback of callbacks)
    for (const { at, status, error } of callback.attempts)
      add(callback.taskId, {
        at: Date.parse(at),
        kind: 'callback',
        label: `callback ${callback.status ?? callback.kind}: ${status ?? error ?? 'no answer'}`,
        opens: { view: 'callbacks', id: callback.id },
      })
  return marks
}

/** When the result URL in an answer ends; undefined: the answer holds none. */
const expiryIn = remembered((request: RequestRecord): number | undefined => {
  const seconds = /\bExpires=(\d+)/.exec(JSON.stringify(request.answer) ?? '')?.[1]
  return seconds === undefined ? undefined : Number(seconds) * 1_000
})

const markOf = remembered(
  (request: RequestRecord): Mark => ({
    at: Date.parse(request.at),
    kind: kindOf(request),
    label: `${request.method} ${request.operation ?? request.path} ${request.status}: ${sentenceOf(request)}`,
    opens: { view: 'requests', id: request.id },
  }),
)

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

/**
 * Time without any event from which it counts as idle: five times the length of a usual task, so that a break never hides
 * the ordinary course of one.
 */
export const idleTime = (tasks: readonly TaskRecord[]): number => 5 * usualLength(tasks)

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
  const known = tasks.flatMap(({ id, timeline }) =>
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
