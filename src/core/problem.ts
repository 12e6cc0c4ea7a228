import type { QuotaName } from './bounds/bounds.js'

/** How a refusal or a failure looks on the wire: one row of a family's table. */
export interface ErrorSpec {
  /** The HTTP status when a call is refused with it; for an error that only a task can end with, the nearest one. */
  readonly status: number
  /** The word in `code`; left out where it is the name of the row. */
  readonly code?: string
  /** The word in `type`, in families whose errors have one. */
  readonly type?: string
  /** The number that F adds to its messages. */
  readonly number?: number
  /** What it says when whoever raises it has nothing more exact to say. A sentence without a full stop. */
  readonly message: string
  /** The service's own words, to which nothing is added; left out where the words are ours. */
  readonly isVerbatim?: true
}

/** A call refused: by name of the family's error table, with everything a reader needs to mend the request. */
export interface Refusal<E extends string = string> {
  readonly error: E
  /** The path of the field in the body or query: `content[0].image_url.url`. */
  readonly field?: string
  /** What stood there. */
  readonly found?: unknown
  /** What may stand there, in words: `1 to 6`. */
  readonly allowed?: string
  /** A sentence without a full stop; left out where the error's own says enough. */
  readonly message?: string
  /** Whole seconds, for 429: when the caller may try again. */
  readonly retryAfterSeconds?: number
  /** The bound of the emulator that was met; left out where it is the service that refuses. */
  readonly bound?: QuotaName
}

/** A refusal with the rule behind it, as the journal keeps it. */
export interface RefusedBy<E extends string = string> extends Refusal<E> {
  /** `a-image.size-area`, or `a-image.schema.parameters.n` for what the schema asks. */
  readonly rule: string
  /** The place in the specification or in the table of what it leaves open. */
  readonly place: string
}
