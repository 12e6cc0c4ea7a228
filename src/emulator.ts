import { EventEmitter } from 'node:events'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { type Account, openAccount } from './core/account/account.js'
import { nextDue } from './core/account/settle.js'
import type { Asset } from './core/asset/asset.js'
import { isPast } from './core/bounds/past.js'
import type { Events, Served } from './core/events.js'
import { openingOf } from './core/journal/control.js'
import type { Route } from './core/operation.js'
import type { Scenario } from './core/scenario/scenario.js'
import type { Settings } from './core/settings.js'
import type { AnyTaskFamily } from './core/task/family.js'
import type { Task } from './core/task/task.js'
import type { ClockState } from './core/time/clock.js'
import type { Instant } from './core/time/timeline.js'
import { catalogue } from './families/catalogue.js'
import { operations, taskFamilies } from './families/index.js'
import { type App, createApp } from './server/app.js'
import { type Bounds, createBounds } from './server/bounds/bounds.js'
import { createCensus } from './server/bounds/census.js'
import { createGate, type Gate } from './server/bounds/gate.js'
import { mediaMayComeFrom } from './server/callbacks/address.js'
import { type Callbacks, createCallbacks } from './server/callbacks/callbacks.js'
import { createCourier } from './server/callbacks/courier.js'
import { createInbox, type Inbox } from './server/callbacks/inbox.js'
import { createMessageOf } from './server/callbacks/message.js'
import { createPost, type Post } from './server/callbacks/post.js'
import { type ClockDriver, createClockDriver } from './server/clock/driver.js'
import { steadyWall } from './server/clock/steady-wall.js'
import { madeTokenFor } from './server/control/token.js'
import { createPerform } from './server/faults/perform.js'
import { createSendHarmed } from './server/faults/send-harmed.js'
import { createWaits, type SetTimer } from './server/faults/waits.js'
import { createFixtures, type Fixtures } from './server/fixtures/fixtures.js'
import { createLargeBodyReader } from './server/http/large-body/reader.js'
import { reboundPages } from './server/http/rebound-page.js'
import { createRoutes } from './server/http/routes.js'
import { createService } from './server/http/service.js'
import { createRecorder, type Recorder } from './server/journal/recorder.js'
import { type BlobStore, createBlobStore } from './server/media/blobs/index.js'
import { createFetchBytes } from './server/media/gather/fetch-bytes.js'
import { createGather } from './server/media/gather/gather.js'
import { createReadAsset } from './server/media/gather/read-asset.js'
import { createReadOwn } from './server/media/gather/read-own.js'
import { createStudio, type Studio } from './server/media/studio/index.js'
import { temporaryFolder } from './server/media/temporary-folder.js'
import { createMetrics, type Metrics } from './server/metrics/metrics.js'
import { createDownload } from './server/results/download.js'
import { createResolveResult } from './server/results/results.js'
import { createSendResult } from './server/results/send-result.js'
import { signingSecretOf } from './server/results/signing-secret.js'
import { createScenarios, readGiven, type Scenarios } from './server/scenario/scenarios.js'
import { type Keeping, keepingNothing } from './server/state/keeping.js'
import { createSnapshots, type Snapshots } from './server/state/snapshots.js'
import { createMemoryStore } from './server/store/memory.js'
import type { Store } from './server/store/store.js'
import { createTroubles, type Troubles } from './server/troubles.js'
import { createUploads } from './server/uploads/uploads.js'

/** Where paused and on-poll clocks begin, so that ids and dates repeat. */
const STILL_START = Date.UTC(2026, 0, 1)

