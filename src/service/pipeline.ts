import type { IncomingMessage, ServerResponse } from 'node:http'
import type { ClockScheduler } from '../accounts/clock.js'
import type { JournalStore } from '../accounts/journals.js'
import type { Store } from '../accounts/store.js'
import { asDecision, type DecisionMeta } from '../core/contract.js'
import { EmulatorError, type RefusedBy } from '../core/errors.js'
import type { Served } from '../core/events.js'
import type { Answered } from '../core/journal/entry.js'
import type { MediaRef, ResolvedMedia } from '../core/media/references.js'
import type { Account } from '../core/model/account.js'
import type { Body, Reply } from '../core/model/call.js'
import { clockJumpOf, matchCall, recordMatch } from '../core/scenario/apply.js'
import type { Scenario } from '../core/scenario/schema.js'
import type { ResolveMedia } from '../media/resolve/resolve-media.js'
import { ClientDisconnected } from '../net/client-disconnected.js'
import { namesScenario, requestScenario } from '../scenarios/library.js'
import { createDecide, type DecideParts, type Outcome } from './decide.js'
import { sendReply } from './files.js'
import { createIdentify, type IdentifiedCall, type IdentifyParts } from './identify.js'
import { createReceive, pathOf, type ReceivedRequest, type ReceiveParts } from './receive.js'
import { randomRequestId } from './request-id.js'
import { causeOf, createRespond, type RespondParts } from './respond.js'

export interface ServiceParts extends ReceiveParts, DecideParts, IdentifyParts, RespondParts {
  readonly store: Store
  readonly clock: ClockScheduler
  readonly journals: JournalStore
  readonly resolveMedia: ResolveMedia
  /** @throws EmulatorError `unknown-scenario` */
  readonly scenarioNamed: (name: string) => Promise<Scenario>
  /** Resolves when no callback of an account is on its way. */
  readonly callbacksDrained: (key: string) => Promise<void>
  /** Told of every call once it is over; left out where nobody watches. */
  readonly onServed?: (served: Served) => void
}

const nothingFound: ReadonlyMap<string, ResolvedMedia> = new Map()

/**
 * The emulated service as a request handler:
 * read the call, recognise it, let clocks move, gather its media, decide and remember, answer, record.
 */
