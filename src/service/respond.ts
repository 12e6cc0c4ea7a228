import type { IncomingMessage, ServerResponse } from 'node:http'
import { EmulatorError, type Refusal, type RefusedBy } from '../core/errors.js'
import type { Answered } from '../core/journal/entry.js'
import type { MediaSpec } from '../core/media/spec.js'
import type { Reply } from '../core/model/call.js'

import type { Outcome } from './decide.js'
import type { ApplyEffects } from './effects/apply.js'
import { answeredFile, type FileErrorReply, fileRefusals, type SendResult, sendReply } from './files.js'
import type { IdentifiedCall } from './identify.js'

export interface RespondParts {
  readonly sendResult: SendResult
  readonly applyEffects: ApplyEffects
}

/** A call that has been decided. */
interface DecidedCall {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly identified: IdentifiedCall
  readonly outcome: Outcome
  /** Told of the answer as it goes out; `unsent` is why a file that is there was not sent. */
  readonly tell: (reply: Reply, answered?: Answered, unsent?: readonly RefusedBy[]) => void
}

/** Sends what was decided: by itself, as a file, or as a scenario has it. */
export const createRespond = ({ sendResult, applyEffects }: RespondParts) => {
  const answer = async (decided: DecidedCall): Promise<void> => {
    const { request, response, identified, outcome, tell } = decided
    const { operation, requestId } = identified
    const { reply } = outcome.decision
    const { step } = outcome.callMatch
    if (step === undefined || operation === undefined) {
      if (reply.result !== undefined) return sendFile(decided, reply.result)
      // Before it is sent, so that whoever has the answer finds the call in the journal and in a recording.
      tell(reply)
      return sendReply(response, reply, requestId)
    }
    const raise = (error: string, refusal: Omit<Refusal, 'error'>) =>
      operation.raise(error, refusal, requestId)
    const instead = insteadOf(identified)
    return applyEffects({ step, decided: reply, raise, instead, requestId, request, response, tell })
  }

  /** Sends a result and tells of it as it went out: it can turn out to be a range, or not to be had. */
  const sendFile = async (decided: DecidedCall, result: MediaSpec): Promise<void> => {
    const { request, response, identified, outcome, tell } = decided
    response.setHeader('X-Request-Id', identified.requestId)
    const instead = await sendResult(result, request, response, insteadOf(identified))
    if (instead !== undefined) return tell(instead)
    const { statusCode: status } = response
    const family = identified.operation?.family ?? ''
    const unsent = fileRefusals(family, status, request.headers, response.getHeaders())
    tell({ ...outcome.decision.reply, status }, answeredFile(response), unsent)
  }

  return answer
}

/** The family's words for a file that cannot be had (gap Z24). */
const insteadOf =
  ({ operation, requestId }: IdentifiedCall): FileErrorReply =>
  (cause, isBusy) =>
    operation?.refuse(
      'internal',
      { ...causeOf(cause), ...(isBusy ? { retryAfterSeconds: 1 } : {}) },
      requestId,
    ) ?? { status: 500, body: {} }

/** What an error of the emulator's own says to whoever made the call; nothing where it is a bug. */
export const causeOf = (error: unknown): { message?: string } =>
  error instanceof EmulatorError
    ? { message: `${error.message} ${error.hint ?? ''}`.trim().replace(/\.$/, '') }
    : {}
