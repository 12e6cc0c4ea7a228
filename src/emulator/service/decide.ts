import type { ServerResponse } from 'node:http'
import type { QuotaName } from '../../generated/names.js'
import { decisionContextOf } from '../accounts/decision-context.js'
import { apply } from '../core/account/apply.js'
import { requestIdOf } from '../core/account/random.js'
import { CHALLENGE_LENGTH } from '../core/callback/attempts.js'
import { challengeId } from '../core/callback/queue.js'
import {
  asDecision,
  type Change,
  type Decision,
  type DecisionContext,
  type OwedChallenge,
  type PreparedCall,
} from '../core/contract.js'
import { EmulatorError, explainSystemError, isStoreError } from '../core/errors.js'
import { mapTexts, withoutKey } from '../core/journal/redact.js'
import type { ResolvedMedia } from '../core/media/input.js'
import type { Account, Effects } from '../core/model/account.js'
import type { Reply } from '../core/model/call.js'
import { applyScenario, type CallMatch, changeAccountFor, recordMatch } from '../core/scenario/apply.js'
import { skipsDecision } from '../core/scenario/effects/answer.js'
import { noMatch } from '../core/scenario/match.js'
import type { Instant } from '../core/schedule/time.js'
import { inputShortage } from '../media/files/blob-store.js'
import type { DecidedExchange, IdentifiedExchange, ResolvedExchange, ServiceParts } from './exchange.js'
import { causeOf, internalError } from './failures.js'
import { matchExchange, refuseForRoom } from './identify.js'

const noMedia: ReadonlyMap<string, ResolvedMedia> = new Map()

/**
 * Third step: resolves everything for which a call waits before its decision: its clock, where a status query or a scenario
 * moves it, and the facts about the media that its body names.
 */
export const createResolve = ({ store, clock, ...parts }: ServiceParts) => {
  /** Asks the host of a route for its answer, unless a scenario answers in its place. */
  const askOutside = async (
    exchange: IdentifiedExchange,
    outside: NonNullable<PreparedCall['outside']>,
    response: ServerResponse,
  ): Promise<void> => {
    const match = await store.read(exchange.accountKey, (account) =>
      matchExchange(account, exchange, parts.systemNow()),
    )
    if (skipsDecision(match.step?.effects.answer)) return
    const gone = new AbortController()
    if (response.closed) gone.abort()
    else response.once('close', () => gone.abort())
    Object.assign(exchange, { prepared: await outside(gone.signal) })
  }

  /** Sends the challenge of a create that nothing else speaks against: what is refused anyway sends none. */
  const challenge = async (exchange: ResolvedExchange, owed: OwedChallenge): Promise<ResolvedExchange> => {
    const { accountKey, origin, media } = exchange
    const { settings, secret } = parts
    const preview = await store.read(accountKey, (account, now) => {
      const context = decisionContextOf(account, now, { settings, secret, origin, requestId: '', media })
      const { meta, changes } = exchange.prepared.decide(context)
      const task = changes.find((change) => 'putTask' in change)?.putTask
      const text = context.random.hex('challenge', CHALLENGE_LENGTH)
      return { isRefused: meta.refusedBy.length > 0, text, id: challengeId(task?.id ?? ''), now }
    })
    if (preview.isRefused) return exchange
    return Object.assign(exchange, { handshake: await parts.sendChallenge(owed, preview, preview.now) })
  }

  return async (exchange: IdentifiedExchange, response: ServerResponse): Promise<ResolvedExchange> => {
    const { accountKey, call, rawQuery, nextMoment, clockJumpMs } = exchange
    if (nextMoment !== undefined)
      await clock.advanceOnPoll(accountKey, nextMoment, `${call.path}?${rawQuery}`)
    if (clockJumpMs !== undefined) {
      // A step that moves the clock has acted once it has moved it.
      const recordedMatch = await store.transact(accountKey, (account) =>
        recordMatch(account, matchExchange(account, exchange, parts.systemNow())),
      )
      await clock.advanceBy(accountKey, clockJumpMs)
      Object.assign(exchange, { recordedMatch })
    }
    const { outside, owes } = exchange.prepared
    if (outside !== undefined) await askOutside(exchange, outside, response)
    const resolved = await readMedia(exchange, parts)
    return owes === undefined ? resolved : challenge(resolved, owes)
  }
}

/**
 * Looks up the facts about the media that a body names; an error of that is the answer.
 * @throws EmulatorError where the shared store is away
 */
export const readMedia = async (
  exchange: IdentifiedExchange,
  {
    resolveMedia,
    health,
    onInternalError,
  }: Pick<ServiceParts, 'resolveMedia' | 'health' | 'onInternalError'>,
): Promise<ResolvedExchange> => {
  const { accountKey, call, operation } = exchange
  const { mediaRefs } = exchange.prepared
  if (mediaRefs === undefined || mediaRefs.length === 0) return Object.assign(exchange, { media: noMedia })
  const attachments = call.body.kind === 'json' ? (call.body.attachments ?? []) : []
  try {
    const media = await resolveMedia(mediaRefs, accountKey, exchange, attachments)
    return Object.assign(exchange, { media })
  } catch (cause) {
    // It is away for a while, and every call of that time is answered alike.
    if (isStoreError(cause)) throw cause
    // A fault of the emulator's own is the answer. The media are read and kept by parts that report their own.
    const error = explainSystemError('The media of the request could not be read', cause)
    if (!(error instanceof EmulatorError)) onInternalError(error)
    else if (error !== cause) health.report('inputs', error)
    const { message = '' } = causeOf(error)
    const shortage = inputShortage(error)
    const decide = ({ requestId }: { readonly requestId: string }) =>
      operation !== undefined && shortage !== undefined
        ? refuseForRoom(operation, { detail: message, ...shortage }, requestId)
        : asDecision(internalError(operation, causeOf(error), requestId))
    return Object.assign(exchange, { media: noMedia, prepared: { decide } })
  }
}

