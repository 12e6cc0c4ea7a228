import type { IncomingMessage, ServerResponse } from 'node:http'
import { textOfNote } from '../accounts/notes.js'
import type { Decision } from '../core/contract.js'
import { ClientDisconnected, isStoreError } from '../core/errors.js'
import type { Served } from '../core/events.js'
import {
  type Answered,
  IDEMPOTENCY_KEY,
  type JournalEntry,
  type ProfiledAnswer,
} from '../core/journal/entry.js'
import { shorten } from '../core/journal/redact.js'
import { type KeptBody, type Lost, sentOf } from '../core/journal/sent.js'
import type { Body, RefusedBy, Reply } from '../core/model/call.js'
import { createDecide, createResolve } from './decide.js'
import type { CallUnderWay, DecidedExchange, ReceivedExchange, ServiceParts } from './exchange.js'
import { causeOf, internalError } from './failures.js'
import { sendReply } from './files.js'
import { createIdentify } from './identify.js'
import { createReceive, pathOf } from './receive.js'
import { randomRequestId } from './request-id.js'
import { createRespond } from './respond.js'

/**
 * Pipeline of the service and of its results: receive, identify, resolve media, decide, respond, record. Every call runs
 * through it, a download of a result like the others. Nothing is changed before the decision.
 */
export const createService = (parts: ServiceParts) => {
  const { journalBodyBytes: maxBytes } = parts.settings
  const notesOf = (exchange: DecidedExchange): string[] => {
    if (!isAnswerFinal(exchange)) return []
    const { reply } = exchange.decision
    const answered = reply.text === undefined ? undefined : { text: reply.text }
    return [textOfNote({ call: entryOf(maxBytes, exchange, reply, answered, [], parts.systemNow()) })]
  }
  const { inFlight } = parts
  const receive = createReceive(parts)
  const identify = createIdentify(parts)
  const resolve = createResolve(parts)
  const decide = createDecide(parts, notesOf)
  const respond = createRespond(parts)

  const decideReceived = async (
    received: ReceivedExchange,
    response: ServerResponse,
  ): Promise<DecidedExchange> => {
    const { body } = received.call
    let changes: Decision['changes'] = []
    try {
      const decided = await decide(await resolve(await identify(received), response))
      changes = decided.decision.changes
      return decided
    } finally {
      // Files that no change keeps are unpinned, all of them if there is no decision.
      if (body.kind === 'form') await parts.uploads.complete(body, changes)
    }
  }

  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const call: CallUnderWay = { request, response, startedAt: performance.now(), exchange: undefined }
    inFlight.add(call)
    try {
      const received = await receive(request, response)
      call.exchange = received
      const decided = await decideReceived(received, response)
      // Recorded as soon as the answer is known: a client that has its answer finds the call in the journal. Only a file and what
      // another host sends can turn out to be another answer, and are recorded once they were sent.
      await respond(decided, request, response, (...sent) => {
        inFlight.delete(call)
        record(decided, ...sent)
      })
      parts.events.emit('served', servedOf(decided, response, performance.now() - call.startedAt))
    } finally {
      inFlight.delete(call)
    }
  }

  /** Writes a call into the journal. `unsent` says why a file that is there was not sent. */
  const record = (
    exchange: DecidedExchange,
    reply: Reply,
    answered: Answered | undefined,
    unsent?: readonly RefusedBy[],
  ): void => {
    const { accountKey, initialState } = exchange
    const wall = parts.systemNow()
    const entry = entryOf(maxBytes, exchange, reply, answered, unsent, wall)
    const wholeEntry = () => entryOf(Number.POSITIVE_INFINITY, exchange, reply, answered, unsent, wall)
    parts.journals.record(entry, initialState, wholeEntry)
    if (!isAnswerFinal(exchange))
      parts.store.note(accountKey, () => textOfNote({ call: entry })).catch(parts.onInternalError)
  }

  const answerFailure = (request: IncomingMessage, response: ServerResponse, error: unknown): void => {
    if (error instanceof ClientDisconnected) return void response.destroy()
    parts.onInternalError(error)
    if (response.headersSent) return void response.destroy()
    for (const name of response.getHeaderNames())
      if (!CORS_HEADERS.includes(name)) response.removeHeader(name)
    const [operation] =
      parts.findRoute(request.method ?? '', pathOf(request), new URLSearchParams())?.operations ?? []
    const requestId = randomRequestId()
    const reply = internalError(operation, causeOf(error), requestId)
    const unavailable = { ...reply, status: 503, headers: { 'Retry-After': '1' } }
    sendReply(response, isStoreError(error) ? unavailable : reply, requestId)
  }

  return (request: IncomingMessage, response: ServerResponse): Promise<void> =>
    serve(request, response).catch((error) => answerFailure(request, response, error))
}

// Without them a page sees an error of CORS in place of the answer.
const CORS_HEADERS = ['access-control-allow-origin', 'access-control-expose-headers', 'vary']

/** Decided exchange, as far as the journal shows it. Without a sequence number it is one that was not counted. */
type JournalledExchange = Omit<DecidedExchange, 'sequence' | 'initialState' | 'awaitsCallbacks'> &
  Partial<Pick<DecidedExchange, 'sequence'>>

/**
 * A call as the journal keeps it: it refers to what the call brought. Bodies of more than `maxBytes` are cut, so that they can be
 * let go; smaller ones are cut when they are shown.
 * @param unsent why a file that is there was not sent
 * @param wall when it is recorded, in Unix milliseconds of real time
 */
