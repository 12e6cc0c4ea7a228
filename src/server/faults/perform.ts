import type { Request, Response } from 'express'
import type { Answered } from '../../core/journal/entry.js'
import type { Reply } from '../../core/operation.js'
import { replacesDecision } from '../../core/scenario/answer.js'
import type { Cue } from '../../core/scenario/ask.js'
import type { Transport } from '../../core/scenario/then.js'
import type { InPlaceOfFile } from '../results/send-result.js'
import type { SendHarmed } from './send-harmed.js'
import { type Raise, staged } from './staged.js'
import { transmit } from './transmit.js'
import type { Waits } from './waits.js'

/** A call that a step acts on, decided and about to be answered. */
export interface Performed {
  readonly cue: Cue
  readonly decided: Reply
  readonly raise: Raise
  /** What is answered where the file of a result cannot be had; left out, what the emulator itself says. */
  readonly instead?: InPlaceOfFile
  readonly requestId: string
  readonly request: Request
  readonly response: Response
  /** Told what the answer is before it is sent, since sending can take for ever. */
  readonly tell: (reply: Reply, answered: Answered) => void
}

export interface PerformParts {
  readonly waits: Waits
  readonly sendHarmed: SendHarmed
}

/** Answers a call as the step has it; settled when the answer is over. */
export type Perform = (performed: Performed) => Promise<void>

export const createPerform =
  ({ waits, sendHarmed }: PerformParts): Perform =>
  async ({ cue, decided, raise, instead, requestId, request, response, tell }) => {
    const { answer, transport = {} } = cue.does
    if (decided.result !== undefined && (answer === undefined || !replacesDecision(answer))) {
      tell(decided, brokenBy(transport))
      response.set('X-Request-Id', requestId)
      return sendHarmed(decided.result, request, response, cue, instead)
    }
    const { outgoing, reply } = staged(decided, answer, raise, requestId)
    const isText = typeof reply.body === 'string'
    tell(reply, { ...(isText ? { text: reply.body } : {}), ...brokenBy(transport) } as Answered)
    return transmit(outgoing, response, transport, cue.draw, waits)
  }

/** What becomes of the connection, in the journal's words. */
const brokenBy = ({ reset, hang, closeAfterBytes }: Transport): Answered => {
  if (reset) return { broken: 'reset' }
  if (hang) return { broken: 'silent' }
  return closeAfterBytes === undefined ? {} : { broken: 'cut' }
}
