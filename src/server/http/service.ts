import type { Request, Response } from 'express'
import type { Answered } from '../../core/journal/entry.js'
import type { Found } from '../../core/media/mention.js'
import type { MediaSpec } from '../../core/media/spec.js'
import type { Body, Reply } from '../../core/operation.js'
import type { Refusal } from '../../core/problem.js'
import type { Scenario } from '../../core/scenario/scenario.js'
import type { ClockDriver } from '../clock/driver.js'
import type { Perform } from '../faults/perform.js'
import type { Recorder } from '../journal/recorder.js'
import type { Gather } from '../media/gather/gather.js'
import { answeredFile } from '../results/answered-file.js'
import type { SendResult } from '../results/send-result.js'
import { guestOf } from '../scenario/guest.js'
import { createDecide, type DecideParts, type Outcome } from './decide.js'
import { createReadIncoming, type Incoming, type IncomingParts } from './incoming.js'
import { ClientGone } from './read-body.js'
import { createRecognise, type Recognised } from './recognise.js'
import { sendReply } from './send-reply.js'

export interface ServiceParts extends IncomingParts, DecideParts {
  readonly clock: ClockDriver
  readonly recorder: Recorder
  readonly sendResult: SendResult
  readonly gather: Gather
  /** @throws EmulatorError `unknown-scenario` */
  readonly scenarioNamed: (name: string) => Promise<Scenario>
  readonly perform: Perform
  /** Resolves when no callback of an account is on its way. */
  readonly callbacksLanded: (key: string) => Promise<void>
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

  const serve = async (request: Request, response: Response): Promise<void> => {
    const incoming = await readIncoming(request)
    const { accountKey, call } = incoming
    const guest = await guestOf(request.headers, parts.scenarioNamed)
    const recognised = await store.run(accountKey, (account) => recognise(account, incoming, guest))
    await moveClock(accountKey, recognised)
    const found = await gathered(incoming, recognised)
    const outcome = await store.run(accountKey, (account, owners) =>
      decide(account, owners, incoming, recognised, found),
    )
    clock.noticed(accountKey, outcome.happenings, outcome.nextAt, outcome.clock)
    await uploads.conclude(call.body, outcome.decision.changes)
    if (outcome.isOvertaken) await parts.callbacksLanded(accountKey)
    await answer(request, response, recognised, outcome, teller(incoming, recognised, found, outcome))
  }

  /** Where a status query or a scenario wants it to be. */
  const moveClock = async (accountKey: string, { waitsFor, scene }: Recognised): Promise<void> => {
    if (waitsFor !== undefined) await clock.passOnPoll(accountKey, waitsFor)
    const jump = jumpOf(scene)
    if (jump !== undefined) await clock.passBy(accountKey, jump)
  }

  const gathered = async ({ accountKey, origin, call }: Incoming, { next }: Recognised) =>
    'mentions' in next && next.mentions.length > 0
      ? parts.gather(next.mentions, accountKey, origin, attachmentsOf(call.body))
      : nothingFound

  /** Writes a call into the journal, once its answer is known as it went out. */
  const teller =
    (incoming: Incoming, recognised: Recognised, found: ReadonlyMap<string, Found>, outcome: Outcome) =>
    (reply: Reply, answered?: Answered): void =>
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
        decision: { ...outcome.decision, reply },
        answered,
        played: outcome.scene.outcome,
      })

  const answer = async (
    request: Request,
    response: Response,
    { operation, requestId }: Recognised,
    { decision, scene }: Outcome,
    tell: (reply: Reply, answered?: Answered) => void,
  ): Promise<void> => {
    const { cue } = scene.outcome
    if (cue === undefined || operation === undefined) {
      const { reply } = decision
      if (reply.result !== undefined) return sendFile(request, response, reply, reply.result, requestId, tell)
      // Before it is sent, so that whoever has the answer finds the call in the journal and in a recording.
      tell(reply)
      return sendReply(response, reply, requestId)
    }
    const raise = (error: string, refusal: Omit<Refusal, 'error'>) =>
      operation.raise(error, refusal, requestId)
    return parts.perform({ cue, decided: decision.reply, raise, requestId, request, response, tell })
  }

  /** Sends a result and tells of it as it went out: it can turn out to be a range, or not to be had. */
  const sendFile = async (
    request: Request,
    response: Response,
    reply: Reply,
    result: MediaSpec,
    requestId: string,
    tell: (reply: Reply, answered?: Answered) => void,
  ): Promise<void> => {
    response.set('X-Request-Id', requestId)
    await parts.sendResult(result, request, response)
    tell({ ...reply, status: response.statusCode }, answeredFile(response))
  }

  return (request: Request, response: Response): Promise<void> =>
    serve(request, response).catch((error) => {
      if (!(error instanceof ClientGone)) parts.onBug(error)
      response.destroy()
    })
}

const jumpOf = (scene: Recognised['scene']): number | undefined => scene.outcome.cue?.does.clock?.jump

const attachmentsOf = (body: Body) => (body.kind === 'json' ? (body.attachments ?? []) : [])
