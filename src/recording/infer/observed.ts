import { isRecord, textAt } from '../../emulator/surface/journal.js'
import { builtIn, type Operation, type Registry } from '../../emulator/surface/registry.js'
import type {
  CallbackLine,
  CallLine,
  ControlLine,
  Line,
  RecordedAnswer,
  RecordedRequest,
  Recording,
  TaskLine,
} from '../../traffic/format.js'

/** Observed call: one that an emulator recorded, or that a browser made. Its path is without the prefix of a gateway. */
export interface ObservedCall extends Pick<RecordedRequest, 'method' | 'path' | 'query' | 'json' | 'media'> {
  /** Milliseconds since 1970, by the clock of the observer. */
  readonly at: number
  /** undefined: no operation has such a route. */
  readonly operation?: string
  /** The fields of a form, beside its file. */
  readonly form?: Readonly<Record<string, string>>
  /** The task that it has made, whatever its answer says. undefined: none, or unknown. */
  readonly task?: string
  readonly answer: ObservedAnswer
}

export interface ObservedAnswer extends Omit<RecordedAnswer, 'headers' | 'bytes'> {
  /** By their names in lower case. */
  readonly headers: Readonly<Record<string, string>>
}

/** Failed task: a task that failed or expired, with the call that made it. */
export interface FailedTask {
  readonly create: ObservedCall
  readonly state: 'failed' | 'expired'
  /** The name in the family's table. undefined: the task has no error, or one that no row of the table fits; or it expired. */
  readonly error?: string
  readonly afterMs: number
}

/** Lost callback: a message that its receiver never got, with the operation that made its task. */
export interface LostCallback {
  readonly operation: string
  readonly message: 'challenge' | 'delivery'
  readonly status?: string
  /** Its number among such messages, from 1. */
  readonly nth: number
  readonly at: number
}

/** Failed job: an asset job that failed, with the call that began it. */
export interface FailedJob {
  readonly upload: ObservedCall
  readonly code: string
  readonly message: string
}

/** Observed session: the calls of one account, and the failures that are not answers to calls. */
export interface ObservedSession {
  readonly calls: readonly ObservedCall[]
  readonly failedTasks: readonly FailedTask[]
  readonly lost: readonly LostCallback[]
  readonly failedJobs: readonly FailedJob[]
  /** What failed of calls that are not among these, in words: "the task cgt-1". No step can act on those calls. */
  readonly ofOtherCalls: readonly string[]
  /** Method and path of each call that the client itself aborted. undefined: the file does not tell. */
  readonly aborted?: readonly string[]
}

/** Operation of a call; undefined for a download and where no operation has the route. */
export const operationOf = (
  { operation = '' }: { readonly operation?: string },
  { operations }: Registry,
): Operation | undefined => operations.find(({ id }) => id === operation)

/** Id in the answer to a call: of a task, a job or an asset; undefined where the answer gives none. */
export const answeredId = (call: ObservedCall, registry: Registry): string | undefined => {
  const path = operationOf(call, registry)?.idAt
  return path === undefined ? undefined : textAt(call.answer.json, path.split('.'))
}

/** Fields of a JSON object; none for any other value. */
export const fieldsOf = (value: unknown): Readonly<Record<string, unknown>> => (isRecord(value) ? value : {})

/** Uploads whose job failed, as a later answer says (gap D5); jobs of other uploads in words. */
export const failedJobsIn = (
  calls: readonly ObservedCall[],
  registry: Registry,
): Pick<ObservedSession, 'failedJobs' | 'ofOtherCalls'> => {
  const uploads = new Map<string | undefined, ObservedCall>()
  const jobs = new Map<ObservedCall, FailedJob>()
  const ofOtherCalls: string[] = []
  for (const call of calls) {
    const operation = operationOf(call, registry)
    if (operation?.makes === 'asset') uploads.set(answeredId(call, registry), call)
    const job = operation?.failedJobIn?.(call.answer.json)
    const upload = uploads.get(job?.id)
    if (job !== undefined && upload !== undefined)
      jobs.set(upload, { upload, code: job.code, message: job.message })
    else if (job !== undefined) ofOtherCalls.push(`the asset job ${job.id}`)
  }
  return { failedJobs: [...jobs.values()], ofOtherCalls }
}

/** Whether a call was refused, or its answer did not come whole. */
export const isFailed = ({ answer: { status, broken } }: ObservedCall): boolean =>
  status === undefined || status >= 400 || broken !== undefined

/**
 * Sessions of the accounts of a recording with their numbers of failures, the largest first.
 * @param registry the families whose operations the recorded emulator had
 */
export const sessionsIn = ({ lines }: Recording, registry: Registry = builtIn) => {
  const byAccount = new Map<string, Line[]>()
  for (const { line } of lines) {
    const own = byAccount.get(line.account) ?? []
    byAccount.set(line.account, own)
    own.push(line)
  }
  return [...byAccount]
    .map(([id, own]) => {
      const session = sessionOf(own, registry)
      const { calls, failedTasks, lost, failedJobs } = session
      const failures = calls.filter(isFailed).length + failedTasks.length + lost.length + failedJobs.length
      return { id, session, failures }
    })
    .sort((a, b) => b.failures - a.failures)
}

