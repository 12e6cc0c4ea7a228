import type { IncomingMessage, ServerResponse } from 'node:http'
import type { ClockScheduler } from '../accounts/clock.js'
import type { JournalStore } from '../accounts/journals.js'
import type { Store } from '../accounts/store.js'
import { DEFAULT_KEY } from '../core/account/account.js'
import { keyOf } from '../core/account/credentials.js'
import { type Decision, noMeta } from '../core/contract.js'
import { controlErrorBody } from '../core/control-error.js'
import { EmulatorError, type RefusedBy } from '../core/errors.js'
import type { Served } from '../core/events.js'
import type { Answered } from '../core/journal/entry.js'
import type { Reply } from '../core/model/call.js'
import { beginRun } from '../core/model/scenario-run.js'
import type { ResolvedResult, ResolveResult } from '../core/result/resolve.js'
import { notExpired, signature, taskExists } from '../core/result/result-url.js'
import {
  type CallMatch,
  changeAccountFor,
  clockJumpOf,
  matchOn,
  recordMatch,
} from '../core/scenario/apply.js'
import { replacesDecision } from '../core/scenario/effects/answer.js'
import { type MatchedStep, noMatch, type ScenarioMatch } from '../core/scenario/match.js'
import { inputAbout } from '../core/scenario/match-input.js'
import type { Scenario } from '../core/scenario/schema.js'
import { isoOf } from '../core/schedule/iso.js'
import type { Instant } from '../core/schedule/timeline.js'
import type { Settings } from '../core/settings.js'
import { ruleRef } from '../core/task/refusals.js'
import { requestScenario } from '../scenarios/library.js'
import type { ApplyEffects } from './effects/apply.js'
import { answeredFile, type FileErrorReply, fileRefusals, type SendResult, sendReply } from './files.js'
import { randomRequestId, requestIdOf } from './request-id.js'

interface DownloadParts {
  readonly settings: Settings
  readonly store: Store
  readonly clock: ClockScheduler
  readonly resolve: ResolveResult
  readonly sendResult: SendResult
  /** @throws EmulatorError `unknown-scenario` */
  readonly scenarioNamed: (name: string) => Promise<Scenario>
  readonly applyEffects: ApplyEffects
  readonly journals: JournalStore
  /** Told of every download once it is over; left out where nobody watches. */
  readonly onServed?: (served: Served) => void
}

/** GET and HEAD of a result: its bytes, with Range, ETag and CORS as object stores have them (gap X9). */
export const createDownload = (parts: DownloadParts) => {
  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<boolean> => {
    if (!request.url?.startsWith('/results/')) return false
    if (request.method === 'OPTIONS') sendPreflight(response)
    if (request.method === 'OPTIONS') return true
    if (request.method !== 'GET' && request.method !== 'HEAD') return false
    const begunAt = performance.now()
    const [path = '', rawQuery = ''] = (request.url ?? '').split('?')
    const query = new URLSearchParams(rawQuery)
    const found = await parts.resolve(path, query)
    if (found === undefined) return false
    const guest = await requestScenario(request.headers, parts.scenarioNamed)
    if (guest instanceof EmulatorError) {
      sendReply(response, { status: 400, body: controlErrorBody(guest) })
      return true
    }
    const { requestId, callMatch } = await begun(parts, found, guest)
    const { step } = callMatch
    const jump = clockJumpOf(callMatch)
    if (jump !== undefined && found.account !== undefined) await parts.clock.advanceBy(found.account, jump)
    const resolved = (jump === undefined ? undefined : await parts.resolve(path, query)) ?? found
    for (const [name, value] of Object.entries(openToAll)) response.setHeader(name, value)
    response.setHeader('X-Request-Id', requestId)
    const refused = refusedAs(resolved, query)
    const tell: Tell = (reply, answered, unsent = []) =>
      recordDownload(parts.journals, resolved, request, {
        id: requestId,
        begunAt: found.now,
        reply,
        answered,
        // A step can have another answer in its place.
        refusedBy: reply.status === statusOf(resolved) ? refused : unsent,
        played: callMatch,
      })
    if (step === undefined) await send(resolved, request, response, requestId, tell)
    else
      await parts.applyEffects({
        ...stagedDownload(step, resolved, requestId),
        raise: () => ({ status: 500, body: {} }),
        instead: downloadError,
        requestId,
        request,
        response,
        // What is sent as text is in `answered`.
        tell: ({ status }, answered) => tell({ status, body: undefined }, answered),
      })
    parts.onServed?.({
      requestId,
      operation: 'results.download',
      account: found.account ?? DEFAULT_KEY,
      method: request.method ?? '',
      status: response.headersSent ? response.statusCode : 0,
      durationMs: performance.now() - begunAt,
    })
    return true
  }

  const send = async (
    resolved: ResolvedResult,
    request: IncomingMessage,
    response: ServerResponse,
    requestId: string,
    tell: Tell,
  ): Promise<void> => {
    if (resolved.state !== 'there') {
      const answered = sendRefusal(response, refusalOf(resolved.state), requestId)
      return tell({ status: response.statusCode, body: undefined }, answered)
    }
    const instead = await parts.sendResult(resolved.spec, request, response, downloadError)
    const { statusCode: status } = response
    const unsent = fileRefusals('results', status, request.headers, response.getHeaders())
    tell(instead ?? { status, body: undefined }, answeredFile(response), unsent)
  }
  return serve
}

