import type { IncomingMessage } from 'node:http'
import type { Request, Response } from 'express'
import { type Account, DEFAULT_KEY } from '../../core/account/account.js'
import { apply } from '../../core/account/apply.js'
import { credentialProblem, keyOf } from '../../core/account/credentials.js'
import { type Happening, settle } from '../../core/account/settle.js'
import type { Found, Mention } from '../../core/media/mention.js'
import {
  type Body,
  type Call,
  type Decision,
  noNotes,
  type Operation,
  type Prepared,
  type Reply,
  type Standing,
} from '../../core/operation.js'
import type { Refusal } from '../../core/problem.js'
import type { Settings } from '../../core/settings.js'
import { type ClockState, readClock } from '../../core/time/clock.js'
import type { Instant } from '../../core/time/timeline.js'
import type { ClockDriver } from '../clock/driver.js'
import type { Recorder } from '../journal/recorder.js'
import type { SendResult } from '../results/send-result.js'
import type { Owners } from '../store/owners.js'
import type { Store } from '../store/store.js'
import type { Uploads } from '../uploads/uploads.js'
import type { LargeBodyReader } from './large-body/reader.js'
import { ClientGone, readBody } from './read-body.js'
import { requestIdOf } from './request-id.js'
import type { FindRoute, Matched } from './routes.js'
import { sendReply } from './send-reply.js'
import { unknownPath } from './unknown-path.js'
import { worldOf } from './world.js'

export interface ServiceParts {
  readonly settings: Settings
  readonly secret: string
  readonly findRoute: FindRoute
  readonly store: Store
  readonly clock: ClockDriver
  readonly recorder: Recorder
  readonly sendResult: SendResult
  readonly gather: (
    mentions: readonly Mention[],
    key: string,
    origin: string,
    attachments: readonly (Uint8Array | string)[],
  ) => Promise<ReadonlyMap<string, Found>>
  readonly largeBodies: LargeBodyReader
  readonly uploads: Uploads
  readonly wall: () => number
  /** Told of what should never happen; the caller gets the family's 500. */
  readonly onBug: (error: unknown) => void
}

/** What a call has been recognised as, before anything is decided. */
interface Recognised {
  readonly operation: Operation | undefined
  readonly requestId: string
  readonly next: Prepared | Reply
  readonly waitsFor: Instant | undefined
}

interface Incoming {
  readonly call: Call
  readonly key: string | undefined
  readonly origin: string
  readonly headers: IncomingMessage['headers']
  readonly rawQuery: string
  readonly bytes: number
}

const nothingFound: ReadonlyMap<string, Found> = new Map()

/**
 * The emulated service as a request handler:
 * read the call, recognise it, let an on-poll clock move, gather its media, decide, remember, answer.
 */
