import { EventEmitter } from 'node:events'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Account, openAccount } from './core/account/account.js'
import { drawFor } from './core/account/draw.js'
import type { Events } from './core/events.js'
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
import { createApp } from './server/app.js'
import { type Callbacks, createCallbacks } from './server/callbacks/callbacks.js'
import { createCourier } from './server/callbacks/courier.js'
import { createInbox, type Inbox } from './server/callbacks/inbox.js'
import { createMessageOf } from './server/callbacks/message.js'
import { createPost, type Post } from './server/callbacks/post.js'
import { type ClockDriver, createClockDriver } from './server/clock/driver.js'
import { createControl } from './server/control/router.js'
import { createPerform } from './server/faults/perform.js'
import { createSendHarmed } from './server/faults/send-harmed.js'
import { createWaits, type SetTimer } from './server/faults/waits.js'
import { createFixtures, type Fixtures } from './server/fixtures/fixtures.js'
import { createLargeBodyReader } from './server/http/large-body/reader.js'
import { createRoutes } from './server/http/routes.js'
import { createService } from './server/http/service.js'
import { createRecorder, type Recorder } from './server/journal/recorder.js'
import { createBlobStore } from './server/media/blobs/index.js'
import { createFetchBytes } from './server/media/gather/fetch-bytes.js'
import { createGather } from './server/media/gather/gather.js'
import { createReadAsset } from './server/media/gather/read-asset.js'
import { createReadOwn } from './server/media/gather/read-own.js'
import { createStudio, type Studio } from './server/media/studio/index.js'
import { createDownload } from './server/results/download.js'
import { createResolveResult } from './server/results/results.js'
import { createSendResult } from './server/results/send-result.js'
import { createScenarios, readGiven, type Scenarios } from './server/scenario/scenarios.js'
import { createMemoryStore } from './server/store/memory.js'
import type { Store } from './server/store/store.js'
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
  readonly families: readonly AnyTaskFamily[]
  readonly routes: readonly Route[]
  readonly wall: () => number
  readonly startedAt: number
  readonly app: ReturnType<typeof createApp>
  /** Forgets an account and everything that belongs to it. */
  forget(key: string): Promise<void>
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
}

/**
 * Puts an emulator together with the scenarios that its settings name, before those that it is given.
 * @throws EmulatorError `no-such-file`, `unknown-scenario` or `bad-scenario`
 */
export const openEmulator = async (settings: Settings, outside: Outside = {}): Promise<Emulator> => {
  const named = await readGiven(settings.scenario, catalogue)
  return createEmulator(settings, { ...outside, scenarios: [...named, ...(outside.scenarios ?? [])] })
}

/** Puts an emulator together: every part once, in the order in which they need each other. Nothing listens yet. */
export const createEmulator = (settings: Settings, outside: Outside = {}): Emulator => {
  const wall = outside.wall ?? Date.now
  const onBug = outside.onBug ?? ((error) => console.error(error))
  const secret = drawFor(settings.seed, 'results', 0).hex('secret', 64)
  const folder = settings.mediaFolder ?? join(tmpdir(), `backlot-${process.getuid?.() ?? 'media'}`)

  const events = new EventEmitter<Events>()
  events.setMaxListeners(0)
  const recorder = createRecorder(settings, events)
  const scenarios = createScenarios(catalogue, outside.scenarios ?? [])
  const store = createMemoryStore((key): Account => {
    const account = openAccount(key, settings, openingClock(settings, wall()), scenarios.given)
    recorder.opened(key, openingOf(account))
    return account
  })
  const courier = createCourier({
    store,
    messageOf: createMessageOf({ families: taskFamilies, settings, secret }),
    post: outside.post ?? createPost({ callbackHosts: callbackHostsOf(settings) }),
    timeoutScale: settings.callbackTimeoutScale,
    onBug,
  })
  const clock = createClockDriver({ store, events, courier, wall, onBug })
  const callbacks = createCallbacks({ store, clock, courier, wall })
  const inbox = createInbox({
    store,
    wall,
    most: settings.callbackLogEntries,
    onKept: (account) => events.emit('inbox', { account }),
  })

  const fixtures = createFixtures()
  const blobs = createBlobStore({ folder: join(folder, 'inputs'), maxBytes: settings.inputBytes })
  const studio = createStudio({
    folder: join(folder, 'drawn'),
    maxDiskBytes: settings.mediaDiskBytes,
    maxMemoryBytes: settings.mediaMemoryBytes,
    rendersAtOnce: settings.rendersAtOnce ?? availableParallelism(),
    renderTimeoutMs: settings.renderTimeoutMs,
    readBlob: (hash) => blobs.read(hash),
    ...(settings.ffmpeg === undefined ? {} : { ffmpegPath: settings.ffmpeg }),
  })
  const resolve = createResolveResult(store, secret, wall)
  const gather = createGather({
    settings,
    blobs,
    readOwn: createReadOwn({ fixtures, resolve, studio }),
    readAsset: createReadAsset(store, wall),
    fetchBytes: createFetchBytes({ timeoutMs: 10_000, maxBytes: settings.videoBodyBytes }),
  })

  const largeBodies = createLargeBodyReader()
  const uploads = createUploads({ settings, folder: join(folder, 'uploads'), blobs })
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
  })

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
    families: taskFamilies,
    routes: operations.map(({ route }) => route),
    wall,
    startedAt: wall(),
    forget: async (key) => {
      clock.forget(key)
      callbacks.forget(key)
      inbox.forget(key)
      recorder.forget(key)
      const assets = await store.run(key, (account) => [...account.assets.values()])
      await store.forget(key)
      await uploads.letGo(assets)
    },
    stop: async () => {
      clock.stop()
      callbacks.stop()
      waits.stop()
      await uploads.stop()
      await Promise.all([studio.stop(), blobs.stop(), largeBodies.stop()])
    },
  }
  return { ...emulator, app: createApp({ service, download, control: createControl(emulator) }) }
}

const deadlineOf = ({ family: id, order, createdAt }: Task): Instant | undefined =>
  taskFamilies.find((family) => family.id === id)?.deadline?.(order, createdAt)

// The emulator's own inbox is reached under the public URL.
const callbackHostsOf = ({ callbackHosts, publicUrl }: Settings): readonly string[] =>
  publicUrl === undefined ? callbackHosts : [...callbackHosts, new URL(publicUrl).hostname]

const openingClock = ({ clock, speed, startAt }: Settings, wall: number): ClockState => {
  const begin = startAt === undefined ? (clock === 'live' ? wall : STILL_START) : Date.parse(startAt)
  return { mode: clock, speed, now: begin, wall }
}