/** Told of an answer as it went out; `unsent` is why a file that is there was not sent. */
type Tell = (
  reply: Pick<Reply, 'status' | 'body'>,
  answered: Answered | undefined,
  unsent?: readonly RefusedBy[],
) => void

const openToAll = {
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Expose-Headers': 'Content-Length, Content-Range, Content-Type, ETag, X-Request-Id',
}

/** Counts a download, and asks the scenarios of its account about it. */
const begun = async (
  { store, settings }: DownloadParts,
  { account, taskId, now }: ResolvedResult,
  guest: Scenario | undefined,
): Promise<{ requestId: string; callMatch: CallMatch }> => {
  if (account === undefined) return { requestId: requestIdOf(settings.seed, 'nobody', 0), callMatch: noMatch }
  return store.transact(account, (owner) => {
    owner.requests += 1
    const requestId = requestIdOf(settings.seed, owner.tag, owner.requests)
    const playing = guest === undefined ? undefined : beginRun(guest, settings.seed, now)
    if (playing === undefined && owner.playing.length === 0) return { requestId, callMatch: noMatch }
    const about = { operation: 'results.download' }
    const found = matchOn(owner, inputAbout(owner.tasks.get(taskId), owner, now, about), playing)
    changeAccountFor(owner, found)
    return { requestId, callMatch: recordMatch(owner, found) }
  })
}

const sendRefusal = (response: ServerResponse, state: 'denied' | 'gone', requestId: string): Answered => {
  const { status, body: text } = refusalXml(state, requestId)
  const headers = { 'Content-Type': 'application/xml; charset=utf-8' }
  sendReply(response, { status, headers, body: undefined, text })
  return { text, headers }
}

/** A download that a step acts on, in the terms of every other call. */
interface StagedDownload {
  readonly step: MatchedStep
  readonly decided: Reply
}

/** What a download answers where a step acts: the file, or the refusal that the step or the truth asks for. */
const stagedDownload = (step: MatchedStep, resolved: ResolvedResult, requestId: string): StagedDownload => {
  const { answer, result } = step.effects
  const refusal = result?.expired ? 'denied' : result?.missing ? 'gone' : trueRefusal(resolved)
  if (refusal === undefined && resolved.state === 'there')
    return { step, decided: { status: 200, body: undefined, result: resolved.spec } }
  const refused = refusedWith(refusal ?? 'gone', requestId)
  const merged = answer !== undefined && replacesDecision(answer) ? answer : { ...refused, ...answer }
  return {
    step: { ...step, effects: { ...step.effects, answer: merged } },
    decided: { status: 200, body: undefined },
  }
}

const trueRefusal = ({ state }: ResolvedResult): 'denied' | 'gone' | undefined =>
  state === 'there' ? undefined : refusalOf(state)

const refusedWith = (state: 'denied' | 'gone', requestId: string) => {
  const { status, body } = refusalXml(state, requestId)
  return { status, contentType: 'application/xml; charset=utf-8', text: body }
}

/** How a download went out. */
interface Sent {
  readonly id: string
  readonly begunAt: Instant
  readonly reply: Pick<Reply, 'status' | 'body'>
  readonly answered: Answered | undefined
  readonly refusedBy: readonly RefusedBy[]
  readonly played: ScenarioMatch
}

