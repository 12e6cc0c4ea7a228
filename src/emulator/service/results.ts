import type { IncomingMessage, ServerResponse } from 'node:http'
import { URL } from 'node:url'
import type { Store } from '../accounts/store.js'
import { asDecision, type Decision, noMeta } from '../core/contract.js'
import { posterOf } from '../core/media/spec.js'
import type { Call, RefusedBy, Reply } from '../core/model/call.js'
import {
  type ParsedResultUrl,
  parseResultUrl,
  posterSubjects,
  type ResolvedResult,
  type ResultLookup,
  resolveResult,
  resultRules,
} from '../core/result.js'
import { replacesDecision } from '../core/scenario/effects/answer.js'
import { RESULTS } from '../core/scenario/selector.js'
import { isoOf } from '../core/schedule/time.js'
import { ruleRef } from '../core/task/refusals.js'
import type { MatchedRoute, ServiceOperation } from './exchange.js'
import { type FileErrorReply, type SendResult, sendReply } from './files.js'
import { randomRequestId } from './request-id.js'

/**
 * Route of result downloads: GET and HEAD of a path that is a result's. Its operation is made for the URL of one call, which is
 * parsed once.
 */
export const createResultRoute =
  (secret: string) =>
  (method: string, path: string, query: URLSearchParams): MatchedRoute | undefined => {
    if (method !== 'GET' && method !== 'HEAD') return undefined
    const url = parseResultUrl(path, query, secret)
    return url && { operations: [downloadOf(url)], params: { task_id: url.ref.taskId } }
  }

/** Looks up results for media that bodies name by a URL of this emulator. */
export const createResultLookup =
  (store: Pick<Store, 'read' | 'keyOfAccountId'>, secret: string): ResultLookup =>
  async (path, query) => {
    const url = parseResultUrl(path, query, secret)
    if (url === undefined) return undefined
    const key = await store.keyOfAccountId(url.ref.accountId)
    if (key === undefined) return { state: url.isGenuine ? 'gone' : 'forged', taskId: url.ref.taskId, now: 0 }
    return store.read(key, (account, now) => resolveResult(account, url, now))
  }

// A download is of no family, so a file that cannot be sent is answered in the emulator's own words.
const fileError: FileErrorReply = ({ code, sentence: message, hint = '' }, isBusy) => ({
  status: isBusy ? 503 : 500,
  ...(isBusy ? { headers: { 'Retry-After': '1' } } : {}),
  body: { error: { code, message, hint } },
})

/** Operation `results.download`: the file of a result, with Range, ETag and CORS as object stores have them (gap X9). */
const download = {
  id: 'results.download',
  family: RESULTS,
  section: '',
  route: { method: 'GET', path: '/results/{account}/{task_id}/{file}' },
  needsKey: false,
  maxBodyBytes: () => 0,
  headers: {
    'Access-Control-Allow-Origin': '*',
    'Access-Control-Expose-Headers': 'Content-Length, Content-Range, Content-Type, ETag, X-Request-Id',
  },
  fileError,
  refuse: (_, { message = 'The result could not be sent' }) => ({
    status: 500,
    body: { error: { code: 'internal', message, hint: '' } },
  }),
  wellKnownErrors: {
    unauthenticated: 'AccessDenied',
    unreadable: 'InvalidRequest',
    unsupported: 'InvalidRequest',
    'too-large': 'EntityTooLarge',
    'rate-limited': 'SlowDown',
    internal: 'InternalError',
  },
  possibleErrors: [],
  errors: [],
  raise: () => ({ status: 500, body: {} }),
} satisfies Partial<ServiceOperation>

/** The download of the result that a URL names. */
const downloadOf = (url: ParsedResultUrl): ServiceOperation => ({
  ...download,
  accountId: url.ref.accountId,
  refuseUnknownAccount: (requestId) => {
    const meta = { ...noMeta, refusedBy: [ofNoAccount(url)], task: url.ref.taskId }
    return asDecision(refusalReply(url.isGenuine ? 'gone' : 'denied', requestId), meta)
  },
  prepare: (call, { resultAuthorization }) => ({
    decide: ({ account, now, requestId }) => {
      const hasKey = call.headers?.authorization !== undefined
      if (hasKey && resultAuthorization === 'refuse') {
        const meta = { ...noMeta, refusedBy: [keyBesideSignature], task: url.ref.taskId }
        return asDecision(refusalReply('twice', requestId), meta)
      }
      const resolved = resolveResult(account, url, now)
      const { meta, ...decision } =
        resolved.state === 'there'
          ? asDecision(
              { status: 200, body: undefined, result: resolved.spec },
              { ...noMeta, task: resolved.taskId },
            )
          : refused(resolved, call, requestId)
      return { ...decision, meta: hasKey ? { ...meta, warnings: [KEY_SENT_ALONG] } : meta }
    },
  }),
  override: (decision, { step }, requestId) => {
    const { answer = {}, result } = step?.effects ?? {}
    const meta = { ...decision.meta, task: url.ref.taskId }
    if (replacesDecision(answer)) return { ...decision, meta: { ...meta, refusedBy: [] } }
    // A download that is refused anyway stays refused, by its own rule.
    const isRefused = meta.refusedBy.length > 0
    if (isRefused || (!result?.expired && !result?.missing)) return { ...decision, meta }
    const reply = refusalReply(result.expired ? 'denied' : 'gone', requestId)
    return { ...decision, reply, meta }
  },
})

