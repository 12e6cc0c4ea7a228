import { randomUUID } from 'node:crypto'
import { EventEmitter } from 'node:events'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { createAccountQuotas } from './accounts/account-quotas.js'
import { type ClockScheduler, createClockScheduler } from './accounts/clock.js'
import { resultPath } from './accounts/decision-context.js'
import { createJournalStore, type JournalStore } from './accounts/journals.js'
import type { Persistence } from './accounts/persistence/port.js'
import { copyAccount } from './accounts/persistence/resume-account.js'
import type { SharedPersistence } from './accounts/persistence/shared.js'
import { createSnapshots, type Snapshots } from './accounts/persistence/snapshots.js'
import { createGate, createQuotas, type Gate, type Quotas } from './accounts/quotas.js'
import { signingSecretOf } from './accounts/signing-secret.js'
import { createStore, type Store } from './accounts/store.js'
import { monotonicNow } from './accounts/wake-timer.js'
import { type Callbacks, createCallbacks } from './callbacks/callbacks.js'
import { createCallbackDispatcher, MAX_ATTEMPT_MS } from './callbacks/dispatcher.js'
import { type CallbackHttpClient, createCallbackHttpClient } from './callbacks/http-client.js'
import { createInbox, type Inbox } from './callbacks/inbox.js'
import { createCallbackBodyOf } from './callbacks/message.js'
import type { ControlContext } from './control/context.js'
import { generateControlToken } from './control/guard.js'
import { createControlPorts } from './control-ports.js'
import { openAccount } from './core/account/account.js'
import { accountIdOf } from './core/account/account-id.js'
import type { AnyTaskFamily, Operation } from './core/contract.js'
import { EmulatorError } from './core/errors.js'
import type { Events, Served } from './core/events.js'
import { initialStateOf } from './core/journal/entry.js'
import type { Account } from './core/model/account.js'
import type { Asset } from './core/model/asset.js'
import type { FormFile, Route } from './core/model/call.js'
import { shownCallback } from './core/model/callback.js'
import type { AccountEvent, Effects } from './core/model/event.js'
import type { Task } from './core/model/task.js'
import type { Scenario } from './core/scenario/schema.js'
import type { Catalogue } from './core/scenario/selector.js'
import type { ClockState } from './core/schedule/clock.js'
import type { Instant } from './core/schedule/timeline.js'
import type { Settings } from './core/settings.js'
import {
  callbackTaskIdPaths,
  catalogue,
  checkParams,
  exposureOf,
  mediaKeys,
  operations,
  taskFamilies,
} from './families/index.js'
import { type BlobStore, createBlobStore } from './media/files/blob-store.js'
import { createSharedBlobs } from './media/files/shared-blobs.js'
import { defaultMediaFolder } from './media/files/temporary-folders.js'
import { createFixtures, type Fixtures } from './media/fixtures.js'
import { createRenderer, type Renderer } from './media/render/renderer.js'
import { createMediaFetcher } from './media/resolve/fetch-media.js'
import { createOwnMediaReader } from './media/resolve/own-media.js'
import { createAssetReader, createMediaResolver, type ResolveMedia } from './media/resolve/resolve-media.js'
import { createUploads } from './media/uploads/uploads.js'
import { mediaConnectPolicies } from './net/address-guard.js'
import { createHostCheck } from './net/host-check.js'
import { createHealthIssues, type HealthIssues } from './observability/health.js'
import { createMetrics, type Metrics } from './observability/metrics.js'
import { createScenarios, readGiven, type Scenarios } from './scenarios/library.js'
import { type App, createApp } from './service/app.js'
import { createCors } from './service/cors.js'
import { createDryRun } from './service/dry-run.js'
import { createApplyEffects } from './service/effects/apply.js'
import { createDelays, type SetTimer } from './service/effects/transmit.js'
import { createSendResult } from './service/files.js'
import { createLargeBodyReader } from './service/large-body/reader.js'
import { createService } from './service/pipeline.js'
import { createResultLookup } from './service/results.js'

