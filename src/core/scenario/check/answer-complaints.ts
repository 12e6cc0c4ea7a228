import { replacesDecision } from '../answer.js'
import type { Then } from '../then.js'
import { onlyOne } from './only-one.js'

/** What cannot be together in an answer, or beside one. */
export const answerComplaints = ({ answer, task, asset, result }: Then): string[] => {
  if (answer === undefined) return []
  const says = Object.keys(answer).some((key) => key !== 'stillHappens' && key !== 'retryAfter')
  const replaces = replacesDecision(answer)
  const isInstead = replaces && answer.stillHappens === undefined
  const others = [
    ...(task === undefined ? [] : ['task']),
    ...(asset === undefined ? [] : ['asset']),
    ...(result === undefined ? [] : ['result']),
  ]
  return [
    ...(says
      ? []
      : ['answer names an error of the family, or a status, headers, contentType, body, text or cutAt']),
    ...onlyOne(answer, ['error', 'status'], 'the status of an error is in the table of its family'),
    ...onlyOne(answer, ['error', 'body', 'text'], 'there is one body'),
    ...(answer.retryAfter !== undefined && !replaces
      ? ['retryAfter is for an answer with error or status']
      : []),
    ...(answer.stillHappens && !replaces
      ? ['stillHappens is for an answer that takes the place of the true one']
      : []),
    ...(isInstead
      ? others.map(
          (part) =>
            `${part} finds nothing to act on where an answer takes the place of the call: add stillHappens`,
        )
      : []),
  ]
}
