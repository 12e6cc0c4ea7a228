import type { Operation } from '../../core/contract.js'
import { isRecord, valueAt } from '../../core/request.js'
import { operations } from '../../families/index.js'
import type { RecordedAnswer, RecordedRequest } from '../format.js'

/** Observed call: one that an emulator recorded, or that a browser made. Its path is without the prefix of a gateway. */
export interface ObservedCall extends Pick<RecordedRequest, 'method' | 'path' | 'query' | 'json' | 'media'> {
  /** Milliseconds since 1970, by the clock of the observer. */
  readonly at: number
  /** undefined: no operation has such a route. */
  readonly operation?: string
  /** The fields of a form, beside its file. */
  readonly form?: Readonly<Record<string, string>>
  readonly answer: ObservedAnswer
}

export interface ObservedAnswer extends Omit<RecordedAnswer, 'headers' | 'bytes'> {
  /** By their names in lower case. */
  readonly headers: Readonly<Record<string, string>>
}

/** Failed task: a task that failed or expired, with the call that made it. */
export interface FailedTask {
  /** Its create among the observed calls. */
  readonly create: ObservedCall
  readonly state: 'failed' | 'expired'
  /** The name in the family's table. undefined: no row of the table fits, or the task expired. */
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
}

/** Operation of a call; undefined for a download and where no operation has the route. */
export const operationOf = ({ operation }: { readonly operation?: string }): Operation | undefined =>
  operations.find(({ id }) => id === operation)

/** Id in the answer to a call: of a task, a job or an asset; undefined where the answer gives none. */
export const answeredId = (call: ObservedCall): string | undefined => {
  const path = operationOf(call)?.idAt
  const id = path === undefined ? undefined : valueAt(call.answer.json, path.split('.'))
  return typeof id === 'string' ? id : undefined
}

/** Fields of a JSON object; none for any other value. */
export const fieldsOf = (value: unknown): Readonly<Record<string, unknown>> => (isRecord(value) ? value : {})

/** Uploads whose job failed, as a later answer says (gap D5). */
export const failedJobsIn = (calls: readonly ObservedCall[]): FailedJob[] => {
  const uploads = new Map(
    calls.filter((call) => operationOf(call)?.makes === 'asset').map((call) => [answeredId(call), call]),
  )
  const jobs = new Map<ObservedCall, FailedJob>()
  for (const call of calls) {
    const job = operationOf(call)?.failedJobIn?.(call.answer.json)
    const upload = uploads.get(job?.id)
    if (job !== undefined && upload !== undefined)
      jobs.set(upload, { upload, code: job.code, message: job.message })
  }
  return [...jobs.values()]
}
