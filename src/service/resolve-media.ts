import { asDecision } from '../core/contract.js'
import { EmulatorError, explainSystemError } from '../core/errors.js'
import type { ResolvedMedia } from '../core/media/input.js'
import { recordMatch } from '../core/scenario/apply.js'
import type { IdentifiedExchange, ResolvedExchange, ServiceParts } from './exchange.js'
import { matchExchange } from './identify.js'
import { causeOf } from './respond.js'

const noMedia: ReadonlyMap<string, ResolvedMedia> = new Map()

/**
 * Resolves everything for which a call waits before its decision: its clock, where a status query or a scenario moves it, and the
 * facts about the media that its body names.
 */
export const createResolve =
  ({ store, clock, ...parts }: ServiceParts) =>
  async (exchange: IdentifiedExchange): Promise<ResolvedExchange> => {
    const { accountKey, call, rawQuery, nextMoment, clockJumpMs } = exchange
    if (nextMoment !== undefined)
      await clock.advanceOnPoll(accountKey, nextMoment, `${call.path}?${rawQuery}`)
    if (clockJumpMs !== undefined) {
      // A step that moves the clock has acted once it has moved it.
      const recordedMatch = await store.transact(accountKey, (account) =>
        recordMatch(account, matchExchange(account, exchange)),
      )
      await clock.advanceBy(accountKey, clockJumpMs)
      Object.assign(exchange, { recordedMatch })
    }
    return readMedia(exchange, parts)
  }

/** Looks up the facts about the media that a body names; an error of that is the answer. */
export const readMedia = async (
  exchange: IdentifiedExchange,
  {
    resolveMedia,
    health,
    onInternalError,
  }: Pick<ServiceParts, 'resolveMedia' | 'health' | 'onInternalError'>,
): Promise<ResolvedExchange> => {
  const { accountKey, call, prepared, operation } = exchange
  if (prepared.mediaRefs.length === 0) return Object.assign(exchange, { media: noMedia })
  const attachments = call.body.kind === 'json' ? (call.body.attachments ?? []) : []
  try {
    const media = await resolveMedia(prepared.mediaRefs, accountKey, exchange, attachments)
    return Object.assign(exchange, { media })
  } catch (cause) {
    // A fault of the emulator's own is the answer. The media are read and kept by parts that report their own.
    const error = explainSystemError('The media of the request could not be read', cause)
    if (!(error instanceof EmulatorError)) onInternalError(error)
    else if (error !== cause) health.report('inputs', error)
    const decide = ({ requestId }: { readonly requestId: string }) =>
      asDecision(operation?.refuse('internal', causeOf(error), requestId) ?? { status: 500, body: {} })
    return Object.assign(exchange, { media: noMedia, prepared: { mediaRefs: [], decide } })
  }
}