export const createService = (parts: ServiceParts) => {
  const { store, clock, uploads } = parts
  const receive = createReceive(parts)
  const identify = createIdentify(parts)
  const decide = createDecide(parts)
  const answer = createRespond(parts)

  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const begunAt = performance.now()
    const incoming = await receive(request)
    response.once('close', incoming.release)
    const { accountKey, call } = incoming
    const guest = namesScenario(request.headers)
      ? await requestScenario(request.headers, parts.scenarioNamed)
      : undefined
    const made = await decided(incoming, guest)
    const { identified, outcome } = made
    if (call.body.kind === 'form') await uploads.conclude(call.body, outcome.decision.changes)
    if (outcome.isOvertaken) await parts.callbacksDrained(accountKey)
    await answer({ request, response, identified, outcome, tell: teller(incoming, made) })
    parts.onServed?.({
      requestId: identified.requestId,
      operation: identified.operation?.id,
      account: accountKey,
      method: call.method,
      status: response.headersSent ? response.statusCode : 0,
      durationMs: performance.now() - begunAt,
    })
  }

  /** Most calls wait for nothing between being recognised and being decided, and meet the store once. */
  const decided = async (
    incoming: ReceivedRequest,
    guest: Scenario | EmulatorError | undefined,
  ): Promise<Decided> => {
    const { accountKey } = incoming
    const { identified, outcome } = await store.transact(accountKey, (account, now) => {
      const identified = identify(account, incoming, guest)
      return waits(identified)
        ? { identified: beforeWaiting(account, identified) }
        : { identified, outcome: decide(account, now, incoming, identified, nothingFound) }
    })
    if (outcome !== undefined) return { identified, found: nothingFound, outcome }
    await moveClock(incoming, identified)
    const met = await gathered(incoming, identified)
    return {
      ...met,
      outcome: await store.transact(accountKey, (account, now) =>
        decide(account, now, incoming, matchedAgain(account, incoming, met.identified), met.found),
      ),
    }
  }

  /** Where a status query or a scenario wants it to be. */
  const moveClock = async (
    { accountKey, call, rawQuery }: ReceivedRequest,
    { waitsFor, callMatch }: IdentifiedCall,
  ): Promise<void> => {
    if (waitsFor !== undefined) await clock.advanceOnPoll(accountKey, waitsFor, `${call.path}?${rawQuery}`)
    const jump = clockJumpOf(callMatch)
    if (jump !== undefined) await clock.advanceBy(accountKey, jump)
  }

  /** The media of a call; where they cannot be had for a fault of the emulator's own, the call is answered with that. */
  const gathered = async (
    incoming: ReceivedRequest,
    identified: IdentifiedCall,
  ): Promise<Omit<Decided, 'outcome'>> => {
    const { accountKey, call } = incoming
    const mediaRefs = mediaRefsOf(identified.next)
    if (mediaRefs.length === 0) return { identified, found: nothingFound }
    try {
      return {
        identified,
        found: await parts.resolveMedia(mediaRefs, accountKey, incoming, attachmentsOf(call.body)),
      }
    } catch (error) {
      const { operation, requestId } = identified
      const reply = operation?.refuse('internal', causeOf(error), requestId)
      const next = reply === undefined ? identified.next : asDecision(reply)
      if (!(error instanceof EmulatorError)) parts.onInternalError(error)
      return { identified: { ...identified, next }, found: nothingFound }
    }
  }

  /** Writes a call into the journal, once its answer is known as it went out. */
  const teller =
    (incoming: ReceivedRequest, { identified, found, outcome }: Decided) =>
    (reply: Reply, answered?: Answered, unsent: readonly RefusedBy[] = []): void =>
      parts.journals.record({
        accountKey: incoming.accountKey,
        at: outcome.now,
        // A live clock has gone on while media were read; the others move for the call itself, and will again.
        begunAt:
          outcome.clock.mode === 'live'
            ? outcome.now - (clockJumpOf(identified.callMatch) ?? 0)
            : identified.arrivedAt,
        id: identified.requestId,
        operation: identified.operation?.id,
        incoming,
        found,
        decision: { ...outcome.decision, reply, meta: withRefusals(outcome.decision.meta, unsent) },
        answered,
        played: outcome.callMatch,
      })

  return (request: IncomingMessage, response: ServerResponse): Promise<void> =>
    serve(request, response).catch((error) => {
      if (error instanceof ClientDisconnected) return void response.destroy()
      parts.onInternalError(error)
      if (response.headersSent) return void response.destroy()
      const [operation] = parts.findRoute(request.method ?? '', pathOf(request))?.operations ?? []
      const requestId = randomRequestId()
      const reply = operation?.refuse('internal', causeOf(error), requestId) ?? { status: 500, body: {} }
      sendReply(response, reply, requestId)
    })
}

/** What a decision needs of what came before it. */
interface Decided {
  readonly identified: IdentifiedCall
  readonly found: ReadonlyMap<string, ResolvedMedia>
  readonly outcome: Outcome
}

const withRefusals = (notes: DecisionMeta, more: readonly RefusedBy[]): DecisionMeta =>
  more.length === 0 ? notes : { ...notes, refusedBy: [...notes.refusedBy, ...more] }

const waits = ({ waitsFor, callMatch, next }: IdentifiedCall): boolean =>
  waitsFor !== undefined || clockJumpOf(callMatch) !== undefined || mediaRefsOf(next).length > 0

const mediaRefsOf = (next: IdentifiedCall['next']): readonly MediaRef[] =>
  'mediaRefs' in next ? next.mediaRefs : []

// A step that moves the clock has acted once it has moved it. Otherwise nothing is counted before the call is decided.
const beforeWaiting = (account: Account, identified: IdentifiedCall): IdentifiedCall =>
  clockJumpOf(identified.callMatch) === undefined
    ? identified
    : { ...identified, callMatch: recordMatch(account, identified.callMatch) }

/** Matches a call that has waited a second time, since others were decided meanwhile. */
const matchedAgain = (
  account: Account,
  { call }: ReceivedRequest,
  identified: IdentifiedCall,
): IdentifiedCall => {
  const { operation, callMatch, arrivedAt } = identified
  if (operation === undefined || callMatch.isRecorded) return identified
  return { ...identified, callMatch: matchCall(account, operation, call, arrivedAt, callMatch.requestRun) }
}

const attachmentsOf = (body: Body) => (body.kind === 'json' ? (body.attachments ?? []) : [])
