import type { RefusedBy } from '../problem.js'
import type { Sent } from '../recording/sent.js'
import type { ScenarioMatch } from '../scenario/play.js'
import type { Instant } from '../time/timeline.js'

/** A call and what was decided. Kept as references and made readable when somebody looks. */
export interface JournalEntry {
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
  /** Its place among everything that the journals of all accounts keep; left out where nobody counts. */
  readonly sequence?: number
  /** What a replay sends; left out where nobody knows. */
  readonly sent?: Sent
  /** What there is to the answer besides its status and body; left out where there is nothing. */
  readonly answered?: Answered
  /** What scenarios had to do with it; left out where none was about it. */
  readonly played?: ScenarioMatch
}

/** How an answer went out. */
export interface Answered {
  readonly headers?: Readonly<Record<string, string>>
  /** A body that is not the journal's, as it was sent. */
  readonly text?: string
  /** How many bytes of a file were sent. */
  readonly bytes?: number
  /** `reset`: no answer but the end of the connection; `cut`: less of the body than was said; `silent`: nothing at all. */
  readonly broken?: 'reset' | 'cut' | 'silent'
}
