import type { Medium } from '../../core/journal/sent.js'

/** A call as somebody has seen it: an emulator that recorded it, or a browser that made it. */
export interface ObservedCall {
  /** Milliseconds since 1970, by the clock of whoever has seen it. */
  readonly at: number
  /** Left out where no operation has such a route. */
  readonly operation?: string
  readonly method: string
  /** As the emulator has it. */
  readonly path: string
  readonly query?: string
  readonly json?: unknown
  readonly media?: readonly Medium[]
  /** The fields of a form, beside its file. */
  readonly form?: Readonly<Record<string, string>>
  readonly answer: ObservedAnswer
}

export interface ObservedAnswer {
  /** Left out where none came. */
  readonly status?: number
  /** By their names in lower case. */
  readonly headers: Readonly<Record<string, string>>
  readonly json?: unknown
  readonly text?: string
  readonly broken?: 'reset' | 'cut' | 'silent'
}

/** A task that ended badly, by the call that made it. */
export interface FailedTask {
  /** Its create among the calls that were seen. */
  readonly create: ObservedCall
  readonly state: 'failed' | 'expired'
  /** The name in the family's table; left out where it is not known, and for tasks that expired. */
  readonly error?: string
  readonly afterMs: number
}

/** A message that its receiver never got, by the operation that made its task. */
export interface LostCallback {
  readonly operation: string
  readonly message: 'challenge' | 'delivery'
  readonly status?: string
  /** Which of such messages it was, from 1. */
  readonly nth: number
  readonly at: number
}

/** An asset job that failed, by the call that began it. */
export interface FailedJob {
  readonly upload: ObservedCall
  readonly code: string
  readonly message: string
}

/** What one account went through. */
export interface ObservedSession {
  readonly calls: readonly ObservedCall[]
  readonly failedTasks: readonly FailedTask[]
  readonly lost: readonly LostCallback[]
  readonly failedJobs: readonly FailedJob[]
}

/** Which call of its operation one was, from 1. */
export const nthOf = (call: ObservedCall, calls: readonly ObservedCall[]): number =>
  calls.filter(({ operation }) => operation === call.operation).indexOf(call) + 1

type Fields = Readonly<Record<string, unknown>>

/** The id that an answer to a create or an upload gives, in any family's place for it; undefined where it gives none. */
export const idIn = (answer: unknown): string | undefined => {
  const { id, task_id, output, data } = fieldsOf(answer)
  return [id, task_id, fieldsOf(output).task_id, fieldsOf(data).task_id].find(
    (one) => typeof one === 'string',
  ) as string | undefined
}

/** The object that an answer to a query is about: F has it one level down. */
export const taskIn = (answer: unknown): Fields => {
  const fields = fieldsOf(answer)
  return fields.task === undefined ? fields : fieldsOf(fields.task)
}

export const fieldsOf = (value: unknown): Fields =>
  value !== null && typeof value === 'object' && !Array.isArray(value) ? (value as Fields) : {}