/**
 * Sends the poster of a result: a picture of it, for pages that list results. Its URL is that of the result with `/poster` in place
 * of the extension, and expires with it. It is no call of the service: no scenario acts on it, and no journal has it.
 */
export const createSendPoster =
  (resolve: ResultLookup, sendResult: SendResult) =>
  async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://localhost')
    let resolved: ResolvedResult | undefined
    for (const path of posterSubjects(pathname) ?? [])
      if (resolved === undefined || resolved.state === 'forged') resolved = await resolve(path, searchParams)
    response.setHeader('Access-Control-Allow-Origin', '*')
    if (resolved?.state === 'there')
      return void (await sendResult(posterOf(resolved.spec), request, response, fileError))
    sendReply(response, refusalReply(resolved?.state === 'gone' ? 'gone' : 'denied', randomRequestId()))
  }

// What clients do that download with the client of the API: the key goes to whatever host stores the results.
const KEY_SENT_ALONG =
  'An Authorization header came with a signed URL: the key leaves for the host of the results, and object stores refuse such a call (gap X14, setting resultAuthorization)'

const keyBesideSignature: RefusedBy = {
  error: 'InvalidArgument',
  ...ruleRef(RESULTS, resultRules.oneAuthorization),
  field: 'Authorization',
  allowed: 'no Authorization header beside the signature of the URL',
  message:
    'The request has both the signature of its URL and an Authorization header, and the setting resultAuthorization is refuse',
}

type Unavailable = Exclude<ResolvedResult, { state: 'there' }>

const refused = (resolved: Unavailable, { query }: Call, requestId: string): Decision => {
  const meta = { ...noMeta, refusedBy: [reasonOf(resolved, query)], task: resolved.taskId }
  return asDecision(refusalReply(resolved.state === 'gone' ? 'gone' : 'denied', requestId), meta)
}

/** Why a result is not available, for the journal. The answer does not tell one reason from another (gap X9). */
const reasonOf = (resolved: Unavailable, query: URLSearchParams): RefusedBy => {
  const { signature, notExpired, taskExists } = resultRules
  if (resolved.state === 'gone') {
    const { taskId: found } = resolved
    const message = `The task ${found} was deleted, or has no such result any more`
    const allowed = 'a task that has this result'
    return { error: 'NoSuchKey', ...ruleRef(RESULTS, taskExists), found, allowed, message }
  }
  if (resolved.state === 'expired') {
    const found = isoOf(resolved.expiredAt)
    const now = isoOf(resolved.now)
    const message = `The URL expired at ${found}, and the clock of its account says ${now}`
    const ref = { ...ruleRef(RESULTS, notExpired), field: 'Expires' }
    return { error: 'AccessDenied', ...ref, found, allowed: `a time after ${now}`, message }
  }
  const missing = ['Expires', 'Signature'].find((name) => (query.get(name) ?? '') === '')
  const ref = { ...ruleRef(RESULTS, signature), field: missing ?? 'Signature' }
  // The received signature is not shown: a journal is no place to learn of signatures.
  const found = missing === undefined ? 'another signature' : 'none'
  const message =
    missing === undefined
      ? 'The Signature is not the one of this path and Expires, so the URL was changed or signed with another secret'
      : `The URL has no ${missing}, and is valid with its original query only`
  return { error: 'AccessDenied', ...ref, found, allowed: 'the original signature', message }
}

/** Why there is no account: a URL that was not changed is one of an account that was reset or evicted. */
const ofNoAccount = ({ isGenuine, ref: { accountId: found } }: ParsedResultUrl): RefusedBy => {
  const allowed = 'the id of an account'
  if (isGenuine) {
    const message = `The account ${found} was reset or evicted, and its tasks with it`
    return { error: 'NoSuchKey', ...ruleRef(RESULTS, resultRules.taskExists), found, allowed, message }
  }
  const ref = { ...ruleRef(RESULTS, resultRules.signature), field: 'account' }
  const message = `No account has the id ${found}, so the URL was changed`
  return { error: 'AccessDenied', ...ref, found, allowed, message }
}

const refusals = {
  twice: {
    status: 400,
    code: 'InvalidArgument',
    message: 'A request is authorised by its signed URL or by its Authorization header, not by both.',
  },
  denied: { status: 403, code: 'AccessDenied', message: 'Request has expired.' },
  gone: { status: 404, code: 'NoSuchKey', message: 'The specified key does not exist.' },
} as const

/** A refusal as object stores answer (gap X9): status and an XML body. */
const refusalReply = (refusal: keyof typeof refusals, requestId: string): Reply => {
  const { status, code, message } = refusals[refusal]
  return {
    status,
    headers: { 'Content-Type': 'application/xml; charset=utf-8' },
    body: undefined,
    text: `<?xml version="1.0" encoding="UTF-8"?>
<Error><Code>${code}</Code><Message>${message}</Message><RequestId>${requestId}</RequestId></Error>
`,
  }
}
