import type { Asset } from '../asset.js'
import type { CallbackRecord } from '../model/account.js'
import type { Task } from '../model/task.js'
import { cameBy, type Instant } from '../schedule/time.js'
import { answerText, connectionOutcomeOf, type JournalEntry } from './entry.js'
import { redactedQuery, redactedText } from './redact.js'

/** One thing that happened on an account, in one line. */
interface TimelineEntry {
  readonly at: Instant
  readonly kind: 'request' | 'task' | 'asset' | 'callback'
  /** Of the request, the task, the asset or the callback. */
  readonly id: string
  readonly says: string
}

interface TimelineInput {
  /** Oldest first. */
  readonly entries: readonly JournalEntry[]
  readonly tasks: readonly Task[]
  readonly assets: readonly Asset[]
  readonly callbacks: readonly CallbackRecord[]
  readonly now: Instant
}

/** An occurrence with the number of requests that came before it: on a clock that stands still, times alone do not tell. */
interface Placed {
  readonly occurrence: TimelineEntry
  readonly after: number
}

/** Timeline of an account: calls, changes of tasks and assets, and callbacks, in order. */
export const buildTimeline = ({ entries, tasks, assets, callbacks, now }: TimelineInput): TimelineEntry[] => {
  const makers = new Map(entries.map(({ id }, index) => [id, index]))
  const makerOf = (made: Task | Asset | undefined): number => makers.get(made?.requestId ?? '') ?? -1
  const placeOf = (at: Instant, maker: number): number => {
    const next = entries.findIndex((entry, index) => index > maker && entry.at >= at)
    return next < 0 ? entries.length : next
  }
  const byId = new Map(tasks.map((task) => [task.id, task]))
  const placed: Placed[] = [
    ...tasks.flatMap((task) =>
      taskEntries(task, now).map((occurrence) => ({
        occurrence,
        after: placeOf(occurrence.at, makerOf(task)),
      })),
    ),
    ...assets.flatMap((asset) =>
      assetEntries(asset, now).map((occurrence) => ({
        occurrence,
        after: placeOf(occurrence.at, makerOf(asset)),
      })),
    ),
    ...callbacks.flatMap((callback) =>
      callbackEntries(callback, now).map((occurrence) => ({
        occurrence,
        after: placeOf(occurrence.at, makerOf(byId.get(callback.taskId))),
      })),
    ),
  ]
  placed.sort((one, other) => one.after - other.after || one.occurrence.at - other.occurrence.at)
  return merged(entries, placed)
}

const merged = (entries: readonly JournalEntry[], placed: readonly Placed[]): TimelineEntry[] => {
  const occurrences: TimelineEntry[] = []
  let next = 0
  for (let index = 0; index <= entries.length; index += 1) {
    for (; placed[next]?.after === index; next += 1) occurrences.push((placed[next] as Placed).occurrence)
    const entry = entries[index]
    if (entry !== undefined) occurrences.push(requestEntry(entry))
  }
  return occurrences
}

const requestEntry = ({
  id,
  account,
  at,
  method,
  path,
  query,
  status,
  answered,
  operation,
  task,
  refusedBy,
}: JournalEntry): TimelineEntry => {
  const [refusal] = refusedBy
  const what = operation === undefined ? 'no such operation' : [operation, task].filter(Boolean).join(' ')
  const why =
    refusal === undefined
      ? ''
      : `; refused by ${refusal.rule}${refusal.message === undefined ? '' : `: ${refusal.message}`}`
  return {
    at,
    kind: 'request',
    id,
    says: redactedText(
      `${method} ${path}${query === '' ? '' : `?${redactedQuery(query, account)}`} → ${answerText(status, connectionOutcomeOf({ answered }))} (${what}${why})`,
      account,
    ),
  }
}

const taskEntries = ({ id, timeline }: Task, now: Instant): TimelineEntry[] =>
  timeline.slice(0, cameBy(timeline, now)).map(({ at, value }) => {
    const why = value.state === 'failed' ? ` (${value.error})` : ''
    return { at, kind: 'task', id, says: `task ${id} ${value.state}${why}` }
  })

const assetEntries = ({ id, timeline }: Asset, now: Instant): TimelineEntry[] =>
  timeline.slice(0, cameBy(timeline, now)).map(({ at, value }) => {
    const why = value.state === 'Failed' ? ` (${value.error.code}: ${value.error.message})` : ''
    return { at, kind: 'asset', id, says: `asset ${id} ${value.state}${why}` }
  })

const callbackEntries = (callback: CallbackRecord, now: Instant): TimelineEntry[] => {
  const { id, kind, status, url, attempts, state, reason } = callback
  const what = `callback ${status ?? kind} to ${redactedText(url)}`
  const tried = attempts.map(
    ({ at, outcome, status: answered, error }): TimelineEntry => ({
      at,
      kind: 'callback',
      id,
      says: `${what} → ${answered ?? outcome}${error === undefined ? '' : ` (${error})`}`,
    }),
  )
  const last = attempts.at(-1)?.at ?? now
  if (state === 'delivered') return tried
  const end = { waiting: 'still to be delivered', failed: 'given up', skipped: 'not sent' }[state]
  return [
    ...tried,
    { at: last, kind: 'callback', id, says: `${what}: ${end}${reason === undefined ? '' : ` (${reason})`}` },
  ]
}
