import type { Request, Response } from 'express'
import type { Answered } from '../../core/journal/entry.js'
import type { Reply } from '../../core/operation.js'
import { replacesDecision } from '../../core/scenario/answer.js'
import type { MatchedStep } from '../../core/scenario/ask.js'
import type { Transport } from '../../core/scenario/then.js'
import type { FileErrorReply } from '../results/send-result.js'
import type { SendFaultyFile } from './send-harmed.js'
import { buildReply, type Raise } from './staged.js'
import { transmit } from './transmit.js'
import type { Delays } from './waits.js'

/** A call that a step acts on, decided and about to be answered. */
export interface AffectedCall {
  readonly matchedStep: MatchedStep
  readonly decided: Reply
  readonly raise: Raise
  /** What is answered where the file of a result cannot be had; left out, what the emulator itself says. */
  readonly instead?: FileErrorReply
  readonly requestId: string
  readonly request: Request
  readonly response: Response
  /** Told what the answer is before it is sent, since sending can take for ever. */
  readonly tell: (reply: Reply, answered: Answered) => void
}

export interface ApplyEffectsParts {
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
      response.set('X-Request-Id', requestId)
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