/** Every part of a running emulator, for those who drive it: the control API, the command line, the package. */
export interface Emulator {
  readonly settings: Settings
  readonly store: Store
  readonly clock: ClockDriver
  readonly recorder: Recorder
  readonly callbacks: Callbacks
  readonly inbox: Inbox
  readonly studio: Studio
  readonly fixtures: Fixtures
  readonly scenarios: Scenarios
  readonly events: EventEmitter<Events>
  readonly bounds: Bounds
  readonly metrics: Metrics
  /** Lets calls of `/_backlot/wait` in. */
  readonly waiting: Gate
  readonly troubles: Troubles
  readonly families: readonly AnyTaskFamily[]
  readonly routes: readonly Route[]
  readonly wall: () => number
  readonly startedAt: number
  /** The control token, where one was made because none was given and it listens beyond loopback. */
  readonly madeToken: string | undefined
  readonly app: App
  /** What has accounts outlive the process. */
  readonly keeping: Keeping
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

export interface Outside {
  /** Takes callbacks to their receivers; left out, over the network. */
  readonly post?: Post
  /** Milliseconds since 1970; the one place from which the emulator learns what time it is. */
  readonly wall?: () => number
  /** Times the delays of scenarios; left out, by real time. */
  readonly setTimer?: SetTimer
  /** Those that play for every account from its start on, the first to be asked first. */
  readonly scenarios?: readonly Scenario[]
  /** Told of what should never happen. */
  readonly onBug?: (error: unknown) => void
  /** Told in a sentence of what the user should know and need not mend; left out, it is written to standard error. */
  readonly onNotice?: (sentence: string) => void
}

/**
 * Puts an emulator together with the scenarios that its settings name, before those that it is given.
 * @throws EmulatorError `no-such-file`, `unknown-scenario`, `bad-scenario` or `cannot-log`; of a state file `state-held`,
 * `bad-state`, `other-seed` or `state-unusable`
 */
export const openEmulator = async (settings: Settings, given: Outside = {}): Promise<Emulator> => {
  const named = await readGiven(settings.scenario, catalogue)
  const scenarios = [...named, ...(given.scenarios ?? [])]
  const outside = { ...given, wall: steadyWall(given.wall ?? Date.now), scenarios }
  const emulator = createEmulator(settings, outside, await keepingFor(settings, outside))
  if (settings.logFile === undefined) return emulator
  const { logged } = await import('./server/log/logged.js')
  return logged(emulator, settings.logFile).catch(async (error) => {
    // What it holds (a state file) is to be free again.
    await emulator.stop()
    throw error
  })
}

// Loaded for those who want it, since it is a good part of the whole.
const keepingFor = async (
  settings: Settings,
  { wall, scenarios, onNotice = tellNotice }: Outside & Pick<Required<Outside>, 'wall' | 'scenarios'>,
): Promise<Keeping> => {
  if (settings.state === undefined) return keepingNothing
  const { openState } = await import('./server/state/open-state.js')
  return openState(settings.state, { settings, given: scenarios, wall, notify: onNotice })
}

const tellNotice = (sentence: string): void => {
  process.stderr.write(`backlot: ${sentence}\n`)
}

/**
 * Puts an emulator together: every part once, in the order in which they need each other. Nothing listens yet.
 * @param keeping what has accounts outlive the process; left out, nothing does, whatever the settings say
 */
export const createEmulator = (
  given: Settings,
  outside: Outside = {},
  keeping: Keeping = keepingNothing,
): Emulator => {
  const madeToken = madeTokenFor(given)
  const settings = madeToken === undefined ? given : { ...given, controlToken: madeToken }
  const wall = steadyWall(outside.wall ?? Date.now)
  const tell = outside.onNotice ?? tellNotice
  const tellBug = outside.onBug ?? ((error) => console.error(error))
  const secret = keeping.secret ?? signingSecretOf(settings)
  const folder = settings.mediaFolder ?? temporaryFolder()

  const events = new EventEmitter<Events>()
  events.setMaxListeners(0)
  const onBug = (error: unknown): void => {
    events.emit('bug', error)
    tellBug(error)
  }
  const rendersAtOnce = settings.rendersAtOnce ?? availableParallelism()
  const bounds = createBounds(settings, events, { renders: rendersAtOnce })
  const census = createCensus({ settings, bounds, wall, isPast: isPastTask })
  const troubles = createTroubles(events)
  const recorder = createRecorder(settings, events, bounds)
  for (const account of keeping.accounts) recorder.opened(account.key, openingOf(account))
  keeping.reportTo(troubles)
  const scenarios = createScenarios(catalogue, outside.scenarios ?? [])
  const openNew = (key: string): Account => {
    const account = openAccount(key, settings, openingClock(settings, wall()), scenarios.given)
    recorder.opened(key, openingOf(account))
    return account
  }
  const store = createMemoryStore(openNew, {
    census,
    keeping,
    onLeft: ({ key, assets }) => {
      forgetBesides(key)
      void uploads.letGo(assets.values()).catch(onBug)
    },
  })
  const courier = createCourier({
    store,
    messageOf: createMessageOf({ families: taskFamilies, settings, secret }),
    post: outside.post ?? createPost({ callbackHosts: callbackHostsOf(settings) }),
    timeoutScale: settings.callbackTimeoutScale,
    atOnce: settings.callbacksAtOnce,
    bounds,
    onBug,
  })
  const clock = createClockDriver({ store, events, courier, wall, onBug })
  const callbacks = createCallbacks({ store, clock, courier, wall })
  const inbox = createInbox({
    store,
    wall,
    most: settings.callbackLogEntries,
    mostBytes: settings.inboxBytes,
    bounds,
    onKept: (account) => events.emit('inbox', { account }),
  })

  const fixtures = createFixtures()
  const blobs = createBlobStore({
    folder: keeping.mediaFolder ?? join(folder, 'inputs'),
    isKept: keeping.mediaFolder !== undefined,
    maxBytes: settings.inputBytes,
    bounds,
    troubles,
  })
  const studio = createStudio({
    folder: join(folder, 'drawn'),
    maxDiskBytes: settings.mediaDiskBytes,
    maxMemoryBytes: settings.mediaMemoryBytes,
    rendersAtOnce,
    rendersWaiting: settings.rendersWaiting,
    bounds,
    renderTimeoutMs: settings.renderTimeoutMs,
    readBlob: (hash) => blobs.read(hash),
    troubles,
    ...(settings.ffmpeg === undefined ? {} : { ffmpegPath: settings.ffmpeg }),
  })
  const resolve = createResolveResult(store, secret, wall)
  const gather = createGather({
    settings,
    blobs,
    readOwn: createReadOwn({ fixtures, resolve, studio }),
    readAsset: createReadAsset(store, wall),
    fetchBytes: createFetchBytes({
      timeoutMs: 10_000,
      maxBytes: settings.videoBodyBytes,
      mayConnect: mediaMayComeFrom[settings.fetchMedia],
    }),
  })

  const largeBodies = createLargeBodyReader(troubles)
  const uploads = createUploads({ settings, folder: join(folder, 'uploads'), blobs, bounds })
  const startedAt = wall()
  const metrics = createMetrics({ events, store, studio, bounds, wall, startedAt })
  const onServed = (call: Served): void => {
    metrics.served(call)
    if (events.listenerCount('served') > 0) events.emit('served', call)
  }
  const findRoute = createRoutes(operations)
  const sendResult = createSendResult({ studio, onBug })
  const waits = createWaits(outside.setTimer)
  const perform = createPerform({ waits, sendHarmed: createSendHarmed({ studio, sendResult, waits }) })
  const service = createService({
    settings,
    secret,
    findRoute,
    store,
    clock,
    recorder,
    sendResult,
    gather,
    largeBodies,
    uploads,
    scenarioNamed: scenarios.named,
    deadlineOf,
    perform,
    callbacksLanded: callbacks.idle,
    census,
    bounds,
    onServed,
    wall,
    onBug,
  })
  const download = createDownload({
    settings,
    store,
    clock,
    resolve,
    sendResult,
    scenarioNamed: scenarios.named,
    perform,
    recorder,
    onServed,
  })

  /** Everything that is kept of an account outside of it. */
  const forgetBesides = (key: string): void => {
    clock.forget(key)
    callbacks.forget(key)
    inbox.forget(key)
    recorder.forget(key)
  }

  const emulator: Omit<Emulator, 'app'> = {
    settings,
    store,
    clock,
    recorder,
    callbacks,
    inbox,
    studio,
    fixtures,
    scenarios,
    events,
    bounds,
    metrics,
    waiting: createGate('waits', settings.waitsAtOnce, bounds),
    troubles,
    families: taskFamilies,
    routes: operations.map(({ route }) => route),
    wall,
    startedAt,
    madeToken,
    keeping,
    snapshots: createSnapshots({ store, uploads, most: settings.snapshotsMost, bounds, wall }),
    blobs,
    replace: async (account) => {
      await uploads.hold(account.assets.values())
      forgetBesides(account.key)
      const before = await store.put(account)
      recorder.opened(account.key, openingOf(account))
      if (before !== undefined) await uploads.letGo(before.assets.values())
      clock.noticed(account.key, [], nextDue(account), account.clock)
    },
    forget: async (key) => {
      forgetBesides(key)
      const assets = await store.run(key, (account) => [...account.assets.values()])
      await store.forget(key)
      await uploads.letGo(assets)
    },
    resume: async (url) => {
      await keeping.listening(url)
      const missing = await uploads.hold(keeping.accounts.flatMap(({ assets }) => [...assets.values()]))
      if (missing.length > 0) tell(filesAreMissing(missing, keeping.mediaFolder))
      for (const { key } of keeping.accounts)
        await store.run(key, (account) => clock.noticed(key, [], nextDue(account), account.clock))
    },
    stop: async () => {
      metrics.stop()
      clock.stop()
      callbacks.stop()
      waits.stop()
      await uploads.stop()
      await Promise.all([studio.stop(), blobs.stop(), largeBodies.stop(), keeping.stop()])
    },
  }
  return {
    ...emulator,
    app: createApp({
      service,
      download,
      controlled: emulator,
      isReboundPage: reboundPages(settings),
    }),
  }
}

const filesAreMissing = (assets: readonly Asset[], folder: string | undefined): string =>
  `The folder ${folder} lacks the files of ${assets.length === 1 ? 'an asset' : `${assets.length} assets`}: ${assets.map(({ id }) => id).join(', ')}. Results cannot show them.`

const deadlineOf = ({ family: id, order, createdAt }: Task): Instant | undefined =>
  taskFamilies.find((family) => family.id === id)?.deadline?.(order, createdAt)

const isPastTask = (task: Task, now: Instant): boolean => {
  const family = taskFamilies.find(({ id }) => id === task.family)
  return family !== undefined && isPast(family, task, now)
}

// The emulator's own inbox is reached under the public URL.
const callbackHostsOf = ({ callbackHosts, publicUrl }: Settings): readonly string[] =>
  publicUrl === undefined ? callbackHosts : [...callbackHosts, new URL(publicUrl).hostname]

const openingClock = ({ clock, speed, startAt }: Settings, wall: number): ClockState => {
  const begin = startAt === undefined ? (clock === 'live' ? wall : STILL_START) : Date.parse(startAt)
  return { mode: clock, speed, now: begin, wall }
}
