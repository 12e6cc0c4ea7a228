import type { IncomingHttpHeaders, IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http'
import type { Answered } from '../core/journal/entry.js'
import type { FileSpec } from '../core/media/spec.js'
import type { RefusedBy, Reply, ReplyStream } from '../core/model/call.js'
import { resultRules } from '../core/result.js'
import { outgoingOf, replacesDecision, withHeaders } from '../core/scenario/effects/answer.js'
import type { AnswerContext, Delivery, OutgoingReply } from '../core/scenario/effects/effect.js'
import { applyEffectsOf, type StepEffects } from '../core/scenario/effects/index.js'
import { completeDelivery } from '../core/scenario/effects/transport.js'
import type { MatchedStep } from '../core/scenario/match.js'
import { ruleRef } from '../core/task/refusals.js'
import { answerContextOf, answerUnder, profiledAnswerOf } from './effects/answer.js'
import { readFileToChange } from './effects/file.js'
import { isCutOff, transmit, waitForDelay } from './effects/transmit.js'
import type { DecidedExchange, ServiceParts } from './exchange.js'
import { fileErrorOf } from './failures.js'
import { leaveOut, sendReply } from './files.js'
import { sendStream } from './stream.js'

/**
 * Called with a reply before it is sent, since sending can take for ever, and for a file once it was sent. `unsent` says why a
 * file that is there was not sent.
 */
type RecordReply = (reply: Reply, answered?: Answered, unsent?: readonly RefusedBy[]) => void

/** Answer under way: what was decided, and where it goes. */
interface Answer {
  readonly exchange: DecidedExchange
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly record: RecordReply
}

type RespondParts = Pick<ServiceParts, 'sendResult' | 'delays' | 'profile'>

/** Fifth step, the responder: sends what was decided, as a reply or as a file, with the effects of a scenario. */
export const createRespond =
  (parts: RespondParts) =>
  async (
    exchange: DecidedExchange,
    request: IncomingMessage,
    response: ServerResponse,
    record: RecordReply,
  ): Promise<void> => {
    const { operation } = exchange
    for (const name in operation?.headers) response.setHeader(name, operation.headers[name] as string)
    const answer: Answer = { exchange, request, response, record }
    if (exchange.decision.reply.stream !== undefined)
      return sendForwarded(parts, answer, exchange.decision.reply.stream)
    return sendDecided(parts, answer)
  }

const sendDecided = async (parts: RespondParts, answer: Answer): Promise<void> => {
  const { exchange, response, record } = answer
  const {
    requestId,
    match,
    decision: { reply },
  } = exchange
  if (match.step !== undefined) return sendWithEffects(parts, answer, match.step)
  if (reply.result !== undefined) return sendFile(parts, answer, reply.result)
  const answered = reply.text === undefined ? undefined : { text: reply.text }
  const changed = parts.profile?.change(reply, exchange.subject)
  if (changed === undefined) {
    record(reply, answered)
    return sendReply(response, reply, requestId)
  }
  record(reply, { ...answered, profile: profiledAnswerOf(changed, changed.reply) })
  sendReply(response, changed.reply, requestId)
}

/** Sends what another host answers: as it comes, or whole where a scenario acts on it or a profile changes its fields. */
const sendForwarded = async (parts: RespondParts, answer: Answer, stream: ReplyStream): Promise<void> => {
  const { exchange, response, record } = answer
  const { requestId, match, subject } = exchange
  const { reply, meta } = exchange.decision
  const changed = parts.profile?.change(reply, subject)
  const isJson = /\bjson\b/i.test(reply.headers?.['Content-Type'] ?? '')
  if (match.step !== undefined || (changed !== undefined && isJson)) {
    const { reply: whole, isInstead } = await stream.whole()
    // The profile is about what the host answers.
    Object.assign(exchange, {
      decision: { ...exchange.decision, reply: whole },
      ...(isInstead && { subject: undefined }),
    })
    return sendDecided(parts, answer)
  }
  await sendStream(response, changed?.reply ?? reply, stream, requestId, ({ body, answered, warning }) => {
    const warnings = warning === undefined ? meta.warnings : [...meta.warnings, warning]
    Object.assign(exchange, { decision: { ...exchange.decision, meta: { ...meta, warnings } } })
    const profile =
      changed === undefined ? {} : { profile: profiledAnswerOf(changed, { ...changed.reply, body }) }
    record({ ...reply, body }, { ...answered, ...profile })
  })
}

/** Sends a file, and records it once it was sent: it can turn out to be a range, or an error. */
const sendFile = async (
  { sendResult, profile }: RespondParts,
  { exchange, request, response, record }: Answer,
  result: FileSpec,
): Promise<void> => {
  const { operation, requestId, decision } = exchange
  response.setHeader('X-Request-Id', requestId)
  const changed = profile?.change(decision.reply, exchange.subject)
  const decided = changed === undefined ? undefined : changeHeadersOfFile(response, changed.reply)
  const instead = await sendResult(result, request, response, fileErrorOf(exchange))
  if (instead !== undefined) return record(instead)
  // The client left before the first byte.
  if (!response.headersSent) return record(decision.reply, { broken: 'silent' })
  const { statusCode: status } = response
  const unsent = fileRefusals(operation?.family ?? '', status, request.headers, response.getHeaders())
  const sent: Answered = {
    ...answeredFile(decided?.() ?? response.getHeaders()),
    ...(!response.writableFinished && { hasLeft: true }),
  }
  if (changed === undefined || status >= 400) return record({ ...decision.reply, status }, sent, unsent)
  const shown = { ...changed.reply, status, headers: answeredFile(response.getHeaders()).headers ?? {} }
  record({ ...decision.reply, status }, { ...sent, profile: profiledAnswerOf(changed, shown) }, unsent)
}

/**
 * Has the headers of a file changed by a profile when they are written: until then they are those of the file. Returns what reads
 * them as they were. An error in place of the file keeps its own.
 */
const changeHeadersOfFile = (
  response: ServerResponse,
  { headers = {}, without = [] }: Reply,
): (() => OutgoingHttpHeaders) => {
  let decided: OutgoingHttpHeaders | undefined
  const writeHead = response.writeHead.bind(response) as (...args: unknown[]) => ServerResponse
  response.writeHead = (status: number, ...others: unknown[]) => {
    decided = { ...response.getHeaders() }
    if (status < 400) {
      leaveOut(response, without)
      for (const [name, value] of Object.entries(headers)) response.setHeader(name, value)
    }
    return writeHead(status, ...others)
  }
  return () => decided ?? response.getHeaders()
}

/** Answers a call with the effects of the step that acts on it. */
const sendWithEffects = async (
  parts: RespondParts,
  answer: Answer,
  { effects, random }: MatchedStep,
): Promise<void> => {
  const { exchange, request, response, record } = answer
  const { reply: decided } = exchange.decision
  const delivery = applyEffectsOf('transport', effects, completeDelivery, random)
  const context = answerContextOf(exchange, exchange.requestId, effects)
  const { result } = decided
  if (result !== undefined && !replacesDecision(context.values))
    return sendFileWithEffects(parts, answer, result, { effects, delivery, context })
  const { sent, reply, answered } = answerUnder(parts.profile, exchange, effects, context)
  record(reply, { ...answered, ...brokenBy(delivery, isCutOff(delivery, sent, request)) })
  return transmit(sent, response, delivery, parts.delays)
}

const sendFileWithEffects = async (
  parts: RespondParts,
  answer: Answer,
  result: FileSpec,
  { effects, delivery, context }: FileEffects,
): Promise<void> => {
  const { delays, sendResult } = parts
  const { exchange, request, response, record } = answer
  const { requestId } = exchange
  const { reply: decided } = exchange.decision
  response.setHeader('X-Request-Id', requestId)
  if (delivery.end === 'never' || delivery.end === 'reset') {
    record(decided, brokenBy(delivery))
    return transmit(outgoingOf(decided, requestId), response, delivery, delays)
  }
  const read = await readFileToChange(sendResult, result, effects, request, response, fileErrorOf(exchange))
  if (read === 'client-left') return record(decided, { broken: 'silent' })
  if (read === 'unchanged') {
    if (await waitForDelay(response, delivery, delays)) return sendFile(parts, answer, result)
    record(decided, { broken: 'silent' })
    return void response.destroy()
  }
  if ('instead' in read) return record(read.instead, {})
  const inForce = parts.profile?.change(decided, exchange.subject)
  const profiled = inForce === undefined ? read.file : withProfileHeaders(read.file, inForce.reply)
  const changed = applyEffectsOf('result', effects, profiled, undefined)
  const outgoing = applyEffectsOf('answer', effects, changed, context)
  record({ ...decided, status: outgoing.status }, brokenBy(delivery, isCutOff(delivery, outgoing, request)))
  return transmit(outgoing, response, delivery, delays)
}

/** A file with the headers that a profile changes. */
const withProfileHeaders = (file: OutgoingReply, { headers = {}, without = [] }: Reply): OutgoingReply => {
  const kept = Object.entries(file.headers).filter(([name]) => !without.includes(name.toLowerCase()))
  return withHeaders({ ...file, headers: Object.fromEntries(kept), without }, headers)
}

/** Effects of a step on a file. */
interface FileEffects {
  readonly effects: StepEffects
  readonly delivery: Delivery
  readonly context: AnswerContext
}

/** How a delivery breaks an answer (`Answered.broken`). Empty where it does not. */
const brokenBy = ({ end }: Delivery, isCut = false): Answered => {
  if (isCut) return { broken: 'cut' }
  if (end === 'complete' || end === 'cut') return {}
  return { broken: end === 'never' ? 'silent' : end }
}

const RECORDED_HEADERS = ['content-type', 'content-range', 'etag']

/** Journal record of an answer that was a file: its headers and its length. */
const answeredFile = (given: OutgoingHttpHeaders): Answered => {
  const { 'content-length': length } = given
  const headers = RECORDED_HEADERS.flatMap((name) => {
    const value = given[name]
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
