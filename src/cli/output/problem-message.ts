import type { JournalEntry } from '../../core/journal/entry.js'
import { redactedText } from '../../core/journal/redact.js'

/** Why a call was refused, in one sentence: the first rule's words, else those of the answer; undefined when it was not. */
export const problemMessage = ({
  status,
  refusedBy,
  responseBody,
  account,
}: JournalEntry): string | undefined => {
  if (status < 400) return undefined
  const message = refusedBy[0]?.message ?? messageIn(responseBody)
  // It may quote what was sent.
  return message === undefined ? undefined : redactedText(message, account)
}

// Every family has its own place for it (defaults A to F).
const messageIn = (body: unknown): string | undefined => {
  if (body === null || typeof body !== 'object') return undefined
  const { message, msg, error } = body as Record<string, unknown>
  if (typeof message === 'string') return message
  return typeof msg === 'string' ? msg : messageIn(error)
}