/** Dependencies of an emulator that a test can replace. */
export interface EmulatorDependencies {
  /** HTTP client that sends callbacks; default: over the network. */
  readonly post?: CallbackHttpClient
  /** Milliseconds since 1970; the one place from which the emulator learns what time it is. */
  readonly systemNow?: () => number
  /** Timer for the delays of scenarios; default: real time. */
  readonly setTimer?: SetTimer
  /** Those that play for every account from its start on, the first to be asked first. */
  readonly scenarios?: readonly Scenario[]
  /** Decorates what resolves the media of request bodies. */
  readonly wrapMediaResolver?: (resolve: ResolveMedia) => ResolveMedia
  /** Replaces the facts of an uploaded file. */
  readonly inspectUpload?: (file: FormFile) => FormFile
  /** Told of what should never happen. */
  readonly onInternalError?: (error: unknown) => void
  /** Receives warnings, one sentence each; default: written to standard error. */
  readonly onWarning?: (sentence: string) => void
  /** Folder of a sweep's run, which says what to play and takes what is seen; default: `BACKLOT_SWEEP`. */
  readonly sweep?: string | undefined
}

/** Writes a warning to standard error; standard output is reserved for programs that read it. */
const writeWarning = (sentence: string): void => {
  process.stderr.write(`backlot: ${sentence}\n`)
}

/** What every part stands on: the settings and the time, and where it is told what happens and how full things are. */
interface EmulatorContext {
  /** As given, with a control token where one had to be made. */
  readonly settings: Settings
  readonly madeToken: string | undefined
  /** Undefined: nothing outlives the process. */
  readonly persistence: Persistence | SharedPersistence | undefined
  /** What signs result URLs. */
  readonly secret: string
  readonly systemNow: () => number
  readonly events: EventEmitter<Events>
  readonly bounds: Quotas
  readonly health: HealthIssues
  readonly rendersAtOnce: number
  /** Told of what should never happen. */
  readonly onInternalError: (error: unknown) => void
}

const createEmulatorContext = (
  given: Settings,
  outside: EmulatorDependencies,
  persistence: Persistence | SharedPersistence | undefined,
): EmulatorContext => {
  const madeToken =
    given.controlToken === undefined && persistence?.shared !== undefined
      ? persistence.shared.controlToken
      : generateControlToken(given)
  const settings = madeToken === undefined ? given : { ...given, controlToken: madeToken }
  const tellBug = outside.onInternalError ?? ((error) => console.error(error))
  const rendersAtOnce = settings.rendersAtOnce ?? availableParallelism()
  const events = new EventEmitter<Events>()
  events.setMaxListeners(0)
  return {
    settings,
    madeToken,
    persistence,
    secret: persistence?.secret ?? signingSecretOf(settings),
    systemNow: persistence?.shared?.now ?? monotonicNow(outside.systemNow ?? Date.now),
    events,
    bounds: createQuotas(settings, events, { renders: rendersAtOnce }),
    health: createHealthIssues(events),
    rendersAtOnce,
    onInternalError: (error) => {
      events.emit('bug', error)
      tellBug(error)
    },
  }
}

/** What follows accounts through time: their clocks, the callbacks that fall due, and the inbox that takes some in. */
const createFollowers = (context: EmulatorContext, outside: EmulatorDependencies, store: Store) => {
  const { settings, secret, events, bounds, systemNow, onInternalError } = context
  const dispatcher = createCallbackDispatcher({
    store,
    bodyOf: createCallbackBodyOf({ families: taskFamilies, settings, secret }),
    httpClient: outside.post ?? createCallbackHttpClient({ callbackHosts: callbackHostsOf(settings) }),
    timeoutScale: settings.callbackTimeoutScale,
    maxInFlight: settings.callbacksAtOnce,
    quotas: bounds,
    onInternalError,
  })
  const clock = createClockScheduler({ store, inFlight: dispatcher, systemNow: systemNow })
  const inbox = createInbox({
    taskIdPaths: callbackTaskIdPaths,
    store,
    most: settings.callbackLogEntries,
    maxBytes: settings.inboxBytes,
    bounds,
    onKept: (account, name) => events.emit('inbox', { account, name }),
  })
  return { clock, dispatcher, callbacks: createCallbacks(store, dispatcher), inbox }
}

// The emulator's own inbox is reached under the public URL.
const callbackHostsOf = ({ callbackHosts, publicUrl }: Settings): readonly string[] =>
  publicUrl === undefined ? callbackHosts : [...callbackHosts, new URL(publicUrl).hostname]

