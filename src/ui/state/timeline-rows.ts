import type {
  CallbackAttempt,
  CallbackRecord,
  RequestRecord,
  TaskRecord,
  TaskStatus,
} from '../../generated/control-api.js'
import { shortId } from './format.js'
import { memoize } from './memoize.js'
import { hasScenarioActed, isPoll, isProblem, promptOf, sentenceOf } from './request-rows.js'
import { type AccountState, taskIn } from './store.js'

export type MarkKind = 'poll' | 'call' | 'download' | 'callback' | 'refusal' | 'effect' | 'expiry'

/** A mark on a row: something that happened to a task, or will. */
export interface Mark {
  readonly at: number
  readonly kind: MarkKind
  readonly label: () => string
  /** Of a callback: whether it was delivered. */
  readonly isDelivered?: boolean
  /** What to open, or undefined where there is nothing more to see. */
  readonly opens?: { readonly view: 'requests' | 'callbacks'; readonly id: string }
}

/** A part of a bar, in one state. `to` is undefined where the state has no end. */
export interface Phase {
  readonly status: TaskStatus
  readonly from: number
  readonly to: number | undefined
}

/** A row of the timeline: a task, or the calls of one operation that were refused and made none. */
export interface TimelineRow {
  readonly id: string
  readonly at: number
  /** When the last of it happened or is to happen, but for the end of a URL. */
  readonly to: number
  readonly title: string
  readonly subtitle: string
  /** The letter of the family; `–` where there is none. */
  readonly family: string
  readonly task: TaskRecord | undefined
  readonly phases: readonly Phase[]
  readonly marks: readonly Mark[]
  /** The instants of everything on it, in order. */
  readonly instants: readonly number[]
}

/** Something that will happen on the account's clock. */
export interface FutureMoment {
  readonly at: number
  readonly text: string
}

/** Rows of the timeline, newest first. A row of which nothing is new is the same object as before. */
export const timelineRows = (account: AccountState): readonly TimelineRow[] => {
  const { tasks, requests, hasTask, requestsOf, callbacksOf } = account
  const rows = tasks.map((task) => taskRow(task, requestsOf(task.id), callbacksOf(task.id)))
  const refused = requests.filter(
    (request) => request.task === null && isProblem(request) && !hasTask(taskIn(request)),
  )
  return [...rows, ...refusedRows(refused)].sort((a, b) => b.at - a.at)
}

const rowCache = new WeakMap<
  TaskRecord,
  Pick<AccountState, 'requests' | 'callbacks'> & { readonly row: TimelineRow }
>()

/** Row of a task, cached until a call or a callback about it comes. */
export const taskRow = (
  task: TaskRecord,
  requests: readonly RequestRecord[],
  callbacks: readonly CallbackRecord[],
): TimelineRow => {
  const cached = rowCache.get(task)
  if (cached?.requests === requests && cached.callbacks === callbacks) return cached.row
  const times = task.timeline.map(({ at }) => Date.parse(at))
  const at = times[0] ?? Date.parse(task.createdAt)
  const marks = marksOf(task, requests, callbacks)
  const row: TimelineRow = {
    id: task.id,
    at,
    to: lastOf([at, ...times, ...marks.flatMap((mark) => (mark.kind === 'expiry' ? [] : mark.at))]),
    title: promptOf(task.order) ?? task.model,
    subtitle: shortId(task.id),
    family: familyLetter(task.family),
    task,
    phases: task.timeline.map(({ status }, index) => ({
      status,
      from: times[index] as number,
      to: times[index + 1],
    })),
    marks,
    instants: sorted([at, ...times, ...marks.map((mark) => mark.at)]),
  }
  rowCache.set(task, { requests, callbacks, row })
  return row
}

/** Refusals of one operation are one row, which stands where the newest of them does. */
const refusedRows = (requests: readonly RequestRecord[]): readonly TimelineRow[] => {
  const groups = new Map<string, RequestRecord[]>()
  for (const request of requests) {
    const title = `${request.method} ${request.operation ?? request.path}`
    const group = groups.get(title)
    if (group === undefined) groups.set(title, [request])
    else group.push(request)
  }
  return [...groups].map(([title, group]) => {
    const [newest] = group as [RequestRecord]
    const marks = group.map(markOf).reverse()
    const instants = sorted(marks.map(({ at }) => at))
    return {
      id: newest.id,
      at: Date.parse(newest.at),
      to: lastOf(instants),
      title,
      subtitle: group.length === 1 ? sentenceOf(newest) : `×${group.length} · ${sentenceOf(newest)}`,
      family: newest.operation === null ? '–' : familyLetter(newest.operation),
      task: undefined,
      phases: [],
      marks,
      instants,
    }
  })
}

