import { SeededRandom } from '../core/account/random.js'
import type { DecisionContext, Handshake } from '../core/contract.js'
import type { ResolvedMedia } from '../core/media/input.js'
import { extensionOf } from '../core/media/spec.js'
import type { Account } from '../core/model/account.js'
import { mediaOf, type Task } from '../core/model/task.js'
import type { AccountQuotas } from '../core/quotas.js'
import { expiryOf, resultPathOf } from '../core/result.js'
import { type Instant, lastOf } from '../core/schedule/time.js'
import type { Settings } from '../core/settings.js'
import type { Store } from './store.js'

interface ContextParts {
  readonly settings: Settings
  readonly secret: string
  /** What absolute URLs begin with. */
  readonly origin: string
  readonly requestId: string
  readonly media: ReadonlyMap<string, ResolvedMedia>
  /** Undefined where the call makes nothing. */
  readonly store?: Pick<Store, 'isFree'>
  /** Undefined where the call makes nothing, or there is always room. */
  readonly accountQuotas?: Pick<AccountQuotas, 'shortageOf'> | undefined
  readonly handshake?: Handshake | undefined
}

/** Decision context: an account at an instant, with what a decision may use. */
export const decisionContextOf = (account: Account, now: Instant, source: ContextParts): DecisionContext => {
  const { settings, secret, origin, requestId, media, store, accountQuotas, handshake } = source
  const sequence = account.sequence + 1
  return {
    now,
    account,
    sequence,
    random: new SeededRandom(settings.seed, account.id, sequence),
    settings,
    requestId,
    origin,
    resolvedMedia: (url) => media.get(url),
    quotaExceeded: (what) => accountQuotas?.shortageOf(what, account),
    handshake,
    isFree: (id) => store?.isFree(id) ?? true,
    resultUrl: (task, index, expiresAt) => origin + resultPath(task, account.id, index, expiresAt, secret),
  }
}

/** Signed path and query of a result. */
export const resultPath = (
  task: Task,
  accountId: string,
  index: number,
  expiresAt: Instant,
  secret: string,
): string => {
  const spec = mediaOf(lastOf(task.timeline).value)[index]
  const extension = spec === undefined ? 'mp4' : extensionOf(spec)
  return resultPathOf({ accountId, taskId: task.id, index, extension, expires: expiryOf(expiresAt) }, secret)
}
