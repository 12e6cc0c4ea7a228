import type { Entry } from '../../core/journal/entry.js'

/** Why a call was refused, in one sentence: the first rule's words, else those of the answer; undefined when it was not. */
export const problemMessage = ({ status, refusedBy, responseBody }: Entry): string | undefined =>
  status < 400 ? undefined : (refusedBy[0]?.message ?? messageIn(responseBody))

// Every family has its own place for it (defaults A to F).
const messageIn = (body: unknown): string | undefined => {
  if (body === null || typeof body !== 'object') return undefined
  const { message, msg, error } = body as Record<string, unknown>
  if (typeof message === 'string') return message
  return typeof msg === 'string' ? msg : messageIn(error)
}