export const createService = (parts: ServiceParts) => {
  const { settings, secret, findRoute, store, clock, recorder, gather, uploads, wall } = parts

  const serve = async (request: Request, response: Response): Promise<void> => {
    const { path, rawQuery } = splitUrl(request.url ?? '/')
    const matched = findRoute(request.method ?? 'GET', path)
    const incoming = await readIncoming(request, path, rawQuery, matched)
    const accountKey = await accountKeyOf(incoming, matched)
    const recognised = await store.run(accountKey, (account) => recognise(account, incoming, matched))
    if (recognised.waitsFor !== undefined) await clock.passOnPoll(accountKey, recognised.waitsFor)
    const { next } = recognised
    const found =
      'mentions' in next && next.mentions.length > 0
        ? await gather(next.mentions, accountKey, incoming.origin, attachmentsOf(incoming.call.body))
        : nothingFound
    const outcome = await store.run(accountKey, (account, owners) =>
      decide(account, owners, incoming, recognised, found),
    )
    clock.noticed(accountKey, outcome.happenings, outcome.nextAt, outcome.clock)
    await uploads.conclude(incoming.call.body, outcome.decision.changes)
    const reply = await send(request, response, outcome.decision.reply, recognised.requestId)
    recorder.record({
      accountKey,
      at: outcome.now,
      id: recognised.requestId,
      operation: recognised.operation?.id,
      incoming,
      decision: { ...outcome.decision, reply },
    })
  }

  /** Sends a reply and returns it as it went out: a result can turn out to be a range, or not to be had. */
  const send = async (request: Request, response: Response, reply: Reply, requestId: string) => {
    if (reply.result === undefined) {
      sendReply(response, reply, requestId)
      return reply
    }
    response.set('X-Request-Id', requestId)
    await parts.sendResult(reply.result, request, response)
    return { ...reply, status: response.statusCode }
  }

  /** The account of the key; where an id says whose the call is, that of the id. */
  const accountKeyOf = async ({ call, key }: Incoming, matched: Matched | undefined): Promise<string> => {
    const id = matched?.operations[0]?.accountOf?.(call)
    const owner = id === undefined ? undefined : await store.ownerOf(id, key)
    return owner ?? key ?? DEFAULT_KEY
  }

  const readIncoming = async (
    request: Request,
    path: string,
    rawQuery: string,
    matched: Matched | undefined,
  ): Promise<Incoming> => {
    const { body, bytes } = await bodyOf(request, matched)
    return {
      call: {
        method: request.method ?? 'GET',
        path,
        params: matched?.params ?? {},
        query: new URLSearchParams(rawQuery),
        body,
      },
      key: keyOf(request.headers.authorization),
      origin: settings.publicUrl?.replace(/\/$/, '') ?? `http://${request.headers.host ?? 'localhost'}`,
      headers: request.headers,
      rawQuery,
      bytes,
    }
  }

  const bodyOf = async (request: Request, matched: Matched | undefined) => {
    const operation = matched?.operations[0]
    if (operation === undefined || request.method === 'GET')
      return { body: { kind: 'none' } as Body, bytes: 0 }
    if (operation.form !== undefined) return uploads.receive(request, operation.form)
    return readBody(request, operation.maxBodyBytes(settings), parts.largeBodies)
  }

  const recognise = (account: Account, incoming: Incoming, matched: Matched | undefined): Recognised => {
    account.requests += 1
    const requestId = requestIdOf(settings.seed, account.tag, account.requests)
    const { call } = incoming
    if (matched === undefined)
      return {
        operation: undefined,
        requestId,
        next: unknownPath(call.method, call.path),
        waitsFor: undefined,
      }
    const operation = claimant(matched, call, account)
    const now = readClock(account.clock, wall())
    const refusal = operation.needsKey ? credentialProblem(incoming.key, settings, now) : undefined
    if (refusal !== undefined)
      return {
        operation,
        requestId,
        next: operation.refuse('unauthenticated', { message: refusal }, requestId),
        waitsFor: undefined,
      }
    return {
      operation,
      requestId,
      next: unreadable(operation, call.body, requestId) ?? prepared(operation, call, requestId),
      waitsFor: account.clock.mode === 'on-poll' ? operation.awaits?.(call, account, now) : undefined,
    }
  }

  const prepared = (operation: Operation, call: Call, requestId: string): Prepared | Reply => {
    try {
      return operation.prepare(call, settings)
    } catch (error) {
      parts.onBug(error)
      return operation.refuse('internal', {}, requestId)
    }
  }

  const decide = (
    account: Account,
    owners: Owners,
    incoming: Incoming,
    { next, requestId, operation }: Recognised,
    found: ReadonlyMap<string, Found>,
  ): {
    decision: Decision
    now: Instant
    happenings: Happening[]
    nextAt: Instant | undefined
    clock: ClockState
  } => {
    const now = readClock(account.clock, wall())
    const before = settle(account, now)
    const world = worldOf(account, now, {
      settings,
      secret,
      origin: incoming.origin,
      requestId,
      found,
      owners,
    })
    const decision =
      'mentions' in next ? guarded(() => next.decide(world), operation, requestId) : asDecision(next)
    apply(account, decision.changes)
    for (const change of decision.changes)
      if ('putAsset' in change) owners.give(change.putAsset.jobId, account.key)
    const happenings = [...before, ...settle(account, now)]
    return { decision, now, happenings, nextAt: account.agenda.peek()?.at, clock: account.clock }
  }

  const guarded = (run: () => Decision, operation: Operation | undefined, requestId: string): Decision => {
    try {
      return run()
    } catch (error) {
      parts.onBug(error)
      return asDecision(operation?.refuse('internal', {}, requestId) ?? { status: 500, body: {} })
    }
  }

  return (request: Request, response: Response): Promise<void> =>
    serve(request, response).catch((error) => {
      if (!(error instanceof ClientGone)) parts.onBug(error)
      response.destroy()
    })
}

const attachmentsOf = (body: Body) => (body.kind === 'json' ? (body.attachments ?? []) : [])

const asDecision = (reply: Reply): Decision => ({ reply, changes: [], notes: noNotes })

const splitUrl = (url: string): { path: string; rawQuery: string } => {
  const mark = url.indexOf('?')
  return mark < 0 ? { path: url, rawQuery: '' } : { path: url.slice(0, mark), rawQuery: url.slice(mark + 1) }
}

// On a shared route the model or the stored record decides; the first operation answers for what nobody claims.
const claimant = ({ operations }: Matched, call: Call, account: Account): Operation =>
  operations.find(({ claims }) => claims?.(call, account) ?? true) ?? (operations[0] as Operation)

const unreadable = (operation: Operation, body: Body, requestId: string): Reply | undefined => {
  const refuse = (standing: Standing, refusal: Omit<Refusal, 'error'>) =>
    operation.refuse(standing, refusal, requestId)
  switch (body.kind) {
    case 'unreadable':
      return refuse('unreadable', { message: body.detail })
    case 'too-large':
      return refuse('too-large', {
        message:
          body.detail ?? `The request body is larger than ${body.limit} bytes; send large media as URLs`,
      })
    case 'busy':
      return refuse('rate-limited', { message: body.detail, retryAfterSeconds: 1 })
    case 'not-kept':
      return refuse('internal', { message: body.detail })
    case 'unsupported':
      return refuse('unsupported', {
        message: `The request body must be JSON (application/json), found ${body.contentType}`,
      })
    default:
      return undefined
  }
}
