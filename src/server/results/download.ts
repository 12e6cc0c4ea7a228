import type { Request, Response } from 'express'
import { DEFAULT_KEY } from '../../core/account/account.js'
import { EmulatorError } from '../../core/emulator-error.js'
import type { Served } from '../../core/events.js'
import type { Answered } from '../../core/journal/entry.js'
import type { Reply } from '../../core/operation.js'
import type { RefusedBy } from '../../core/problem.js'
import { inputAbout } from '../../core/scenario/occasion.js'
import { noMatch } from '../../core/scenario/play.js'
import { beginRun } from '../../core/scenario/playing.js'
import type { Scenario } from '../../core/scenario/scenario.js'
import { type CallMatch, matchOn } from '../../core/scenario/scene.js'
import type { Settings } from '../../core/settings.js'
import type { ClockScheduler } from '../clock/driver.js'
import { controlErrorBody } from '../control/control-error.js'
import type { ApplyEffects } from '../faults/perform.js'
import { requestIdOf } from '../http/request-id.js'
import type { JournalStore } from '../journal/recorder.js'
import { requestScenario } from '../scenario/guest.js'
import type { Store } from '../store/store.js'
import { answeredFile } from './answered-file.js'
import { recordDownload } from './record-download.js'
import { refusalOf, refusalXml, statusOf } from './refusal-xml.js'
import { refusedAs, unsentAs } from './refused-by.js'
import type { ResolvedResult, ResolveResult } from './results.js'
import type { SendResult } from './send-result.js'
import { stagedDownload } from './staged-download.js'

export interface DownloadParts {
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
  const serve = async (request: Request, response: Response): Promise<boolean> => {
    const begunAt = performance.now()
    const query = new URLSearchParams(request.url.split('?')[1] ?? '')
    const found = await parts.resolve(request.path, query)
    if (found === undefined) return false
    const guest = await requestScenario(request.headers, parts.scenarioNamed)
    if (guest instanceof EmulatorError) {
      response.status(400).json(controlErrorBody(guest))
      return true
    }
    const { requestId, callMatch } = await begun(parts, found, guest)
    const { matchedStep } = callMatch
    const jump = matchedStep?.does.clock?.jump
    if (jump !== undefined && found.account !== undefined) await parts.clock.advanceBy(found.account, jump)
    const resolved = (jump === undefined ? undefined : await parts.resolve(request.path, query)) ?? found
    response.set({ 'X-Request-Id': requestId, ...openToAll })
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
    if (matchedStep === undefined) await send(resolved, request, response, requestId, tell)
    else
      await parts.applyEffects({
        ...stagedDownload(matchedStep, resolved, requestId),
        raise: () => ({ status: 500, body: {} }),
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
      method: request.method,
      status: response.headersSent ? response.statusCode : 0,
      durationMs: performance.now() - begunAt,
    })
    return true
  }

  const send = async (
    resolved: ResolvedResult,
    request: Request,
    response: Response,
    requestId: string,
    tell: Tell,
  ): Promise<void> => {
    if (resolved.state !== 'there') {
      const answered = sendRefusal(response, refusalOf(resolved.state), requestId)
      return tell({ status: response.statusCode, body: undefined }, answered)
    }
    const instead = await parts.sendResult(resolved.spec, request, response)
    const { statusCode: status } = response
    const unsent = unsentAs('results', status, request.headers, response.getHeaders())
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
  return store.run(account, (owner) => {
    owner.requests += 1
    const requestId = requestIdOf(settings.seed, owner.tag, owner.requests)
    const playing = guest === undefined ? undefined : beginRun(guest, settings.seed, now)
    if (playing === undefined && owner.playing.length === 0) return { requestId, callMatch: noMatch }
    const about = { operation: 'results.download' }
    return {
      requestId,
      callMatch: matchOn(owner, inputAbout(owner.tasks.get(taskId), owner, now, about), playing),
    }
  })
}

const sendRefusal = (response: Response, state: 'denied' | 'gone', requestId: string): Answered => {
  const { status, body } = refusalXml(state, requestId)
  response.status(status).type('application/xml').send(body)
  return { text: body, headers: { 'Content-Type': String(response.get('content-type')) } }
}
