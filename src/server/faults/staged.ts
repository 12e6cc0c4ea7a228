import type { Reply } from '../../core/operation.js'
import type { Refusal } from '../../core/problem.js'
import type { Answer } from '../../core/scenario/then.js'
import { overrideReply } from './answered.js'
import { JSON_TYPE, type Outgoing, outgoingOf } from './outgoing.js'

/** An answer as a step has it: as it goes out, and as the journal keeps it. */
export interface BuiltReply {
  readonly outgoing: Outgoing
  readonly reply: Reply
}

/** Raises an error of a family by its name. */
export type Raise = (error: string, refusal: Omit<Refusal, 'error'>) => Reply

/** What a call is answered with that was, or was not, decided. A step without an answer leaves the decided one. */
export const buildReply = (
  decided: Reply,
  answer: Answer | undefined,
  raise: Raise,
  requestId: string,
): BuiltReply => {
  if (answer === undefined) return { outgoing: outgoingOf(decided, requestId), reply: decided }
  const { error, retryAfter } = answer
  const named = error === undefined ? decided : raise(error, { retryAfterSeconds: retryAfter })
  const outgoing = overrideReply(outgoingOf(named, requestId), answer, requestId)
  return {
    outgoing,
    reply: {
      status: outgoing.status,
      headers: headersOf(outgoing),
      body: bodyOf(answer, named, outgoing),
    },
  }
}

// The request id is in the journal anyway, and JSON is what answers are unless something else is said.
const headersOf = ({ headers }: Outgoing): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers).filter(([name, value]) => name !== 'X-Request-Id' && value !== JSON_TYPE),
  )

const bodyOf = ({ status, body, text, cutAt }: Answer, named: Reply, { bytes }: Outgoing): unknown => {
  if (cutAt !== undefined || text !== undefined) return bytes.toString('utf8')
  return body === undefined && status === undefined ? named.body : body
}