/** Decision on a call, with the request id of its answer. */
export type Decided = Pick<DecidedExchange, 'requestId' | 'decision' | 'match' | 'subject'>

export type DecisionParts = Pick<
  ServiceParts,
  | 'settings'
  | 'secret'
  | 'systemNow'
  | 'store'
  | 'deadlineOf'
  | 'onInternalError'
  | 'accountQuotas'
  | 'profile'
>

/** Decides a call in a transaction: counts the request and applies account effects, but not the changes of the decision. */
export const createDecision = (parts: DecisionParts) => {
  const { settings, secret, systemNow, store, accountQuotas, deadlineOf, onInternalError, profile } = parts

  const decideGuarded = (
    { prepared, operation }: ResolvedExchange,
    match: CallMatch,
    context: DecisionContext,
  ): Decision => {
    const { step } = match
    try {
      if (step === undefined) return prepared.decide(context)
      const decision = skipsDecision(step.effects.answer)
        ? asDecision({ status: 200, body: undefined })
        : prepared.decide(context)
      return operation?.override?.(decision, match, context.requestId) ?? decision
    } catch (error) {
      onInternalError(error)
      return asDecision(internalError(operation, {}, context.requestId))
    }
  }

  const decideUnderScenarios = (
    exchange: ResolvedExchange,
    account: Account,
    context: DecisionContext,
  ): Pick<Decided, 'decision' | 'match'> => {
    const match = exchange.recordedMatch ?? matchExchange(account, exchange, systemNow(), context.now)
    changeAccountFor(account, match)
    return applyScenario(decideGuarded(exchange, match, context), match, account, deadlineOf, context.now)
  }

  const decide = (exchange: ResolvedExchange, account: Account, now: Instant): Decided => {
    const { origin, key, media, requestRun, recordedMatch, handshake } = exchange
    account.requests += 1
    const requestId = requestIdOf(settings.seed, account.id, account.requests)
    const source = { settings, secret, origin, requestId, media, store, accountQuotas, handshake }
    const context = decisionContextOf(account, now, source)
    const nothingPlays =
      account.playing.length === 0 && requestRun === undefined && recordedMatch === undefined
    const { decision, match } = nothingPlays
      ? { decision: decideGuarded(exchange, noMatch, context), match: noMatch }
      : decideUnderScenarios(exchange, account, context)
    // A refusal may quote what was sent.
    if (decision.reply.status < 400 || key === undefined) return { requestId, match, decision }
    return { requestId, match, decision: { ...decision, reply: redactKey(decision.reply, key) } }
  }
  if (profile === undefined) return decide
  return (exchange: ResolvedExchange, account: Account, now: Instant): Decided => {
    const decided = decide(exchange, account, now)
    const { operation } = exchange
    const reply = profile.withRateHeaders(operation, decided.decision, account, now)
    const subject = profile.subjectOf(operation, decided.decision, account, now)
    return { ...decided, decision: { ...decided.decision, reply }, subject }
  }
}

/**
 * Fourth step: decides a call and applies what that changes, in one transaction.
 * @param notesOf what other processes have to know of a call by now, where the store takes notes
 */
export const createDecide = (parts: ServiceParts, notesOf: (exchange: DecidedExchange) => string[]) => {
  const { store, callbacksDrained, quotas, journals } = parts
  const decide = createDecision(parts)

  const decideAndApply = (
    exchange: ResolvedExchange,
    account: Account,
    now: Instant,
    { events }: Effects,
  ): DecidedExchange => {
    const decided = decide(exchange, account, now)
    const { meta, changes } = decided.decision
    const quota = meta.refusedBy[0]?.bound
    if (quota !== undefined) quotas.refuse(quota as QuotaName)
    events.push(...apply(account, changes))
    return Object.assign(exchange, decided, {
      decidedAt: now,
      sequence: journals.nextSequence(),
      initialState: journals.initialStateOf(exchange.accountKey),
      awaitsCallbacks: account.callbacks.queues.size > 0 && awaitsCallbacks(account, changes),
    })
  }

  return async (exchange: ResolvedExchange): Promise<DecidedExchange> => {
    const { accountKey, operation, requestRun } = exchange
    const isQuery = operation?.route.method === 'GET' && requestRun === undefined
    const result = await store[isQuery ? 'query' : 'transact'](accountKey, (account, now, effects) => {
      const decided = decideAndApply(exchange, account, now, effects)
      effects.notes?.push(...notesOf(decided))
      return decided
    })
    if (result.awaitsCallbacks) await callbacksDrained(accountKey)
    return result
  }
}

const awaitsCallbacks = ({ callbacks: { queues } }: Account, changes: readonly Change[]): boolean =>
  changes.some((change) => {
    const waiting = 'putTask' in change ? queues.get(change.putTask.id)?.waiting : undefined
    return waiting?.some(({ fault }) => fault?.beforeAnswer === true)
  })

// Fields with fixed words of the interface, which are never redacted: they never quote the client.
const interfaceFields = ['code', 'param', 'type']

/** Redacts the API key of the caller in a refusal: answers end up in logs. */
const redactKey = (reply: Reply, key: string): Reply => {
  const redact = (text: string, name: string) =>
    interfaceFields.includes(name) ? text : withoutKey(text, key)
  return { ...reply, body: mapTexts(reply.body, redact) }
}
