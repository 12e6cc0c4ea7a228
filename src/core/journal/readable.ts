import type { RefusedBy } from '../problem.js'
import type { JournalEntry } from './entry.js'
import { redacted, redactedHeaders, redactedQuery, redactedText } from './redact.js'
import { shorten } from './shorten.js'

/** A call as it may be shown: no credentials, no Base64, nothing long. */
export const redactedEntry = (entry: JournalEntry): JournalEntry => {
  const { account: key } = entry
  const text = (given: string) => redactedText(given, key)
  const body = (given: unknown) => shorten(redacted(given, key))
  const refusal = (given: RefusedBy): RefusedBy => ({
    ...given,
    // A field that the interface does not know has the name that the client gave it.
    ...(given.field === undefined ? {} : { field: text(given.field) }),
    ...(given.message === undefined ? {} : { message: text(given.message) }),
    ...(given.found === undefined ? {} : { found: body(given.found) }),
  })
  return {
    ...entry,
    path: text(entry.path),
    query: redactedQuery(entry.query, key),
    headers: redactedHeaders(entry.headers, key),
    requestBody: body(entry.requestBody),
    responseBody: body(entry.responseBody),
    refusedBy: entry.refusedBy.map(refusal),
    ignored: entry.ignored.map(text),
    warnings: entry.warnings.map(text),
  }
}
