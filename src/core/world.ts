import type { Account } from './account/account.js'
import type { SeededRandom } from './account/draw.js'
import type { QuotaExceeded } from './bounds/bounds.js'
import type { ResolvedMedia } from './media/mention.js'
import type { Settings } from './settings.js'
import type { Task } from './task/task.js'
import type { Instant } from './time/timeline.js'

/** Everything a decision may look at. What is not here cannot influence an answer. */
export interface DecisionContext {
  /** What the account's clock says. */
  readonly now: Instant
  /** To be read, never written: what changes is returned as changes. */
  readonly account: Readonly<Account>
  /** The number of the create that is being decided, from 1; ids are made from it. */
  readonly ordinal: number
  readonly draw: SeededRandom
  readonly settings: Settings
  readonly requestId: string
  /** The scheme and host under which the caller reaches the emulator: what absolute URLs begin with. */
  readonly origin: string
  /** What stands behind a media URL of the body; undefined where the body does not name it. */
  readonly found: (url: string) => ResolvedMedia | undefined
  /** Whether no other account has given this id to something that is asked for without a key. */
  readonly isFree: (id: string) => boolean
  /** Why there is no room for a new task or asset, though all that can go has gone; left out where nothing is counted. */
  readonly shortage?: (of: Task | 'asset') => QuotaExceeded | undefined
  /** The absolute, signed URL of a result. `index` counts the media of the task from 0. */
  readonly resultUrl: (task: Task, index: number, expiresAt: Instant) => string
}