/** Where paused and on-poll clocks begin, so that ids and dates repeat. */
const STILL_START = Date.UTC(2026, 0, 1)

/** The accounts, what is written down of them, and what follows them through time. */
type Accounts = ReturnType<typeof createAccounts>

/** @param letGo unpins the files of assets, once the account that had them is gone */
const createAccounts = (
  context: EmulatorContext,
  outside: EmulatorDependencies,
  letGo: (assets: Iterable<Asset>) => Promise<void>,
) => {
  const { settings, persistence, systemNow, events, bounds, health, onInternalError } = context
  const accountQuotas = createAccountQuotas({
    settings: persistence?.shared === undefined ? settings : withoutSharedQuotas(settings),
    quotas: bounds,
    systemNow,
  })
  const journals = createJournalStore(settings, events, bounds)
  for (const { account } of persistence?.accounts ?? [])
    journals.opened(account.key, initialStateOf(account, copyAccount(account)))
  persistence?.reportTo(health)
  const scenarios = createScenarios(catalogue, outside.scenarios ?? [])
  const openNew = (key: string): Account => {
    const account = openAccount(key, settings, openingClock(settings, systemNow()), scenarios.given)
    journals.opened(key, initialStateOf(account))
    return account
  }
  const shared = {
    open: openNew,
    accountQuotas,
    exposureOf,
    onEffects: (key: string, { events: happened, jobs }: Effects) => {
      followers.clock.observe(key, happened)
      publish(events, key, happened)
      for (const job of jobs) followers.dispatcher.dispatch(key, job)
    },
    onInternalError,
  }
  const store =
    persistence?.shared?.createStore({
      ...shared,
      maxCallbacks: settings.callbackLogEntries,
      maxAccounts: settings.maxAccounts,
      attemptMs: MAX_ATTEMPT_MS * settings.callbackTimeoutScale,
      onLoaded: (account, notes) => {
        journals.opened(account.key, initialStateOf(account, copyAccount(account)))
        for (const note of notes) takeNote(account.key, note)
      },
      onAppended: (key, happened, notes) => {
        for (const note of notes) takeNote(key, note)
        followers.clock.observe(key, happened)
        publish(events, key, happened)
      },
      onUnloaded: (key) => {
        followers.inbox.forget(key)
        journals.forget(key)
      },
    }) ??
    createStore({
      ...shared,
      systemNow,
      persistence: persistence?.shared === undefined ? persistence : undefined,
      onEvicted: ({ key, assets }) => {
        forgetBesides(key)
        void letGo(assets.values()).catch(onInternalError)
      },
    })
  const followers = createFollowers(context, outside, store)

  /** Takes in what another replica has noted of an account: a call, a message, or what was done to it. */
  const takeNote = (key: string, note: string): void => {
    if (note.startsWith(CALL_NOTE)) {
      journals.addText(key, note.slice(CALL_NOTE.length, -1))
      return
    }
    const { inbox, control } = JSON.parse(note)
    if (inbox !== undefined) followers.inbox.keep(key, inbox)
    if (control !== undefined) journals.controlled(key, control)
  }

  const shareControls: JournalStore['controlled'] = (key, done) => {
    journals.controlled(key, done)
    store.shared?.note(key, JSON.stringify({ control: done })).catch(onInternalError)
  }

  /** Everything that is kept of an account outside of it. */
  const forgetBesides = (key: string): void => {
    followers.clock.forget(key)
    followers.dispatcher.forget(key)
    followers.inbox.forget(key)
    journals.forget(key)
  }

  const sharedJournals = store.shared === undefined ? journals : { ...journals, controlled: shareControls }
  return { accountQuotas, journals: sharedJournals, scenarios, store, ...followers, forgetBesides }
}

/** With this begins the note of a call, which is read only when somebody looks at it. */
const CALL_NOTE = '{"call":'

// What all accounts together may take is a matter of the store; a replica only unloads those that it holds.
const withoutSharedQuotas = (settings: Settings): Settings => ({
  ...settings,
  maxAccounts: Number.MAX_SAFE_INTEGER,
  tasksInAll: Number.MAX_SAFE_INTEGER,
  taskBytes: Number.MAX_SAFE_INTEGER,
  assetsInAll: Number.MAX_SAFE_INTEGER,
  callbacksLoggedInAll: Number.MAX_SAFE_INTEGER,
})

