import type { IncomingHttpHeaders, IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http'
import { EmulatorError } from '../core/errors.js'
import type { Answered } from '../core/journal/entry.js'
import type { MediaSpec } from '../core/media/spec.js'
import { modelIn, type RefusedBy, type Reply } from '../core/model/call.js'
import { resultRules } from '../core/result.js'
import { ruleRef } from '../core/task/refusals.js'
import type { ApplyEffects } from './effects/apply.js'
import type { DecidedExchange } from './exchange.js'
import { type FileErrorReply, type SendResult, sendReply } from './files.js'

export interface RespondParts {
  readonly sendResult: SendResult
  readonly applyEffects: ApplyEffects
}

/** Called with the reply as it is sent; `unsent` says why a file that is there was not sent. */
type RecordReply = (reply: Reply, answered?: Answered, unsent?: readonly RefusedBy[]) => void

/** Fifth step, the responder: sends what was decided, as a reply or as a file, with the effects of a scenario. */
export const createRespond = ({ sendResult, applyEffects }: RespondParts) => {
  /** Records a file once it was sent: it can turn out to be a range, or an error. */
  const sendFile = async (
    exchange: DecidedExchange,
    request: IncomingMessage,
    response: ServerResponse,
    result: MediaSpec,
    record: RecordReply,
  ): Promise<void> => {
    const { operation, requestId, decision } = exchange
    response.setHeader('X-Request-Id', requestId)
    const instead = await sendResult(result, request, response, fileErrorOf(exchange))
    if (instead !== undefined) return record(instead)
    // The client left before the first byte.
    if (!response.headersSent) return record(decision.reply, { broken: 'silent' })
    const { statusCode: status } = response
    const unsent = fileRefusals(operation?.family ?? '', status, request.headers, response.getHeaders())
    record({ ...decision.reply, status }, answeredFile(response), unsent)
  }

  return async (
    exchange: DecidedExchange,
    request: IncomingMessage,
    response: ServerResponse,
    record: RecordReply,
  ): Promise<void> => {
    const { operation, call, requestId, match } = exchange
    const { reply } = exchange.decision
    for (const name in operation?.headers) response.setHeader(name, operation.headers[name] as string)
    if (match.step !== undefined && operation !== undefined)
      return applyEffects({
        step: match.step,
        decided: reply,
        requestId,
        request,
        response,
        record,
        raise: (error, refusal) =>
          operation.raise(error, { ...refusal, found: modelIn(call.body) }, requestId),
        fileError: fileErrorOf(exchange),
        sendFile: (result) => sendFile(exchange, request, response, result, record),
      })
    if (reply.result !== undefined) return sendFile(exchange, request, response, reply.result, record)
    record(reply, reply.text === undefined ? undefined : { text: reply.text })
    sendReply(response, reply, requestId)
  }
}

const RECORDED_HEADERS = ['content-type', 'content-range', 'etag']

/** Journal record of an answer that was a file: its headers and its length. */
const answeredFile = (response: ServerResponse): Answered => {
  const length = response.getHeader('content-length')
  const headers = RECORDED_HEADERS.flatMap((name) => {
    const value = response.getHeader(name)
    return value === undefined ? [] : [[name, String(value)]]
  })
  return { headers: Object.fromEntries(headers), bytes: length === undefined ? 0 : Number(length) }
}

/** Refusals of an existing file that was not sent; empty: it was sent. `family` begins the id of the rule. */
const fileRefusals = (
  family: string,
  status: number,
  requested: IncomingHttpHeaders,
  { etag, 'content-range': contentRange }: OutgoingHttpHeaders,
): readonly RefusedBy[] => {
  if (status === 416) {
    const { range: found } = requested
    const allowed = `part of the ${/\d+$/.exec(String(contentRange))?.[0] ?? 'unknown'} bytes that there are`
    const message = `The Range ${found} is no ${allowed}`
    const ref = { ...ruleRef(family, resultRules.range), field: 'Range' }
    return [{ error: 'InvalidRange', ...ref, found, allowed: `a ${allowed}`, message }]
  }
  if (status !== 412) return []
  const message = `The file is not the one that was asked for: its ETag is ${etag}`
  const ref = { ...ruleRef(family, resultRules.precondition), field: 'If-Match' }
  const found = requested['if-match']
  return [{ error: 'PreconditionFailed', ...ref, found, allowed: `the ETag ${etag}`, message }]
}

/** The family's words for a file that cannot be sent (gap Z24), unless the operation has its own. */
const fileErrorOf = ({ operation, requestId }: DecidedExchange): FileErrorReply =>
  operation?.fileError ??
  ((cause, isBusy) =>
    operation?.refuse(
      'internal',
      { ...causeOf(cause), ...(isBusy ? { retryAfterSeconds: 1 } : {}) },
      requestId,
    ) ?? { status: 500, body: {} })

/** Message of an emulator error for the caller; empty: it is a bug. */
export const causeOf = (error: unknown): { message?: string } =>
  error instanceof EmulatorError ? { message: error.message.replace('\n', ' ').replace(/\.$/, '') } : {}
