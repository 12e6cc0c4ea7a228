import type { QuotaName } from '../../core/bounds/bounds.js'
import type { PlayedRecord } from './scenario.js'
import type { TaskRecord } from './task.js'

/** Why a call was refused. */
export interface RefusalRecord {
  /** `a-image.size-area`, or `a-image.schema.parameters.n` for what the schema asks. */
  readonly rule: string
  /** The place in the specification or in the table of what it leaves open. */
  readonly place: string
  /** The family's name of the error. */
  readonly error: string
  /** The path of the field: `content[0].image_url.url`. */
  readonly field?: string
  readonly found?: unknown
  readonly allowed?: string
  readonly message?: string
  readonly retryAfterSeconds?: number
  /** The bound of the emulator that was met: `tasks-per-account`; left out where it is the service that refuses. */
  readonly bound?: QuotaName
}

/** A call as the journal keeps it: without credentials, long texts cut. */
export interface RequestRecord {
  /** The request id of the answer. */
  readonly id: string
  /** What stands for the API key where it must not be shown. */
  readonly account: string
  readonly at: string
  /** `b-video-task.create`; null where no operation has such a route. */
  readonly operation: string | null
  readonly method: string
  readonly path: string
  readonly query: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: unknown
  readonly bytes: number
  readonly status: number
  readonly answer: unknown
  /** Every rule that refused, in order; the first one made the answer. */
  readonly refusedBy: readonly RefusalRecord[]
  /** Fields that the interface does not know. */
  readonly ignored: readonly string[]
  readonly warnings: readonly string[]
  /** The task that was made, read or cancelled, or whose result was fetched. */
  readonly task: string | null
  /** What scenarios had to do with it; null where none was about it. */
  readonly scenario: PlayedRecord | null
}

/** A call with why it was answered so, and what followed from it. */
export interface ExplainedRequest extends RequestRecord {
  /** In sentences. */
  readonly explanation: readonly string[]
  readonly followed: {
    readonly task: TaskRecord | null
    readonly downloads: readonly { readonly id: string; readonly at: string; readonly status: number }[]
  }
}
