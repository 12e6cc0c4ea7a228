import type { Asset } from '../asset.js'
import type { ActedStep, CallbackRecord } from '../model/account.js'
import type { Task } from '../model/task.js'
import { actedStep } from '../scenario/explain.js'
import { type Instant, momentCountAt } from '../schedule/time.js'
import { answerText, connectionOutcomeOf, type JournalEntry } from './entry.js'
import { redactedQuery, redactedText } from './redact.js'

/** Timeline entry: something that happened on an account, in one line. */
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

/** Entry with the number of requests before it: where a clock stands still, times alone give no order. */
interface PositionedEntry {
  readonly entry: TimelineEntry
  readonly position: number
}

/** Timeline of an account: calls, changes of tasks and assets, and callbacks, in order. */
export const buildTimeline = ({ entries, tasks, assets, callbacks, now }: TimelineInput): TimelineEntry[] => {
  const indexByRequestId = new Map(entries.map(({ id }, index) => [id, index]))
  const tasksById = new Map(tasks.map((task) => [task.id, task]))
  const key = (entries[0] ?? tasks[0])?.account
  /** Positions the entries of a task or an asset behind the request that made it. */
  const positioned = (own: readonly TimelineEntry[], made: Task | Asset | undefined): PositionedEntry[] => {
    const maker = indexByRequestId.get(made?.requestId ?? '') ?? -1
    let position = maker + 1
    // Both are in order.
    return own.map((entry) => {
      while (position < entries.length && (entries[position] as JournalEntry).at < entry.at) position += 1
      return { entry, position }
    })
  }
  const others = [
    ...tasks.flatMap((task) => positioned(taskEntries(task, now), task)),
    ...assets.flatMap((asset) => positioned(assetEntries(asset, now), asset)),
    ...callbacks.flatMap((callback) => {
      const task = tasksById.get(callback.taskId)
      return positioned(callbackEntries(callback, task, key, now), task)
    }),
  ]
  others.sort((one, other) => one.position - other.position || one.entry.at - other.entry.at)
  return merged(entries, others)
}

const merged = (requests: readonly JournalEntry[], others: readonly PositionedEntry[]): TimelineEntry[] => {
  const timeline: TimelineEntry[] = []
  let next = 0
  for (let index = 0; index <= requests.length; index += 1) {
    for (; others[next]?.position === index; next += 1) timeline.push((others[next] as PositionedEntry).entry)
    const request = requests[index]
    if (request !== undefined) timeline.push(requestEntry(request))
  }
  return timeline
}

const requestEntry = (entry: JournalEntry): TimelineEntry => {
  const { id, account, at, method, query, operation, task, played } = entry
  const [refusal] = entry.refusedBy
  const path = query === '' ? entry.path : `${entry.path}?${redactedQuery(query, account)}`
  const answer = answerText(entry.status, connectionOutcomeOf(entry))
  const what = operation === undefined ? 'no such operation' : [operation, task].filter(Boolean).join(' ')
  const sentence = refusal?.message === undefined ? '' : `: ${refusal.message}`
  const why = refusal === undefined ? '' : `; refused by ${refusal.rule}${sentence}`
  const acted = played?.step === undefined ? '' : `; ${actedText(actedStep(played.step))}`
  const says = redactedText(`${method} ${path} → ${answer} (${what}${why}${acted})`, account)
  return { at, kind: 'request', id, says }
}

const actedText = ({ scenario, step, effects }: ActedStep): string =>
  `step ${step} of the scenario ${scenario} acted: ${effects.join(', ')}`

const taskEntries = ({ id, timeline }: Task, now: Instant): TimelineEntry[] =>
  timeline.slice(0, momentCountAt(timeline, now)).map(({ at, value }) => {
    const why = value.state === 'failed' ? ` (${value.error})` : ''
    return { at, kind: 'task', id, says: `task ${id} ${value.state}${why}` }
  })

const assetEntries = ({ id, timeline }: Asset, now: Instant): TimelineEntry[] =>
  timeline.slice(0, momentCountAt(timeline, now)).map(({ at, value }) => {
    const why = value.state === 'Failed' ? ` (${value.error.code}: ${value.error.message})` : ''
    return { at, kind: 'asset', id, says: `asset ${id} ${value.state}${why}` }
  })

const callbackEntries = (
  callback: CallbackRecord,
  task: Task | undefined,
  key: string | undefined,
  now: Instant,
): TimelineEntry[] => {
  const { id, kind, status, url, attempts, state, reason } = callback
  const what = `callback ${status ?? kind} to ${redactedText(url, key)}`
  const tried = attempts.map(
    ({ at, outcome, status: answered, error }): TimelineEntry => ({
      at,
      kind: 'callback',
      id,
      says: `${what} → ${answered ?? outcome}${error === undefined ? '' : ` (${error})`}`,
    }),
  )
  const last = attempts.at(-1)?.at ?? (state === 'waiting' ? undefined : reachedAt(callback, task)) ?? now
  if (state === 'delivered') return tried
  const end = { waiting: 'still to be delivered', failed: 'given up', skipped: 'not sent' }[state]
  return [
    ...tried,
    { at: last, kind: 'callback', id, says: `${what}: ${end}${reason === undefined ? '' : ` (${reason})`}` },
  ]
}

/** When a task reached the status that a callback reports. The number in the callback's id counts them, from 1. */
const reachedAt = ({ id, taskId }: CallbackRecord, task: Task | undefined): Instant | undefined =>
  task?.timeline[Math.max(0, Number(id.slice(taskId.length + 1)) - 1)]?.at
