import type { JournalEntry } from '../core/journal/entry.js'
import { valueAt } from '../core/request.js'
import { type Registry, tasksIn } from '../families/registry.js'
import { assetWords } from '../profile/in-force.js'
import { answerName, type VerifiedFacts } from './facts.js'

/** Maximum number of calls that a sentence names. */
const MAX_NAMED = 3

/**
 * What the real service was seen to answer to such a call, in a sentence; none where it was not asked, and where a scenario has made
 * the answer.
 */
export const seenSentences = (
  verified: VerifiedFacts | undefined,
  registry: Registry,
  { operation, played, status, refusedBy, responseBody }: JournalEntry,
): string[] => {
  if (verified === undefined || operation === undefined || played?.step !== undefined) return []
  const [refusal] = status < 400 ? [] : refusedBy
  const name = answerName(operation, {
    error: refusal?.error,
    state: stateShown(registry, operation, responseBody),
  })
  const seen = verified.ofAnswer(name, refusal?.rule)
  if (seen === undefined) return []
  const { verdict, on, asked } = seen
  const calls = [...new Set(asked)]
  const others = calls.length > MAX_NAMED ? ` and ${calls.length - MAX_NAMED} more` : ''
  const named = `asked: ${calls.slice(0, MAX_NAMED).join(', ')}${others}`
  return [
    verdict === 'same'
      ? `Seen on ${on}: the real service answers so too (${named}).`
      : `Seen on ${on}: the real service answers otherwise (${named}). A profile can say how: docs/verify.md#the-profile.`,
  ]
}

/** State that an answer shows: that of its task, or of the job of an asset. */
const stateShown = (registry: Registry, operation: string, body: unknown): string | undefined => {
  const family = registry.family(operation.replace(/\..*$/, ''))
  if (family === undefined) return undefined
  const word = tasksIn(family, body)[0]?.status ?? valueAt(body, ['data', 'status'])
  if (typeof word !== 'string') return undefined
  return family.otherStatusWords?.[word] ?? assetWords[word as keyof typeof assetWords] ?? word
}
