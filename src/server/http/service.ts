import type { IncomingMessage, ServerResponse } from 'node:http'
import { EmulatorError } from '../../core/emulator-error.js'
import type { Served } from '../../core/events.js'
import type { Answered } from '../../core/journal/entry.js'
import type { Found, Mention } from '../../core/media/mention.js'
import { asDecision, type Body, type Notes, type Reply } from '../../core/operation.js'
import type { RefusedBy } from '../../core/problem.js'
import type { Scenario } from '../../core/scenario/scenario.js'
import type { ClockDriver } from '../clock/driver.js'
import type { Recorder } from '../journal/recorder.js'
import type { Gather } from '../media/gather/gather.js'
import { guestOf, namesGuest } from '../scenario/guest.js'
import { type AnswerParts, createAnswer } from './answer.js'
import { causeOf } from './cause-of.js'
import { createDecide, type DecideParts, type Outcome } from './decide.js'
import { createReadIncoming, type Incoming, type IncomingParts, pathOf } from './incoming.js'
import { ClientGone } from './read-body.js'
import { createRecognise, type Recognised } from './recognise.js'
import { strayRequestId } from './request-id.js'
import { sendReply } from './send-reply.js'

export interface ServiceParts extends IncomingParts, DecideParts, AnswerParts {
  readonly clock: ClockDriver
  readonly recorder: Recorder
  readonly gather: Gather
  /** @throws EmulatorError `unknown-scenario` */
  readonly scenarioNamed: (name: string) => Promise<Scenario>
  /** Resolves when no callback of an account is on its way. */
  readonly callbacksLanded: (key: string) => Promise<void>
  /** Told of every call once it is over; left out where nobody watches. */
  readonly onServed?: (served: Served) => void
}

const nothingFound: ReadonlyMap<string, Found> = new Map()

/**
 * The emulated service as a request handler:
 * read the call, recognise it, let clocks move, gather its media, decide and remember, answer, record.
 */
export const createService = (parts: ServiceParts) => {
  const { store, clock, uploads } = parts
  const readIncoming = createReadIncoming(parts)
  const recognise = createRecognise(parts)
  const decide = createDecide(parts)
  const answer = createAnswer(parts)

  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const begunAt = performance.now()
    const incoming = await readIncoming(request)
    const { accountKey, call } = incoming
    const guest = namesGuest(request.headers)
      ? await guestOf(request.headers, parts.scenarioNamed)
      : undefined
    const made = await decided(incoming, guest)
    const { recognised, outcome } = made
    clock.noticed(accountKey, outcome.happenings, outcome.nextAt, outcome.clock)
    if (call.body.kind === 'form') await uploads.conclude(call.body, outcome.decision.changes)
    if (outcome.isOvertaken) await parts.callbacksLanded(accountKey)
    await answer({ request, response, recognised, outcome, tell: teller(incoming, made) })
    parts.onServed?.({
      requestId: recognised.requestId,
      operation: recognised.operation?.id,
      account: accountKey,
      method: call.method,
      status: response.headersSent ? response.statusCode : 0,
      durationMs: performance.now() - begunAt,
    })
  }

  /** Most calls wait for nothing between being recognised and being decided, and meet the store once. */
  const decided = async (
    incoming: Incoming,
    guest: Scenario | EmulatorError | undefined,
  ): Promise<Decided> => {
    const { accountKey } = incoming
    const { recognised, outcome } = await store.run(accountKey, (account, owners) => {
      const recognised = recognise(account, incoming, guest)
      return waits(recognised)
        ? { recognised }
        : { recognised, outcome: decide(account, owners, incoming, recognised, nothingFound) }
    })
    if (outcome !== undefined) return { recognised, found: nothingFound, outcome }
    await moveClock(incoming, recognised)
    const met = await gathered(incoming, recognised)
    return {
      ...met,
      outcome: await store.run(accountKey, (account, owners) =>
        decide(account, owners, incoming, met.recognised, met.found),
      ),
    }
  }

  /** Where a status query or a scenario wants it to be. */
  const moveClock = async (
    { accountKey, call, rawQuery }: Incoming,
    { waitsFor, scene }: Recognised,
  ): Promise<void> => {
    if (waitsFor !== undefined) await clock.passOnPoll(accountKey, waitsFor, `${call.path}?${rawQuery}`)
    const jump = jumpOf(scene)
    if (jump !== undefined) await clock.passBy(accountKey, jump)
  }

  /** The media of a call; where they cannot be had for a fault of the emulator's own, the call is answered with that. */
  const gathered = async (incoming: Incoming, recognised: Recognised): Promise<Omit<Decided, 'outcome'>> => {
    const { accountKey, call } = incoming
    const mentions = mentionsOf(recognised.next)
    if (mentions.length === 0) return { recognised, found: nothingFound }
    try {
      return {
        recognised,
        found: await parts.gather(mentions, accountKey, incoming, attachmentsOf(call.body)),
      }
    } catch (error) {
      const { operation, requestId } = recognised
      const reply = operation?.refuse('internal', causeOf(error), requestId)
      const next = reply === undefined ? recognised.next : asDecision(reply)
      if (!(error instanceof EmulatorError)) parts.onBug(error)
      return { recognised: { ...recognised, next }, found: nothingFound }
    }
  }

  /** Writes a call into the journal, once its answer is known as it went out. */
  const teller =
    (incoming: Incoming, { recognised, found, outcome }: Decided) =>
    (reply: Reply, answered?: Answered, unsent: readonly RefusedBy[] = []): void =>
      parts.recorder.record({
        accountKey: incoming.accountKey,
        at: outcome.now,
        // A live clock has gone on while media were read; the others move for the call itself, and will again.
        begunAt:
          outcome.clock.mode === 'live'
            ? outcome.now - (jumpOf(recognised.scene) ?? 0)
            : recognised.arrivedAt,
        id: recognised.requestId,
        operation: recognised.operation?.id,
        incoming,
        found,
        decision: { ...outcome.decision, reply, notes: withRefusals(outcome.decision.notes, unsent) },
        answered,
        played: outcome.scene,
      })

  return (request: IncomingMessage, response: ServerResponse): Promise<void> =>
    serve(request, response).catch((error) => {
      if (error instanceof ClientGone) return void response.destroy()
      parts.onBug(error)
      if (response.headersSent) return void response.destroy()
      const [operation] = parts.findRoute(request.method ?? '', pathOf(request))?.operations ?? []
      const requestId = strayRequestId()
      const reply = operation?.refuse('internal', causeOf(error), requestId) ?? { status: 500, body: {} }
      sendReply(response, reply, requestId)
    })
}

/** What a decision needs of what came before it. */
interface Decided {
  readonly recognised: Recognised
  readonly found: ReadonlyMap<string, Found>
  readonly outcome: Outcome
}

const withRefusals = (notes: Notes, more: readonly RefusedBy[]): Notes =>
  more.length === 0 ? notes : { ...notes, refusedBy: [...notes.refusedBy, ...more] }

const waits = ({ waitsFor, scene, next }: Recognised): boolean =>
  waitsFor !== undefined || jumpOf(scene) !== undefined || mentionsOf(next).length > 0

const mentionsOf = (next: Recognised['next']): readonly Mention[] => ('mentions' in next ? next.mentions : [])

const jumpOf = (scene: Recognised['scene']): number | undefined => scene.cue?.does.clock?.jump

const attachmentsOf = (body: Body) => (body.kind === 'json' ? (body.attachments ?? []) : [])
