import type { EventEmitter } from 'node:events'
import type { IncomingHttpHeaders } from 'node:http'
import type { Events } from '../../core/events.js'
import type { Entry } from '../../core/journal/entry.js'
import { createJournal, type Journal } from '../../core/journal/journal.js'
import { shorten } from '../../core/journal/shorten.js'
import type { Call, Decision } from '../../core/operation.js'
import type { RefusedBy } from '../../core/problem.js'
import type { Settings } from '../../core/settings.js'
import type { Instant } from '../../core/time/timeline.js'

export interface Recordable {
  readonly accountKey: string
  readonly at: Instant
  readonly id: string
  readonly operation: string | undefined
  readonly incoming: {
    readonly call: Call
    readonly headers: IncomingHttpHeaders
    readonly rawQuery: string
    readonly bytes: number
  }
  readonly decision: Decision
}

/** Keeps a journal for each account and tells listeners of every call. */
export interface Recorder {
  record(recordable: Recordable): void
  journalOf(accountKey: string): Journal
  forget(accountKey: string): void
}

export const createRecorder = (settings: Settings, events: EventEmitter<Events>): Recorder => {
  const journals = new Map<string, Journal>()
  const journalOf = (key: string): Journal => {
    const known = journals.get(key) ?? createJournal(settings.journalEntries)
    journals.set(key, known)
    return known
  }
  return {
    record: (recordable) => {
      const entry = entryOf(recordable, settings.journalBodyBytes)
      journalOf(recordable.accountKey).add(entry)
      events.emit('request', entry)
    },
    journalOf,
    forget: (key) => journals.delete(key),
  }
}

const entryOf = (
  { accountKey, at, id, operation, incoming, decision }: Recordable,
  mostBytes: number,
): Entry => {
  const { call, headers, rawQuery, bytes } = incoming
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
    requestBody: bodyOf(call, bytes, mostBytes),
    requestBytes: bytes,
    status: reply.status,
    responseBody: reply.body,
    ...notes,
    refusedBy: bytes > mostBytes ? notes.refusedBy.map(withoutLongFinds) : notes.refusedBy,
  }
}

const withoutLongFinds = (refusal: RefusedBy): RefusedBy => ({ ...refusal, found: shorten(refusal.found) })

// A small body is kept as it is and cut when it is shown; a large one is cut now, so that it can be let go.
const bodyOf = ({ body }: Call, bytes: number, mostBytes: number): unknown => {
  if (body.kind === 'form') return { fields: body.fields, files: body.files }
  if (body.kind !== 'json') return undefined
  return bytes > mostBytes ? shorten(body.value) : body.value
}
