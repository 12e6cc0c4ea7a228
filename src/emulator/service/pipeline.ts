import type { IncomingMessage, ServerResponse } from 'node:http'
import type { EntryOf } from '../accounts/journals.js'
import { textOfNote } from '../accounts/notes.js'
import { schemeWarning } from '../core/account/account-id.js'
import type { Decision } from '../core/contract.js'
import { ClientDisconnected, isStoreError } from '../core/errors.js'
import type { Served } from '../core/events.js'
import { type Answered, IDEMPOTENCY_KEY } from '../core/journal/entry.js'
import { shorten } from '../core/journal/redact.js'
import { sentOf } from '../core/journal/sent.js'
import type { Call, RefusedBy, Reply } from '../core/model/call.js'
import { createDecide, createResolve } from './decide.js'
import type { DecidedExchange, ReceivedExchange, ServiceParts } from './exchange.js'
import { sendReply } from './files.js'
import { createIdentify } from './identify.js'
import { createReceive, pathOf } from './receive.js'
import { randomRequestId } from './request-id.js'
import { causeOf, createRespond, internalError } from './respond.js'

/**
 * Pipeline of the service and of its results: receive, identify, resolve media, decide, respond, record. Every call runs
 * through it, a download of a result like the others. Nothing is changed before the decision.
 */
export const createService = (parts: ServiceParts) => {
  const noteOf = (exchange: DecidedExchange): string | undefined => {
    if (!isAnswerFinal(exchange)) return undefined
    const { reply } = exchange.decision
    const answered = reply.text === undefined ? undefined : { text: reply.text }
    return textOfNote({ call: parts.journals.textOf(entryOf(exchange, reply, answered)) })
  }
  const receive = createReceive(parts)
  const identify = createIdentify(parts)
  const resolve = createResolve(parts)
  const { shared } = parts.store
  const decide = createDecide(parts, shared && noteOf)
  const respond = createRespond(parts)

  const decideReceived = async (received: ReceivedExchange): Promise<DecidedExchange> => {
    const { body } = received.call
    let changes: Decision['changes'] = []
    try {
      const decided = await decide(await resolve(await identify(received)))
      changes = decided.decision.changes
      return decided
    } finally {
      // Files that no change keeps are unpinned, all of them if there is no decision.
      if (body.kind === 'form') await parts.uploads.complete(body, changes)
    }
  }

  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const startedAt = performance.now()
    const decided = await decideReceived(await receive(request, response))
    // Recorded as soon as the answer is known: a client that has its answer finds the call in the journal. Only a file can
    // turn out to be another answer, and is recorded once it was sent.
    await respond(decided, request, response, (...sent) => record(decided, ...sent))
    parts.onServed(servedOf(decided, response, performance.now() - startedAt))
  }

  /** Writes a call into the journal. `unsent` says why a file that is there was not sent. */
  const record = (
    exchange: DecidedExchange,
    reply: Reply,
    answered: Answered | undefined,
    unsent?: readonly RefusedBy[],
  ): void => {
    // A journal that was begun anew meanwhile has no calls of the account of before.
    const { accountKey, initialState } = exchange
    if (shared === undefined && parts.journals.initialStateOf(accountKey) !== initialState) return
    const entry = entryOf(exchange, reply, answered, unsent)
    parts.journals.record(entry)
    if (shared !== undefined && !isAnswerFinal(exchange))
      shared
        .note(exchange.accountKey, textOfNote({ call: parts.journals.textOf(entry) }))
        .catch(parts.onInternalError)
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

/** A call as the journal keeps it. `unsent` says why a file that is there was not sent. */
export const entryOf =
  (
    exchange: JournalledExchange,
    reply: Reply,
    answered?: Answered,
    unsent: readonly RefusedBy[] = [],
  ): EntryOf =>
  (maxBytes) => {
    const { call, headers, rawQuery, signedQuery, bytes, key, origin, media, match } = exchange
    const { meta } = exchange.decision
    const refusedBy = unsent.length === 0 ? meta.refusedBy : [...meta.refusedBy, ...unsent]
    const request = {
      begunAt: replayInstant(exchange),
      hasKey: key !== undefined,
      origin,
      query: signedQuery ?? rawQuery,
      body: call.body,
      found: media,
    }
    return {
      id: exchange.requestId,
      account: exchange.accountKey,
      at: exchange.decidedAt,
      operation: exchange.operation?.id,
      method: call.method,
      path: call.path,
      query: rawQuery,
      headers: headers as Record<string, string>,
      requestBody: bodyOf(call, bytes, maxBytes),
      requestBytes: bytes,
      status: reply.status,
      responseBody: reply.body,
      played: match.traces.length === 0 ? undefined : match,
      sequence: exchange.sequence,
      sent: sentOf(request, bytes, maxBytes),
      answered: (answered ?? reply.headers) && { headers: reply.headers, ...answered },
      // Last, since V8 is slow to add fields after those of a spread.
      ...meta,
      warnings: [...meta.warnings, ...clientWarnings(exchange)],
      refusedBy: bytes > maxBytes ? refusedBy.map(withoutLongFinds) : refusedBy,
    }
  }

/** Warnings about the headers of a call: those that the service would refuse, or does not know. */
const clientWarnings = ({ key, call, headers, decision: { meta } }: JournalledExchange): string[] => {
  const scheme = schemeWarning(key)
  const madeTask = call.method === 'POST' && meta.task !== undefined
  const repeat =
    madeTask && headers[IDEMPOTENCY_KEY] !== undefined
      ? 'The service does not know the header Idempotency-Key, so this call made a task of its own'
      : undefined
  return [scheme, repeat].filter((warning) => warning !== undefined)
}

const withoutLongFinds = (refusal: RefusedBy): RefusedBy => ({ ...refusal, found: shorten(refusal.found) })

const bodyOf = ({ body }: Call, bytes: number, maxBytes: number): unknown => {
  if (body.kind === 'form') return { fields: body.fields, files: body.files }
  if (body.kind !== 'json') return undefined
  return bytes > maxBytes ? shorten(body.value) : body.value
}

/** Whether the answer is known with the decision. Files and the effects of scenarios can still change it. */
const isAnswerFinal = ({ match, decision }: DecidedExchange): boolean =>
  match.step === undefined && decision.reply.result === undefined

/**
 * Replay instant: where the clock has to stand for a replay of the call to give the same answer. What the call moves the clock
 * by itself, it will again.
 */
const replayInstant = ({ nextMoment, decidedAt, arrivedAt, clockJumpMs = 0 }: JournalledExchange): number =>
  nextMoment === undefined ? decidedAt - clockJumpMs : arrivedAt

const servedOf = (
  { requestId, operation, accountKey, call }: DecidedExchange,
  response: ServerResponse,
  durationMs: number,
): Served => ({
  requestId,
  operation: operation?.id,
  account: accountKey,
  method: call.method,
  status: response.headersSent ? response.statusCode : 0,
  durationMs,
})