/** Publishes the events of an account to the listeners. */
const publish = (emitter: EventEmitter<Events>, account: string, happened: readonly AccountEvent[]): void => {
  for (const event of happened) {
    if (emitter.listenerCount('happening') > 0) emitter.emit('happening', { ...event, account })
    if (event.callback !== undefined) emitter.emit('callback', { ...shownCallback(event.callback), account })
  }
}

const openingClock = ({ clock, speed, startAt }: Settings, systemNow: number): ClockState => {
  const begin = startAt === undefined ? (clock === 'live' ? systemNow : STILL_START) : Date.parse(startAt)
  return { mode: clock, speed, now: begin, wall: systemNow }
}

const FETCH_TIMEOUT_MS = 10_000

/** The bytes: those that come in with calls and from elsewhere, and those that are drawn. */
type Media = ReturnType<typeof createMedia>

const createMedia = (context: EmulatorContext, outside: EmulatorDependencies, store: Store) => {
  const { settings, persistence, secret, bounds, health } = context
  const folder = settings.mediaFolder ?? defaultMediaFolder()
  const own = createBlobStore({
    folder: persistence?.mediaFolder ?? join(folder, 'inputs'),
    isKept: persistence?.mediaFolder !== undefined,
    maxBytes: settings.inputBytes,
    quotas: bounds,
    health,
  })
  const blobs = persistence?.shared === undefined ? own : createSharedBlobs(own, persistence.shared)
  const renderer = createRenderer({
    folder: join(folder, 'drawn'),
    maxDiskBytes: settings.mediaDiskBytes,
    maxMemoryBytes: settings.mediaMemoryBytes,
    rendersAtOnce: context.rendersAtOnce,
    rendersWaiting: settings.rendersWaiting,
    quotas: bounds,
    renderTimeoutMs: settings.renderTimeoutMs,
    readBlob: (hash) => blobs.read(hash),
    health,
    ...(settings.ffmpeg === undefined ? {} : { ffmpegPath: settings.ffmpeg }),
  })
  const fixtures = createFixtures()
  const resolve = createResultLookup(store, secret)
  const { wrapMediaResolver = (resolve) => resolve, inspectUpload = (file) => file } = outside
  const resolver = createMediaResolver({
    settings,
    blobs,
    readOwnMedia: createOwnMediaReader({ fixtures, resolve, renderer }),
    readAsset: createAssetReader(store),
    fetchMedia: createMediaFetcher({
      timeoutMs: FETCH_TIMEOUT_MS,
      maxBytes: settings.videoBodyBytes,
      mayConnect: mediaConnectPolicies[settings.fetchMedia],
    }),
  })
  const uploads = createUploads({ settings, folder: join(folder, 'uploads'), blobs, quotas: bounds })
  const receive: typeof uploads.receive = async (request, form) => {
    const { body, bytes } = await uploads.receive(request, form)
    return { body: body.kind === 'form' ? { ...body, files: body.files.map(inspectUpload) } : body, bytes }
  }
  const resolveMedia = wrapMediaResolver(resolver)
  return { fixtures, blobs, renderer, resolve, resolveMedia, uploads: { ...uploads, receive } }
}

/** What answers calls of the service and downloads of results, and counts them. */
type Answering = ReturnType<typeof createAnswering>

const createAnswering = (
  context: EmulatorContext,
  outside: EmulatorDependencies,
  accounts: Accounts,
  media: Media,
) => {
  const { events, bounds, systemNow, health, onInternalError } = context
  const { store, scenarios, callbacks } = accounts
  const { renderer } = media
  const startedAt = systemNow()
  const metrics = createMetrics({ events, store, renderer, bounds, systemNow, startedAt })
  const onServed = (call: Served): void => {
    metrics.served(call)
    if (events.listenerCount('served') > 0) events.emit('served', call)
  }
  const delays = createDelays(outside.setTimer)
  const sendResult = createSendResult({ renderer, onInternalError })
  const applyEffects = createApplyEffects({ delays, renderer, sendResult })
  const largeBodies = createLargeBodyReader(mediaKeys, health)
  const service = createService({
    ...context,
    ...accounts,
    ...media,
    sendResult,
    applyEffects,
    onServed,
    scenarioNamed: scenarios.named,
    operations,
    largeBodies,
    deadlineOf,
    callbacksDrained: callbacks.idle,
  })
  const dryRun = createDryRun({
    ...context,
    ...accounts,
    ...media,
    scenarioNamed: scenarios.named,
    operations,
    deadlineOf,
  })
  return { startedAt, metrics, delays, largeBodies, service, dryRun }
}

