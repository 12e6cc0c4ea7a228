import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Reply } from '../../core/contract.js'
import type { Refusal } from '../../core/errors.js'
import type { Answered } from '../../core/journal/entry.js'
import {
  JSON_TYPE,
  type Outgoing,
  outgoingOf,
  overrideReply,
  replacesDecision,
} from '../../core/scenario/effects/answer.js'
import type { MatchedStep } from '../../core/scenario/match.js'
import type { Answer, Transport } from '../../core/scenario/schema.js'
import type { FileErrorReply } from '../files.js'
import type { SendFaultyFile } from './send-faulty-file.js'
import { type Delays, transmit } from './transmit.js'

/** An answer as a step has it: as it goes out, and as the journal keeps it. */
interface BuiltReply {
  readonly outgoing: Outgoing
  readonly reply: Reply
}

/** Raises an error of a family by its name. */
type Raise = (error: string, refusal: Omit<Refusal, 'error'>) => Reply

/** What a call is answered with that was, or was not, decided. A step without an answer leaves the decided one. */
const buildReply = (
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

/** A call that a step acts on, decided and about to be answered. */
interface AffectedCall {
  readonly matchedStep: MatchedStep
  readonly decided: Reply
  readonly raise: Raise
  /** What is answered where the file of a result cannot be had. */
  readonly instead: FileErrorReply
  readonly requestId: string
  readonly request: IncomingMessage
  readonly response: ServerResponse
  /** Told what the answer is before it is sent, since sending can take for ever. */
  readonly tell: (reply: Reply, answered: Answered) => void
}

interface ApplyEffectsParts {
  readonly delays: Delays
  readonly sendFaultyFile: SendFaultyFile
}

/** Answers a call as the step has it; settled when the answer is over. */
export type ApplyEffects = (performed: AffectedCall) => Promise<void>

export const createApplyEffects =
  ({ delays, sendFaultyFile }: ApplyEffectsParts): ApplyEffects =>
  async ({ matchedStep, decided, raise, instead, requestId, request, response, tell }) => {
    const { answer, transport = {} } = matchedStep.does
    if (decided.result !== undefined && (answer === undefined || !replacesDecision(answer))) {
      tell(decided, connectionOutcome(transport))
      response.setHeader('X-Request-Id', requestId)
      return sendFaultyFile(decided.result, request, response, matchedStep, instead)
    }
    const { outgoing, reply } = buildReply(decided, answer, raise, requestId)
    const isText = typeof reply.body === 'string'
    tell(reply, { ...(isText ? { text: reply.body } : {}), ...connectionOutcome(transport) } as Answered)
    return transmit(outgoing, response, transport, matchedStep.draw, delays)
  }

/** What becomes of the connection, in the journal's words. */
const connectionOutcome = ({ reset, hang, closeAfterBytes }: Transport): Answered => {
  if (reset) return { broken: 'reset' }
  if (hang) return { broken: 'silent' }
  return closeAfterBytes === undefined ? {} : { broken: 'cut' }
}