/** Session of the lines of one account. */
const sessionOf = (own: readonly Line[], registry: Registry): ObservedSession => {
  // The last call that made each task so far.
  const byTask = new Map<string, ObservedCall>()
  // Numbers of callbacks so far, by operation and status.
  const counts = new Map<string, number>()
  const parts = periodsOf(own).map((period) => ({
    calls: callsIn(period, byTask, registry),
    failedTasks: period.flatMap((line) =>
      line.kind === 'task' ? failedTask(line, byTask.get(line.id)) : [],
    ),
    lost: lostIn(period, byTask, counts),
    ofOtherCalls: period.flatMap((line) => failureOfOtherCall(line, byTask)),
  }))
  const calls = parts.flatMap((part) => part.calls)
  const { failedJobs, ofOtherCalls } = failedJobsIn(calls, registry)
  return {
    calls,
    failedTasks: parts.flatMap(({ failedTasks }) => failedTasks),
    lost: parts.flatMap(({ lost }) => lost),
    failedJobs,
    ofOtherCalls: [...parts.flatMap(({ ofOtherCalls }) => ofOtherCalls), ...ofOtherCalls],
  }
}

// A saved journal can lack the calls of tasks that it still reports, and a state can be put back with tasks in it.
const failureOfOtherCall = (line: Line, byTask: ReadonlyMap<string, ObservedCall>): string[] => {
  if (line.kind === 'task' && !byTask.has(line.id)) return [`the task ${line.id}`]
  if (line.kind === 'callback' && isLost(line) && !byTask.has(line.task))
    return [`a callback of the task ${line.task}`]
  return []
}

// The same ids come again after a reset, of new tasks or, where a snapshot was restored, of the same.
const periodsOf = (lines: readonly Line[]): Line[][] => {
  const periods: Line[][] = [[]]
  for (const line of lines) {
    if (line.kind === 'reset') periods.push([])
    else periods.at(-1)?.push(line)
  }
  return periods
}

const callsIn = (
  own: readonly Line[],
  byTask: Map<string, ObservedCall>,
  registry: Registry,
): ObservedCall[] =>
  own.flatMap((line) => {
    if (line.kind === 'control') return forcedCancel(line)
    if (line.kind !== 'call') return []
    const call = observedCall(line, registry)
    if (call.task !== undefined) {
      // Deleted first, so that the tasks are in the order of these calls.
      byTask.delete(call.task)
      byTask.set(call.task, call)
    }
    return [call]
  })

const observedCall = (
  { at, operation, task, request, answer }: CallLine,
  registry: Registry,
): ObservedCall => {
  const { form, headers: _, ...sent } = request
  const headers = Object.entries(answer.headers ?? {}).map(([name, value]) => [name.toLowerCase(), value])
  return {
    ...sent,
    at: Date.parse(at),
    operation,
    form: form?.fields,
    task: operationOf({ operation }, registry)?.makes === 'task' ? task : undefined,
    answer: { ...answer, headers: Object.fromEntries(headers) },
  }
}

// Of no operation, so that no step counts it.
const forcedCancel = ({ at, action, input: { id, status } }: ControlLine): ObservedCall[] => {
  if (action !== 'tasks.force' || status !== 'cancelled') return []
  const answer = { status: 200, headers: {} }
  return [{ at: Date.parse(at), method: 'PATCH', path: `/_backlot/tasks/${id}`, json: { status }, answer }]
}

const failedTask = (
  { at, createdAt, state, error }: TaskLine,
  create: ObservedCall | undefined,
): FailedTask[] => {
  if (create === undefined) return []
  return [{ create, state, error, afterMs: Date.parse(at) - Date.parse(createdAt) }]
}

const lostIn = (
  lines: readonly Line[],
  byTask: ReadonlyMap<string, ObservedCall>,
  counts: Map<string, number>,
): LostCallback[] => {
  const callbacks = inOrderOfChange(
    lines.filter((line) => line.kind === 'callback'),
    byTask,
  )
  const unchallenged = new Set(
    callbacks
      .filter((callback) => callback.message === 'challenge' && isLost(callback))
      .map(({ task }) => task),
  )
  return callbacks.flatMap((callback) => {
    const { task, message, status } = callback
    const operation = byTask.get(task)?.operation
    // After a lost challenge nothing is sent and no step counts a delivery: the lost challenge alone repeats that.
    if (operation === undefined || (message === 'delivery' && unchallenged.has(task))) return []
    const name = `${operation} ${message} ${status}`
    const nth = (counts.get(name) ?? 0) + 1
    counts.set(name, nth)
    return isLost(callback) ? [{ operation, message, status, nth, at: sentAt(callback) }] : []
  })
}

const isLost = ({ state }: CallbackLine): boolean => state === 'failed' || state === 'skipped'

const sentAt = ({ attempts }: CallbackLine): number =>
  Date.parse(attempts[0]?.at ?? '') || Number.MAX_SAFE_INTEGER

// Steps count callbacks when the status changes: a callback can be sent later than others, as it waits for the retries of
// the one before it. The last line of a callback that was sent again has its final state.
const inOrderOfChange = (callbacks: readonly CallbackLine[], byTask: ReadonlyMap<string, unknown>) => {
  const created = new Map([...byTask.keys()].map((task, index) => [task, index]))
  return [...new Map(callbacks.map((callback) => [callback.id, callback])).values()].sort(
    (a, b) => changedAt(a) - changedAt(b) || (created.get(a.task) ?? 0) - (created.get(b.task) ?? 0),
  )
}

// Older recordings do not have the instant of the change.
const changedAt = (callback: CallbackLine): number => Date.parse(callback.changedAt ?? '') || sentAt(callback)