const deadlineOf = ({ family: id, params: order, createdAt }: Task): Instant | undefined =>
  taskFamilies.find((family) => family.id === id)?.deadline?.(order, createdAt)

/** What happens to whole accounts. Their files are held and let go with them. */
const createChanges = (
  { persistence }: EmulatorContext,
  { onWarning = writeWarning }: EmulatorDependencies,
  { store, journals, forgetBesides }: Accounts,
  { uploads }: Media,
): Pick<Emulator, 'replace' | 'forget' | 'resume'> => ({
  replace: async (account) => {
    await uploads.hold(account.assets.values())
    forgetBesides(account.key)
    const before = await store.put(account)
    journals.opened(account.key, initialStateOf(account, copyAccount(account)))
    if (before !== undefined) await uploads.letGo(before.assets.values())
  },
  forget: async (key) => {
    forgetBesides(key)
    const assets = await store.read(key, ({ assets: all }) => [...all.values()])
    await store.forget(key)
    await uploads.letGo(assets)
  },
  resume: async (url) => {
    if (persistence === undefined) return
    await persistence.listening(url)
    const assets = persistence.accounts.flatMap(({ account }) => [...account.assets.values()])
    const missing = await uploads.hold(assets)
    if (missing.length > 0) onWarning(filesAreMissing(missing, persistence.mediaFolder ?? ''))
    store.wake()
  },
})

/** Ends what is under way: first what would begin something new, then what has to be waited for. */
const createStop =
  (
    { persistence }: EmulatorContext,
    { store, dispatcher }: Accounts,
    { uploads, renderer, blobs }: Media,
    { metrics, delays, largeBodies }: Answering,
  ): Emulator['stop'] =>
  async () => {
    metrics.stop()
    store.stop()
    dispatcher.stop()
    delays.stop()
    await uploads.stop()
    await Promise.all([renderer.stop(), blobs.stop(), largeBodies.stop(), persistence?.stop()])
  }

const filesAreMissing = (assets: readonly Asset[], folder: string): string =>
  `The folder ${folder} lacks the files of ${assets.length === 1 ? 'an asset' : `${assets.length} assets`}: ${assets.map(({ id }) => id).join(', ')}. Results cannot show them.`

