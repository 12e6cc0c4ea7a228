import type { JournalEntry } from '../journal/entry.js'
import type { Sanitizer, Source } from './cleaner.js'
import type { RecordedAnswer } from './recording.js'

// Those that follow from the rest of the line.
const JSON_TYPE = 'application/json; charset=utf-8'
const ownHeaders = ['x-request-id', 'content-length', 'connection', 'date']

/** The answer to a call as a recording keeps it. */
export const answerOf = (
  { status, responseBody, answered }: JournalEntry,
  source: Source,
  sanitizer: Sanitizer,
): RecordedAnswer => {
  const { headers = {}, text, bytes, broken } = answered ?? {}
  const said = Object.entries(headers).filter(
    ([name, value]) => !ownHeaders.includes(name.toLowerCase()) && value !== JSON_TYPE,
  )
  return {
    ...(broken === 'silent' || broken === 'reset' ? {} : { status }),
    ...(said.length === 0
      ? {}
      : { headers: sanitizer.answer(Object.fromEntries(said), source) as Record<string, string> }),
    ...(bytes === undefined ? {} : { bytes }),
    ...(text === undefined ? {} : { text: sanitizer.answer(text, source) as string }),
    ...(text === undefined && bytes === undefined && responseBody !== undefined
      ? { json: sanitizer.answer(responseBody, source) }
      : {}),
    ...(broken === undefined ? {} : { broken }),
  }
}
