import type { Answer } from './then.js'

/** Whether an answer takes the place of the true one; one that does not touches up its headers or its length. */
export const replacesDecision = ({ error, status, body, text }: Answer): boolean =>
  error !== undefined || status !== undefined || body !== undefined || text !== undefined

/** Whether a call is to be answered without being decided, so that it does none of its work. */
export const isInstead = (answer: Answer | undefined): answer is Answer =>
  answer !== undefined && replacesDecision(answer) && answer.stillHappens === undefined
