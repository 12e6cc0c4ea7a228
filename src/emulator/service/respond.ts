import { readFile } from 'node:fs/promises'
import type { IncomingHttpHeaders, IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http'
import { EmulatorError } from '../core/errors.js'
import type { Answered, ProfiledAnswer, SentAnswer } from '../core/journal/entry.js'
import type { FileSpec } from '../core/media/spec.js'
import { modelIn, type RefusalDetails, type RefusedBy, type Reply } from '../core/model/call.js'
import { resultRules } from '../core/result.js'
import { JSON_TYPE, outgoingOf, replacesDecision } from '../core/scenario/effects/answer.js'
import type { AnswerContext, Delivery, OutgoingReply } from '../core/scenario/effects/effect.js'
import { applyEffectsOf, type StepEffects, withoutFieldEffects } from '../core/scenario/effects/index.js'
import { completeDelivery } from '../core/scenario/effects/transport.js'
import type { MatchedStep } from '../core/scenario/match.js'
import { ruleRef } from '../core/task/refusals.js'
import type { RenderedFile } from '../media/render/renderer.js'
import type { ChangedReply } from '../profile/answers.js'
import { isCutOff, transmit, waitForDelay } from './effects/transmit.js'
import type { DecidedExchange, ResolvedExchange, ServiceOperation, ServiceParts } from './exchange.js'
import { type FileErrorReply, type FilePart, requestedPart, sendReply } from './files.js'
import { plainError } from './identify.js'

/**
 * Called with a reply before it is sent, since sending can take for ever, and for a file once it was sent. `unsent` says why a
 * file that is there was not sent.
 */
type RecordReply = (reply: Reply, answered?: Answered, unsent?: readonly RefusedBy[]) => void

/**
 * A file that was read so that effects change it. `unchanged`: they do not, or the part that is asked for is not there, which is
 * refused as without effects. `instead`: the reply that was sent since the file could not be read.
 */
type FileToChange =
  | { readonly file: OutgoingReply }
  | { readonly instead: Reply }
  | 'unchanged'
  | 'client-left'

/** Fifth step, the responder: sends what was decided, as a reply or as a file, with the effects of a scenario. */
export const createRespond = ({ sendResult, delays, profile }: ServiceParts) => {
  /** Records a file once it was sent: it can turn out to be a range, or an error. */
  const sendFile = async (
    exchange: DecidedExchange,
    request: IncomingMessage,
    response: ServerResponse,
    result: FileSpec,
    record: RecordReply,
  ): Promise<void> => {
    const { operation, requestId, decision } = exchange
    response.setHeader('X-Request-Id', requestId)
    const changed = profile?.change(decision.reply, exchange.subject)
    for (const [name, value] of Object.entries(changed?.reply.headers ?? {})) response.setHeader(name, value)
    const instead = await sendResult(result, request, response, fileErrorOf(exchange))
    if (instead !== undefined) return record(instead)
    // The client left before the first byte.
    if (!response.headersSent) return record(decision.reply, { broken: 'silent' })
    const { statusCode: status } = response
    const unsent = fileRefusals(operation?.family ?? '', status, request.headers, response.getHeaders())
    record({ ...decision.reply, status }, answeredFile(response), unsent)
  }

  /** Reads a file for effects that change it, or the part of it that is asked for. */
  const readFileToChange = async (
    exchange: DecidedExchange,
    effects: StepEffects,
    request: IncomingMessage,
    response: ServerResponse,
    result: FileSpec,
  ): Promise<FileToChange> => {
    if (!changesFile(effects)) return 'unchanged'
    let read: FileToChange | undefined
    const keepFile = async (_request: IncomingMessage, _response: ServerResponse, opened: RenderedFile) => {
      const part = hasParts(effects) ? await requestedPart(request, opened) : 'whole'
      if (hasParts(effects)) response.setHeader('Accept-Ranges', 'bytes')
      read = part === undefined ? 'unchanged' : { file: await fileReply(opened, part) }
      return undefined
    }
    const instead = await sendResult(result, request, response, fileErrorOf(exchange), keepFile)
    return read ?? (instead === undefined ? 'client-left' : { instead })
  }

  /** What the profile makes of an answer before a scenario acts on it; of an error that a step raises, of that. */
  const changedBeforeEffects = (
    exchange: DecidedExchange,
    effects: StepEffects,
  ): ChangedReply | undefined => {
    const { subject, requestId, decision } = exchange
    const { answer = {} } = effects
    if (subject === undefined || profile === undefined) return undefined
    const { error } = answer
    if (error === undefined)
      return replacesDecision(answer) ? undefined : profile.change(decision.reply, subject)
    const raised = answerContextOf(exchange, requestId, effects).raise(error, {
      retryAfterSeconds: answer.retryAfter,
    })
    return profile.change(raised, { operations: subject.operations, error })
  }

  /** The answer under the effects of a step: as it goes out, and as the journal keeps it. */
  const answerUnder = (exchange: DecidedExchange, effects: StepEffects, context: AnswerContext) => {
    const { requestId, decision } = exchange
    const { sent: outgoing, ...kept } = answerWithEffects(decision.reply, requestId, effects, context)
    const changed = changedBeforeEffects(exchange, effects)
    if (changed === undefined) return { sent: outgoing, ...kept }
    const raised = { ...context, raise: () => changed.reply }
    const { sent } = answerWithEffects(changed.reply, requestId, effects, raised)
    const { reply, answered } = kept
    const profile = sentOf(changed, journalReplyOf(sent))
    const fields = answered.changed === undefined ? {} : { changed: profile }
    return { sent, reply, answered: { ...answered, profile, ...fields } }
  }

  /** Answers a call with the effects of the step that acts on it. */
  const applyEffects = async (
    exchange: DecidedExchange,
    { effects, random }: MatchedStep,
    request: IncomingMessage,
    response: ServerResponse,
    record: RecordReply,
  ): Promise<void> => {
    const { requestId } = exchange
    const { reply: decided } = exchange.decision
    const delivery = applyEffectsOf('transport', effects, completeDelivery, random)
    const context = answerContextOf(exchange, requestId, effects)
    const send = (outgoing: OutgoingReply, reply: Reply, answered: Answered = {}) => {
      record(reply, { ...answered, ...brokenBy(delivery, isCutOff(delivery, outgoing, request)) })
      return transmit(outgoing, response, delivery, delays)
    }
    const { result } = decided
    if (result === undefined || replacesDecision(context.values)) {
      const { sent, reply, answered } = answerUnder(exchange, effects, context)
      return send(sent, reply, answered)
    }
    response.setHeader('X-Request-Id', requestId)
    if (delivery.end === 'never' || delivery.end === 'reset') {
      record(decided, brokenBy(delivery))
      return transmit(outgoingOf(decided, requestId), response, delivery, delays)
    }
    const read = await readFileToChange(exchange, effects, request, response, result)
    if (read === 'client-left') return record(decided, { broken: 'silent' })
    if (read === 'unchanged') {
      if (await waitForDelay(response, delivery, delays))
        return sendFile(exchange, request, response, result, record)
      record(decided, { broken: 'silent' })
      return void response.destroy()
    }
    if ('instead' in read) return record(read.instead, {})
    const changed = applyEffectsOf('result', effects, read.file, undefined)
    const outgoing = applyEffectsOf('answer', effects, changed, context)
    return send(outgoing, { ...decided, status: outgoing.status })
  }

  return async (
    exchange: DecidedExchange,
    request: IncomingMessage,
    response: ServerResponse,
    record: RecordReply,
  ): Promise<void> => {
    const { operation, requestId, match } = exchange
    const { reply } = exchange.decision
    for (const name in operation?.headers) response.setHeader(name, operation.headers[name] as string)
    if (match.step !== undefined) return applyEffects(exchange, match.step, request, response, record)
    if (reply.result !== undefined) return sendFile(exchange, request, response, reply.result, record)
    const answered = reply.text === undefined ? undefined : { text: reply.text }
    const changed = profile?.change(reply, exchange.subject)
    if (changed === undefined) {
      record(reply, answered)
      return sendReply(response, reply, requestId)
    }
    record(reply, { ...answered, profile: sentOf(changed, changed.reply) })
    sendReply(response, changed.reply, requestId)
  }
}

/**
 * A reply under the effects of a step: as it goes out, as the journal keeps it, which is without the changes of single fields,
 * and with these beside it.
 */
export const answerWithEffects = (
  decided: Reply,
  requestId: string,
  effects: StepEffects,
  context: AnswerContext,
): { readonly sent: OutgoingReply; readonly reply: Reply; readonly answered: Answered } => {
  const before = outgoingOf(decided, requestId)
  const sent = applyEffectsOf('answer', effects, before, context)
  if (effects.answer === undefined) return { sent, reply: decided, answered: answeredText(sent) }
  const deciding = withoutFieldEffects(effects)
  if (deciding === effects) return { sent, reply: journalReplyOf(sent), answered: answeredText(sent) }
  const kept = applyEffectsOf('answer', deciding, before, context)
  const reply = deciding.answer === undefined ? decided : journalReplyOf(kept)
  return { sent, reply, answered: { ...answeredText(kept), changed: sentAnswerOf(journalReplyOf(sent)) } }
}

/** What the journal keeps of an answer that a profile has changed. */
export const sentOf = ({ by, missing }: ChangedReply, reply: Reply): ProfiledAnswer => ({
  by,
  missing,
  ...sentAnswerOf(reply),
})

const sentAnswerOf = ({ status, headers, body }: Reply): SentAnswer => ({
  status,
  body,
  ...(headers === undefined ? {} : { headers }),
})

/** Context of the effects on the answer to a call. */
export const answerContextOf = (
  { operation, call }: ResolvedExchange,
  requestId: string,
  { answer = {} }: StepEffects,
): AnswerContext => ({
  requestId,
  raise: (error, refusal) =>
    operation?.raise(error, { ...refusal, found: modelIn(call.body) }, requestId) ?? plainFailure(),
  values: answer,
})

// The request id is in the journal anyway, and JSON is what answers are unless a header says something else.
const journalReplyOf = ({ status, headers, body }: OutgoingReply): Reply => ({
  status,
  headers: Object.fromEntries(
    Object.entries(headers).filter(([name, value]) => name !== 'X-Request-Id' && value !== JSON_TYPE),
  ),
  body,
})

// A body that is a string is a text, or JSON in quotes: the bytes say which.
const answeredText = ({ body, bytes }: OutgoingReply): Answered =>
  typeof body === 'string' ? { text: bytes.toString('utf8') } : {}

/** How a delivery breaks an answer (`Answered.broken`). Empty where it does not. */
const brokenBy = ({ end }: Delivery, isCut = false): Answered => {
  if (isCut) return { broken: 'cut' }
  if (end === 'complete' || end === 'cut') return {}
  return { broken: end === 'never' ? 'silent' : end }
}

// Otherwise the file is sent as without a scenario, ranges included: a delay alone comes before it.
const changesFile = ({ result, answer, transport = {} }: StepEffects): boolean =>
  result !== undefined || answer !== undefined || Object.keys(transport).some((key) => key !== 'delay')

// A file that is another one, or shorter, has none.
const hasParts = ({ result, answer }: StepEffects): boolean =>
  result === undefined && answer?.cutAt === undefined

const fileReply = async (
  { contentType, etag, path, bytes: size }: RenderedFile,
  part: FilePart | 'whole',
): Promise<OutgoingReply> => {
  const bytes = await readFile(path)
  const headers = { 'Content-Type': contentType, ETag: etag }
  if (part === 'whole') return { status: 200, headers, body: undefined, bytes }
  const { start, end } = part
  return {
    status: 206,
    headers: { ...headers, 'Content-Range': `bytes ${start}-${end}/${size}` },
    body: undefined,
    bytes: bytes.subarray(start, end + 1),
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
    internalError(operation, { ...causeOf(cause), ...(isBusy ? { retryAfterSeconds: 1 } : {}) }, requestId))

/** Internal error in the format of an operation, or of unknown paths where the service has no such operation (gap X7). */
export const internalError = (
  operation: ServiceOperation | undefined,
  details: RefusalDetails,
  requestId: string,
): Reply => operation?.refuse('internal', details, requestId) ?? plainFailure(details.message)

const plainFailure = (message = 'The call could not be answered'): Reply => ({
  status: 500,
  body: plainError(message, 'server_error'),
})

/** Message of an emulator error for the caller; empty: it is a bug. */
export const causeOf = (error: unknown): { message?: string } =>
  error instanceof EmulatorError ? { message: error.message.replace('\n', ' ').replace(/\.$/, '') } : {}
