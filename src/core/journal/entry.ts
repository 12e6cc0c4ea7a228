import type { RefusedBy } from '../problem.js'
import type { Instant } from '../time/timeline.js'

/** A call and what was decided. Kept as references and made readable when somebody looks. */
export interface Entry {
  /** The request id of the answer. */
  readonly id: string
  readonly account: string
  /** On the account's clock. */
  readonly at: Instant
  /** Left out where no operation has such a route. */
  readonly operation?: string
  readonly method: string
  readonly path: string
  readonly query: string
  readonly headers: Readonly<Record<string, string>>
  /** As it was read; cut down where it was larger than the journal keeps. */
  readonly requestBody: unknown
  readonly requestBytes: number
  readonly status: number
  readonly responseBody: unknown
  readonly refusedBy: readonly RefusedBy[]
  readonly ignored: readonly string[]
  readonly warnings: readonly string[]
  /** The task that was made, read or cancelled, or whose result was fetched. */
  readonly task?: string
}