const lastOf = (instants: readonly number[]): number =>
  instants.reduce((latest, at) => Math.max(latest, at), Number.NEGATIVE_INFINITY)

const sorted = (instants: number[]): readonly number[] => instants.sort((a, b) => a - b)

/** `A2` for `a2-image.create`. */
export const familyLetter = (family: string): string => family.replace(/-.*/, '').toUpperCase()

/** Marks of the calls and callbacks about a task, oldest first. Its create is no mark. */
const marksOf = (
  { status: current, timeline, createdAt }: TaskRecord,
  requests: readonly RequestRecord[],
  callbacks: readonly CallbackRecord[],
): readonly Mark[] => {
  const marks = requests.filter((request) => !isPlainCreate(request)).map(markOf)
  for (const callback of callbacks) {
    const { id, status: reported, kind, attempts, reason = 'not sent' } = callback
    // One that was not sent stands at the change that it reports; a challenge, which reports none, at the create.
    const at = timeline.find(({ status }) => status === reported)?.at ?? createdAt
    const unsent: readonly Pick<CallbackAttempt, 'at' | 'status' | 'error'>[] = [{ at, error: reason }]
    for (const attempt of attempts.length > 0 ? attempts : unsent)
      marks.push({
        at: Date.parse(attempt.at),
        kind: hasScenarioActed(callback) ? 'effect' : 'callback',
        isDelivered: attempt.status !== undefined && attempt.status < 300,
        label: () => `callback ${reported ?? kind}: ${attempt.status ?? attempt.error ?? 'no answer'}`,
        opens: { view: 'callbacks', id },
      })
  }
  // Answers are only searched where there can be a URL: there may be thousands of polls.
  const withUrl = current === 'succeeded' ? requests.find((request) => expiryIn(request)) : undefined
  const expiresAt = withUrl && expiryIn(withUrl)
  if (expiresAt) marks.push({ at: expiresAt, kind: 'expiry', label: () => 'the result URL ends' })
  return marks.sort((a, b) => a.at - b.at)
}

const isPlainCreate = (request: RequestRecord): boolean =>
  request.operation?.endsWith('.create') === true && !isProblem(request) && !hasScenarioActed(request)

/** When the result URL in an answer ends, or undefined where the answer holds none. */
export const expiryIn = memoize(({ answer }: RequestRecord): number | undefined => {
  const seconds = /\bExpires=(\d{1,11})\b/.exec(JSON.stringify(answer) ?? '')?.[1]
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
  if (hasScenarioActed(request)) return 'effect'
  if (isProblem(request)) return 'refusal'
  if (/\.(download|content)$/.test(request.operation ?? '')) return 'download'
  return isPoll(request) ? 'poll' : 'call'
}

/** Whether something is wrong in a row: a refusal, an effect of a scenario, a failed or expired task. */
export const isProblemRow = ({ task, marks }: TimelineRow): boolean =>
  task === undefined ||
  task.status === 'failed' ||
  task.status === 'expired' ||
  marks.some(({ kind }) => kind === 'refusal' || kind === 'effect')

/**
 * Median time from create to end, in milliseconds; at least 200. A minute where there is no task that takes time: pictures, which
 * end as they begin, do not count.
 */
export const medianDuration = (tasks: readonly TaskRecord[]): number => {
  const durations = sorted(
    tasks
      .slice(0, 500)
      .map(({ createdAt, timeline }) => Date.parse(timeline.at(-1)?.at ?? createdAt) - Date.parse(createdAt))
      .filter((ms) => ms > 0),
  )
  return Math.max(200, durations[durations.length >> 1] ?? 60_000)
}

/** What is scheduled for after an instant, soonest first. */
export const futureMoments = (
  tasks: readonly TaskRecord[],
  now: number,
  next: string | null,
  expiries: readonly number[] = [],
): readonly FutureMoment[] => {
  const since = new Date(now).toISOString()
  const moments = tasks.flatMap(({ id, timeline }) =>
    timeline
      .filter(({ at }) => at > since)
      .map(({ at, status }) => ({ at: Date.parse(at), text: `${id} ${status}` })),
  )
  const nextAt = next === null ? undefined : Date.parse(next)
  // The clock also stops for what has no row: a callback, an asset.
  if (nextAt !== undefined && nextAt > now && !moments.some(({ at }) => at === nextAt))
    moments.push({ at: nextAt, text: 'a callback or an asset is due' })
  for (const at of new Set(expiries)) if (at > now) moments.push({ at, text: 'a result URL ends' })
  return moments.sort((a, b) => a.at - b.at)
}

/** The state of a task at an instant, or undefined where it did not exist. */
export const statusAt = ({ timeline }: TaskRecord, at: number): TaskStatus | undefined =>
  timeline.findLast((moment) => Date.parse(moment.at) <= at)?.status