/** Emulator: every part of a running one, for the control API, the command line and the package. */
export interface Emulator extends ControlContext {
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
  readonly health: HealthIssues
  readonly families: readonly AnyTaskFamily[]
  /** Everything that clients can do. */
  readonly operations: readonly Operation[]
  readonly routes: readonly Route[]
  /** Every name that scenarios and filters may use. */
  readonly catalogue: Catalogue
  readonly systemNow: () => number
  readonly startedAt: number
  /** Random id of this emulator, which tells it from another one at the same address. */
  readonly instance: string
  /** The control token, where one was made because none was given and it listens beyond loopback. */
  readonly madeToken: string | undefined
  readonly app: App
  /** Undefined: nothing outlives the process. */
  readonly persistence: Persistence | SharedPersistence | undefined
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

/**
 * Puts an emulator together: every part once, in the order in which they need each other. Nothing listens yet.
 * @param keeping persistence of the accounts; default: none, even if the settings name a state file
 */
export const createEmulator = (
  given: Settings,
  outside: EmulatorDependencies = {},
  persistence?: Persistence | SharedPersistence,
): Emulator => {
  const context = createEmulatorContext(given, outside, persistence)
  const accounts = createAccounts(context, outside, (assets) => media.uploads.letGo(assets))
  const media = createMedia(context, outside, accounts.store)
  const answering = createAnswering(context, outside, accounts, media)

  const { settings, bounds, systemNow } = context
  const { store } = accounts
  const { fixtures, blobs, renderer, uploads } = media
  const { startedAt, metrics, service, dryRun } = answering
  const emulator: Omit<Emulator, 'app'> = {
    ...createControlPorts(() => emulator),
    settings,
    store,
    clock: accounts.clock,
    journals: accounts.journals,
    callbacks: accounts.callbacks,
    inbox: accounts.inbox,
    renderer,
    fixtures,
    scenarios: accounts.scenarios,
    events: context.events,
    bounds,
    metrics,
    waiting: createGate('waits', settings.waitsAtOnce, bounds),
    health: context.health,
    families: taskFamilies,
    operations,
    routes: operations.map(({ route }) => route),
    catalogue,
    systemNow,
    startedAt,
    dryRun,
    resultPath: (task, index, expiresAt) =>
      resultPath(task, accountIdOf(task.account), index, expiresAt, context.secret),
    instance: randomUUID().slice(0, 8),
    madeToken: context.madeToken,
    persistence,
    snapshots: createSnapshots({ store, uploads, most: settings.maxSnapshots, bounds, systemNow }),
    blobs,
    ...createChanges(context, outside, accounts, media),
    stop: createStop(context, accounts, media, answering),
  }
  const app = createApp({
    service,
    loadControl: async () => (await import('./control/router.js')).createControlApp(emulator),
    isAllowedHost: createHostCheck(settings),
    handleCors: createCors(settings, (refused) => context.events.emit('preflight', refused)),
  })
  return { ...emulator, app }
}

/**
 * Puts an emulator together with the scenarios that its settings name, before those that it is given.
 * @throws EmulatorError `no-such-file`, `unknown-scenario`, `bad-scenario` or `cannot-log`; of a state file `state-held`,
 * `bad-state`, `other-seed` or `state-unusable`
 */
export const openEmulator = async (
  settings: Settings,
  given: EmulatorDependencies = {},
): Promise<Emulator> => {
  const named = [...(await readGiven(settings.scenario, catalogue)), ...(given.scenarios ?? [])]
  const folder = given.sweep ?? process.env.BACKLOT_SWEEP
  const sweep =
    folder === undefined || folder === '' ? undefined : await (await joining()).joinSweep(folder, named)
  const scenarios = sweep?.scenarios ?? named
  const outside = { ...given, systemNow: monotonicNow(given.systemNow ?? Date.now), scenarios }
  const persistence =
    settings.store === undefined
      ? await keepingFor(settings, outside)
      : await sharedStoreFor(settings, settings.store, outside)
  const opened = createEmulator(settings, outside, persistence)
  const followed = sweep === undefined ? opened : await sweep.follow(opened)
  const { BACKLOT_COVERAGE: coverage = '' } = process.env
  const emulator =
    coverage === '' ? followed : (await import('./coverage/join.js')).joinCoverage(followed, coverage)
  if (settings.logFile === undefined) return emulator
  const { startLog } = await import('./observability/log.js')
  const endLog = await startLog(emulator, settings.logFile).catch(async (error) => {
    // What it holds (a state file) is to be free again.
    await emulator.stop()
    throw error
  })
  const stop = async (): Promise<void> => {
    await emulator.stop()
    await endLog()
  }
  return { ...emulator, stop }
}

// Loaded only in the runs of a sweep.
const joining = () => import('./sweep/watch.js')

// Loaded only when the setting `state` is used, since it is a large part of the code.
const keepingFor = async (
  settings: Settings,
  {
    systemNow,
    scenarios,
    onWarning = writeWarning,
  }: EmulatorDependencies & Pick<Required<EmulatorDependencies>, 'systemNow' | 'scenarios'>,
): Promise<Persistence | undefined> => {
  if (settings.state === undefined) return undefined
  const { openStateFile } = await import('./accounts/persistence/state-file.js')
  return openStateFile(settings.state, { settings, given: scenarios, checkParams, now: systemNow, onWarning })
}

// Loaded only when the setting `store` is used, and the client of the store with it.
const sharedStoreFor = async (
  settings: Settings,
  url: string,
  { systemNow, onInternalError = console.error }: EmulatorDependencies & { readonly systemNow: () => number },
): Promise<SharedPersistence> => {
  if (settings.state !== undefined)
    throw new EmulatorError('state and store are both given, and accounts are kept in one place.', {
      code: 'bad-setting',
      hint: 'Use state for one emulator, or store for replicas that share a server.',
    })
  const { openSharedStore } = await import('./replicas/open-store.js')
  const controlToken = generateControlToken(settings)
  return openSharedStore(url, { settings, controlToken, now: systemNow, onInternalError })
}
