import type { Settings } from '../core/settings.js'
import { catalogue } from '../families/catalogue.js'
import { operations, taskFamilies } from '../families/index.js'
import { createApp } from '../server/app.js'
import { createGate } from '../server/bounds/gate.js'
import { createDnsRebindingCheck } from '../server/http/rebound-page.js'
import { noPersistence, type Persistence } from '../server/state/keeping.js'
import { createSnapshots } from '../server/state/snapshots.js'
import { createAccounts } from './accounts.js'
import { createAnswering } from './answering.js'
import { createChanges, createStop } from './changes.js'
import type { Emulator } from './emulator.js'
import { createGround } from './ground.js'
import { createMedia } from './media.js'
import type { EmulatorDependencies } from './outside.js'

/**
 * Puts an emulator together: every part once, in the order in which they need each other. Nothing listens yet.
 * @param keeping what has accounts outlive the process; left out, nothing does, whatever the settings say
 */
export const createEmulator = (
  given: Settings,
  outside: EmulatorDependencies = {},
  persistence: Persistence = noPersistence,
): Emulator => {
  const ground = createGround(given, outside, persistence)
  const accounts = createAccounts(ground, outside, (assets) => media.uploads.letGo(assets))
  const media = createMedia(ground, accounts.store)
  const answering = createAnswering(ground, outside, accounts, media)

  const { settings, bounds, wall } = ground
  const { store } = accounts
  const { fixtures, blobs, renderer, uploads } = media
  const { startedAt, metrics, service, download } = answering
  const emulator: Omit<Emulator, 'app'> = {
    settings,
    store,
    clock: accounts.clock,
    journals: accounts.journals,
    callbacks: accounts.callbacks,
    inbox: accounts.inbox,
    renderer,
    fixtures,
    scenarios: accounts.scenarios,
    events: ground.events,
    bounds,
    metrics,
    waiting: createGate('waits', settings.waitsAtOnce, bounds),
    troubles: ground.troubles,
    families: taskFamilies,
    operations,
    routes: operations.map(({ route }) => route),
    catalogue,
    wall,
    startedAt,
    madeToken: ground.madeToken,
    persistence,
    snapshots: createSnapshots({ store, uploads, most: settings.snapshotsMost, bounds, wall }),
    blobs,
    ...createChanges(ground, outside, accounts, media),
    stop: createStop(ground, accounts, media, answering),
  }
  const isDnsRebinding = createDnsRebindingCheck(settings)
  return { ...emulator, app: createApp({ service, download, controlled: emulator, isDnsRebinding }) }
}
