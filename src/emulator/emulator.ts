import type { EventEmitter } from 'node:events'
import type { Account } from '../core/account/account.js'
import type { Events } from '../core/events.js'
import type { Operation, Route } from '../core/operation.js'
import type { Catalogue } from '../core/scenario/check/catalogue.js'
import type { Settings } from '../core/settings.js'
import type { AnyTaskFamily } from '../core/task/family.js'
import type { App } from '../server/app.js'
import type { Quotas } from '../server/bounds/bounds.js'
import type { Gate } from '../server/bounds/gate.js'
import type { Callbacks } from '../server/callbacks/callbacks.js'
import type { Inbox } from '../server/callbacks/inbox.js'
import type { ClockScheduler } from '../server/clock/driver.js'
import type { Fixtures } from '../server/fixtures/fixtures.js'
import type { JournalStore } from '../server/journal/recorder.js'
import type { BlobStore } from '../server/media/blobs/index.js'
import type { Renderer } from '../server/media/studio/index.js'
import type { Metrics } from '../server/metrics/metrics.js'
import type { Scenarios } from '../server/scenario/scenarios.js'
import type { Persistence } from '../server/state/keeping.js'
import type { Snapshots } from '../server/state/snapshots.js'
import type { Store } from '../server/store/store.js'
import type { HealthIssues } from '../server/troubles.js'

/** Every part of a running emulator, for those who drive it: the control API, the command line, the package. */
export interface Emulator {
  readonly settings: Settings
  readonly store: Store
  readonly clock: ClockScheduler
  readonly journals: JournalStore
  readonly callbacks: Callbacks
  readonly inbox: Inbox
  readonly renderer: Renderer
  readonly fixtures: Fixtures
  readonly scenarios: Scenarios
  readonly events: EventEmitter<Events>
  readonly bounds: Quotas
  readonly metrics: Metrics
  /** Lets calls of `/_backlot/wait` in. */
  readonly waiting: Gate
  readonly troubles: HealthIssues
  readonly families: readonly AnyTaskFamily[]
  /** Everything that clients can do. */
  readonly operations: readonly Operation[]
  readonly routes: readonly Route[]
  /** Every name that scenarios and filters may use. */
  readonly catalogue: Catalogue
  readonly wall: () => number
  readonly startedAt: number
  /** The control token, where one was made because none was given and it listens beyond loopback. */
  readonly madeToken: string | undefined
  readonly app: App
  /** What has accounts outlive the process. */
  readonly persistence: Persistence
  readonly snapshots: Snapshots
  /** Takes in the files of assets that come from elsewhere, and gives out those that there are. */
  readonly blobs: BlobStore
  /** Puts an account in the place of the one under its key: what was under way for that ends, and its journal begins anew. */
  replace(account: Account): Promise<void>
  /** Forgets an account and everything that belongs to it. */
  forget(key: string): Promise<void>
  /** Takes up what a state file has kept: from now on clocks go on, and callbacks that are due are sent. */
  resume(url: string): Promise<void>
  stop(): Promise<void>
}