/** Writes a download into the journal of its account; one of nobody's is not kept. */
const recordDownload = (
  journals: JournalStore,
  resolved: ResolvedResult,
  request: IncomingMessage,
  { id, begunAt, reply, answered, refusedBy, played }: Sent,
): void => {
  if (resolved.account === undefined) return
  const decision: Decision = {
    reply: { status: reply.status, body: reply.body },
    changes: [],
    meta: { ...noMeta, refusedBy, task: resolved.taskId },
  }
  journals.record({
    accountKey: resolved.account,
    at: resolved.now,
    begunAt,
    id,
    operation: 'results.download',
    incoming: {
      call: {
        method: request.method ?? '',
        path: (request.url ?? '').split('?')[0] ?? '',
        params: {},
        query: new URLSearchParams(),
        body: { kind: 'none' },
      },
      headers: request.headers,
      rawQuery: '',
      signedQuery: (request.url ?? '').split('?')[1] ?? '',
      bytes: 0,
      key: keyOf(request.headers.authorization),
      origin: `http://${request.headers.host ?? 'localhost'}`,
    },
    decision,
    answered,
    played,
  })
}

const RESULTS = 'results'

/** Why a result is not to be had, as the journal says it; nothing where it is. The answer does not tell one from another (gap X9). */
const refusedAs = (resolved: ResolvedResult, query: URLSearchParams): readonly RefusedBy[] => {
  switch (resolved.state) {
    case 'expired':
      return [hasNotExpired(resolved)]
    case 'forged':
      return [isSigned(query)]
    case 'gone':
      return [isThere(resolved)]
    default:
      return []
  }
}

const hasNotExpired = ({ expiredAt, now }: Extract<ResolvedResult, { state: 'expired' }>): RefusedBy => ({
  error: 'AccessDenied',
  ...ruleRef(RESULTS, notExpired),
  field: 'Expires',
  found: isoOf(expiredAt),
  allowed: `a time after ${isoOf(now)}`,
  message: `The URL expired at ${isoOf(expiredAt)}, and the clock of its account says ${isoOf(now)}`,
})

// What was sent is not shown: nobody is to learn of signatures from a journal.
const isSigned = (query: URLSearchParams): RefusedBy => {
  const missing = ['Expires', 'Signature'].find((name) => (query.get(name) ?? '') === '')
  return {
    error: 'AccessDenied',
    ...ruleRef(RESULTS, signature),
    field: missing ?? 'Signature',
    found: missing === undefined ? 'another signature' : 'none',
    allowed: 'the one that the URL was given out with',
    message:
      missing === undefined
        ? 'The Signature is not the one of this path and Expires, so the URL was changed or signed with another secret'
        : `The URL has no ${missing}, and has to be used with the whole query that it was given out with`,
  }
}

const isThere = ({ taskId }: ResolvedResult): RefusedBy => ({
  error: 'NoSuchKey',
  ...ruleRef(RESULTS, taskExists),
  found: taskId,
  allowed: 'a task that has this result',
  message: `The task ${taskId} was deleted, or has no such result any more`,
})

const words = {
  denied: { status: 403, code: 'AccessDenied', message: 'Request has expired.' },
  gone: { status: 404, code: 'NoSuchKey', message: 'The specified key does not exist.' },
} as const

/** In which of the two ways a result is refused. */
const refusalOf = (state: Exclude<ResolvedResult['state'], 'there'>): keyof typeof words =>
  state === 'gone' ? 'gone' : 'denied'

/** The status of the refusal; undefined where there is none. */
const statusOf = ({ state }: ResolvedResult): number | undefined =>
  state === 'there' ? undefined : words[refusalOf(state)].status

/** A refusal as object stores answer (gap X9): status and an XML body. */
const refusalXml = (state: keyof typeof words, requestId: string): { status: number; body: string } => {
  const { status, code, message } = words[state]
  return {
    status,
    body: `<?xml version="1.0" encoding="UTF-8"?>
<Error><Code>${code}</Code><Message>${message}</Message><RequestId>${requestId}</RequestId></Error>
`,
  }
}

/** The answer to a CORS preflight of a page that reads a result with headers of its own, such as Range (gap X9). */
const sendPreflight = (response: ServerResponse): void => {
  response.writeHead(204, {
    'Access-Control-Allow-Origin': '*',
    'Access-Control-Allow-Methods': 'GET, HEAD',
    // The star does not include Authorization, which some clients send with every request.
    'Access-Control-Allow-Headers': '*, Authorization',
    'Access-Control-Max-Age': '600',
    'X-Content-Type-Options': 'nosniff',
    'X-Request-Id': randomRequestId(),
  })
  response.end()
}

/** A download is of no family, so a file that cannot be sent is answered in the emulator's own words. */
const downloadError: FileErrorReply = ({ code, message, hint = '' }, isBusy) => ({
  status: isBusy ? 503 : 500,
  ...(isBusy ? { headers: { 'Retry-After': '1' } } : {}),
  body: { error: { code, message, hint } },
})
