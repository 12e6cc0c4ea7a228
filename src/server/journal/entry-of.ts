import type { IncomingHttpHeaders } from 'node:http'
import type { Answered, JournalEntry } from '../../core/journal/entry.js'
import type { LazyEntry } from '../../core/journal/journal.js'
import { shorten } from '../../core/journal/shorten.js'
import type { ResolvedMedia } from '../../core/media/mention.js'
import type { Call, Decision } from '../../core/operation.js'
import type { RefusedBy } from '../../core/problem.js'
import { sentOf } from '../../core/recording/sent.js'
import type { ScenarioMatch } from '../../core/scenario/play.js'
import type { Instant } from '../../core/time/timeline.js'
import { estimateBytes } from '../bounds/weight.js'

/** A call that has been answered. */
export interface AnsweredCall {
  readonly accountKey: string
  /** When it was decided. */
  readonly at: Instant
  /** Where the clock has to stand for the same call to go the same way again. */
  readonly begunAt: Instant
  readonly id: string
  readonly operation: string | undefined
  readonly incoming: {
    readonly call: Call
    readonly headers: IncomingHttpHeaders
    readonly rawQuery: string
    readonly bytes: number
    readonly key: string | undefined
    readonly origin: string
    /** A query that the journal is not to show; left out where it may. */
    readonly signedQuery?: string
  }
  /** What was found behind the media of the body; left out where nobody looked. */
  readonly found?: ReadonlyMap<string, ResolvedMedia>
  readonly decision: Decision
  /** What the decision does not say of how the answer went out; left out where it says all. */
  readonly answered?: Answered
  /** What scenarios had to do with it; left out where nobody asked them. */
  readonly played?: ScenarioMatch
}

// Headers, the call and its answer around their bodies; a body as an object takes about twice what it took as text.
const ENTRY_BYTES = 4_000

/** About how much memory an entry takes. */
export const sizeOf = (
  { incoming: { bytes }, decision: { reply } }: AnsweredCall,
  maxBytes: number,
): number => ENTRY_BYTES + 2 * Math.min(bytes, maxBytes) + estimateBytes(reply.body)

// A large body is cut now, so that it can be let go; all the rest can wait until somebody looks.
export const lazyEntryOf = (recordable: AnsweredCall, maxBytes: number, sequence: number): LazyEntry =>
  recordable.incoming.bytes > maxBytes
    ? entryOf(recordable, maxBytes, sequence)
    : () => entryOf(recordable, maxBytes, sequence)

/** A call as the journal keeps it; bodies of more than `mostBytes` are cut. */
export const entryOf = (
  {
    accountKey,
    at,
    begunAt,
    id,
    operation,
    incoming,
    found = nothingFound,
    decision,
    answered,
    played,
  }: AnsweredCall,
  maxBytes: number,
  sequence: number,
): JournalEntry => {
  const { call, headers, rawQuery, bytes, key, origin, signedQuery: query = rawQuery } = incoming
  const { notes, reply } = decision
  return {
    id,
    account: accountKey,
    at,
    ...(operation === undefined ? {} : { operation }),
    method: call.method,
    path: call.path,
    query: rawQuery,
    headers: headers as Record<string, string>,
    requestBody: bodyOf(call, bytes, maxBytes),
    requestBytes: bytes,
    status: reply.status,
    responseBody: reply.body,
    ...notes,
    refusedBy: bytes > maxBytes ? notes.refusedBy.map(withoutLongFinds) : notes.refusedBy,
    ...(played === undefined || played.traces.length === 0 ? {} : { played }),
    sequence,
    sent: sentOf(
      { begunAt, hasKey: key !== undefined, origin, query, body: call.body, found },
      bytes,
      maxBytes,
    ),
    ...(answered === undefined && reply.headers === undefined
      ? {}
      : { answered: { ...(reply.headers === undefined ? {} : { headers: reply.headers }), ...answered } }),
  }
}

const nothingFound: ReadonlyMap<string, ResolvedMedia> = new Map()

const withoutLongFinds = (refusal: RefusedBy): RefusedBy => ({ ...refusal, found: shorten(refusal.found) })

// A small body is kept as it is and cut when it is shown; a large one is cut now, so that it can be let go.
const bodyOf = ({ body }: Call, bytes: number, maxBytes: number): unknown => {
  if (body.kind === 'form') return { fields: body.fields, files: body.files }
  if (body.kind !== 'json') return undefined
  return bytes > maxBytes ? shorten(body.value) : body.value
}