export const entryOf = (
  maxBytes: number,
  exchange: JournalledExchange,
  reply: Reply,
  answered?: Answered,
  unsent: readonly RefusedBy[] = [],
  wall?: number,
): JournalEntry => {
  const { call, begun, headers, rawQuery, signedQuery, bytes, key, origin, media, match } = exchange
  const body = keptOf(call.body)
  const { meta } = exchange.decision
  const refusedBy = unsent.length === 0 ? meta.refusedBy : [...meta.refusedBy, ...unsent]
  const request = {
    begunAt: replayInstant(exchange),
    hasKey: key !== undefined,
    origin,
    query: signedQuery ?? rawQuery,
    body,
    found: media,
  }
  const isCut = body.kind === 'json' && (bytes > maxBytes || body.attachments !== undefined)
  return {
    id: exchange.requestId,
    account: exchange.accountKey,
    at: exchange.decidedAt,
    wall,
    begun,
    operation: exchange.operation?.id,
    method: call.method,
    path: call.path,
    query: rawQuery,
    headers: headers as Record<string, string>,
    requestBody: bodyOf(body, bytes, maxBytes),
    requestBytes: bytes,
    status: reply.status,
    responseBody: reply.body,
    played: match.traces.length === 0 ? undefined : match,
    sequence: exchange.sequence,
    sent: isCut ? sentOf({ ...request, body }, bytes, maxBytes) : request,
    answered: (answered ?? reply.headers) && { headers: reply.headers, ...answered },
    // Last, since V8 is slow to add fields after those of a spread.
    ...meta,
    warnings:
      answered?.profile === undefined
        ? warningsOf(exchange)
        : [...warningsOf(exchange), ...templateWarnings(answered.profile)],
    refusedBy: bytes > maxBytes ? refusedBy.map(withoutLongFinds) : refusedBy,
  }
}

/** What the journal keeps of a body: the JSON of bytes that were passed on, and of others that they were there. */
const keptOf = (body: Body): KeptBody | Lost => {
  if (body.kind !== 'raw') return body
  if (body.value !== undefined) return { kind: 'json', value: body.value }
  return { kind: 'lost', why: `its ${body.bytes.length} bytes were passed on and are no JSON that was read` }
}

/** The warnings of a decision, and those about the headers of its call that the service would refuse, or does not know. */
const warningsOf = ({
  key = '',
  call,
  headers,
  operation,
  decision: { meta },
}: JournalledExchange): readonly string[] => {
  const isOtherScheme = OTHER_SCHEME.test(key)
  const isRepeat = headers[IDEMPOTENCY_KEY] !== undefined && call.method === 'POST' && meta.task !== undefined
  // Images are made at once: of such a create no task can be asked for.
  const isAtOnce = operation?.makes === 'task' && operation.idAt === undefined
  const asked = isAtOnce ? Object.keys(headers).find((name) => ASYNC_HEADER.test(name)) : undefined
  if (!isOtherScheme && !isRepeat && asked === undefined) return meta.warnings
  const warnings = [...meta.warnings]
  if (isOtherScheme)
    warnings.push('Authorization is not `Bearer KEY`: all of its value was taken for the key')
  if (isRepeat)
    warnings.push('The service does not know the header Idempotency-Key, so this call made a task of its own')
  if (asked !== undefined)
    warnings.push(
      `The header ${asked} changes nothing: the answer has the pictures, and there is no task to query (gap N27)`,
    )
  return warnings
}

const ASYNC_HEADER = /^x-[a-z-]*\basync$/

// What a key begins with that is the word of another scheme: of a client that the service would refuse.
const OTHER_SCHEME = /^(?:(?:basic|token|api-?key|key|digest|bearer)\s|bearer:)/i

const templateWarnings = ({ missing }: ProfiledAnswer): string[] =>
  missing.map(
    (path) => `The profile names {{${path}}}, which the answer does not have: it has null in its place`,
  )

const withoutLongFinds = (refusal: RefusedBy): RefusedBy => ({ ...refusal, found: shorten(refusal.found) })

const bodyOf = (body: KeptBody | Lost, bytes: number, maxBytes: number): unknown => {
  if (body.kind === 'form') return { fields: body.fields, files: body.files }
  if (body.kind !== 'json') return undefined
  return bytes > maxBytes ? shorten(body.value) : body.value
}

/** Whether the answer is known with the decision. Files, other hosts and the effects of scenarios can still change it. */
const isAnswerFinal = ({ match, decision: { reply } }: DecidedExchange): boolean =>
  match.step === undefined && reply.result === undefined && reply.stream === undefined

/**
 * Replay instant: where the clock has to stand for a replay of the call to give the same answer. What the call moves the clock
 * by itself, it will again.
 */
const replayInstant = ({ nextMoment, decidedAt, arrivedAt, clockJumpMs = 0 }: JournalledExchange): number =>
  nextMoment === undefined ? decidedAt - clockJumpMs : arrivedAt

const servedOf = (
  { requestId, operation, accountKey, call, decision: { meta } }: DecidedExchange,
  response: ServerResponse,
  durationMs: number,
): Served => ({
  requestId,
  operation: operation?.id,
  account: accountKey,
  method: call.method,
  status: response.headersSent ? response.statusCode : 0,
  durationMs,
  ...(meta.hints === undefined ? {} : { hints: meta.hints }),
})
