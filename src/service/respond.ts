import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Express, Request, Response } from 'express'
import type { Reply } from '../core/contract.js'
import { EmulatorError, type Refusal, type RefusedBy } from '../core/errors.js'
import type { Answered } from '../core/journal/entry.js'
import type { MediaSpec } from '../core/media/spec.js'
import type { Outcome } from './decide.js'
import type { ApplyEffects } from './effects/apply.js'
import { answeredFile, type FileErrorReply, type SendResult } from './files.js'
import type { IdentifiedCall } from './identify.js'
import { unsentAs } from './results.js'

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
  const toExpress = createToExpress()

  const answer = async (decided: DecidedCall): Promise<void> => {
    const { request, response, identified, outcome, tell } = decided
    const { operation, requestId } = identified
    const { reply } = outcome.decision
    const { matchedStep } = outcome.callMatch
    if (matchedStep === undefined || operation === undefined) {
      if (reply.result !== undefined) return sendFile(decided, reply.result)
      // Before it is sent, so that whoever has the answer finds the call in the journal and in a recording.
      tell(reply)
      return sendReply(response, reply, requestId)
    }
    const raise = (error: string, refusal: Omit<Refusal, 'error'>) =>
      operation.raise(error, refusal, requestId)
    const expressed = await toExpress(request, response)
    const instead = insteadOf(identified)
    return applyEffects({ matchedStep, decided: reply, raise, instead, requestId, ...expressed, tell })
  }

  /** Sends a result and tells of it as it went out: it can turn out to be a range, or not to be had. */
  const sendFile = async (decided: DecidedCall, result: MediaSpec): Promise<void> => {
    const { request, response } = await toExpress(decided.request, decided.response)
    const { identified, outcome, tell } = decided
    response.set('X-Request-Id', identified.requestId)
    const instead = await sendResult(result, request, response, insteadOf(identified))
    if (instead !== undefined) return tell(instead)
    const { statusCode: status } = response
    const family = identified.operation?.family ?? ''
    const unsent = unsentAs(family, status, request.headers, response.getHeaders())
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

/** Writes a reply as JSON, with the request id that every answer carries (gap X3). */
export const sendReply = (response: ServerResponse, reply: Reply, requestId: string): void => {
  const text = JSON.stringify(reply.body)
  const headers = {
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': Buffer.byteLength(text),
    'X-Request-Id': requestId,
  }
  response.writeHead(reply.status, reply.headers === undefined ? headers : { ...headers, ...reply.headers })
  // As text rather than as bytes: Node then writes head and body at once, which halves what an answer costs.
  response.end(text)
}

/** A request and its answer with what Express adds to them. */
interface Expressed {
  readonly request: Request
  readonly response: Response
}

type ToExpress = (request: IncomingMessage, response: ServerResponse) => Promise<Expressed>

/**
 * Hands a request and its answer over to Express. It changes the prototypes of both, which makes everything slower that
 * Node still does with them (docs/decisions/0008): only for calls that are answered with a file.
 */
const createToExpress = (): ToExpress => {
  const waiting = new WeakMap<IncomingMessage, (expressed: Expressed) => void>()
  const load = async (): Promise<Express> => {
    const { default: express } = await import('express')
    const app = express()
    app.disable('x-powered-by')
    app.disable('etag')
    return app.use((request, response) => waiting.get(request)?.({ request, response }))
  }
  let loading: Promise<Express> | undefined
  return async (request, response) => {
    loading ??= load()
    const app = await loading
    return new Promise((resolve) => {
      waiting.set(request, resolve)
      app(request, response)
    })
  }
}

/** What an error of the emulator's own says to whoever made the call; nothing where it is a bug. */
export const causeOf = (error: unknown): { message?: string } =>
  error instanceof EmulatorError
    ? { message: `${error.message} ${error.hint ?? ''}`.trim().replace(/\.$/, '') }
    : {}
