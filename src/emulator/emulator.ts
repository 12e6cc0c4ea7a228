import { randomUUID } from 'node:crypto'
import { EventEmitter } from 'node:events'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { createClockScheduler } from './accounts/clock.js'
import { resultPath } from './accounts/decision-context.js'
import { createJournalStore, type JournalStore } from './accounts/journals.js'
import { readNote, textOfNote } from './accounts/notes.js'
import type { Persistence } from './accounts/persistence/port.js'
import { copyAccount } from './accounts/persistence/resume-account.js'
import type { SharedPersistence } from './accounts/persistence/shared-log.js'
import { createSnapshots } from './accounts/persistence/snapshots.js'
import { signingSecretOf } from './accounts/signing-secret.js'
import { AccountStore, type Store, type StoreParts } from './accounts/store.js'
import { createCallbackBodyOf, createCallbackHeadersOf } from './callbacks/body.js'
import { createSendChallenge } from './callbacks/challenge.js'
import { createCallbackDispatcher, createCallbacks } from './callbacks/dispatcher.js'
import {
  type CallbackHttpClient,
  callbackHostsOf,
  createCallbackHttpClient,
} from './callbacks/http-client.js'
import { createInbox } from './callbacks/inbox.js'
import { createSemaphore } from './concurrency.js'
import type { ControlContext } from './control/action.js'
import { generateControlToken } from './control/guard.js'
import { createPage } from './control/page.js'
import { createControlPorts } from './control-ports.js'
import { isKnownKey, openAccount, openingClock } from './core/account/account.js'
import { accountIdOf } from './core/account/account-id.js'
import { type DeliveryPolicy, defaultDelivery } from './core/callback/delivery.js'
import { EmulatorError, isStoreError } from './core/errors.js'
import type { Events } from './core/events.js'
import { initialStateOf } from './core/journal/entry.js'
import { type Account, type AccountEvent, shownCallback } from './core/model/account.js'
import type { FormFile } from './core/model/call.js'
import type { Task } from './core/model/task.js'
import { AccountQuotas, Quotas, withoutTotals } from './core/quotas.js'
import type { Scenario } from './core/scenario/schema.js'
import { LONGEST_TIMER_MS, monotonicNow } from './core/schedule/time.js'
import type { Settings } from './core/settings.js'
import { builtIn } from './families/index.js'
import type { Registry } from './families/registry.js'
import { type BlobStore, createBlobStore, createSharedBlobs } from './media/files/blob-store.js'
import { defaultMediaFolder } from './media/files/temporary-folders.js'
import { createFixtures } from './media/fixtures.js'
import { createRenderer } from './media/render/renderer.js'
import { createMediaFetcher } from './media/resolve/fetch-media.js'
import {
  createAssetReader,
  createMediaResolver,
  createOwnMediaReader,
  type ResolveMedia,
} from './media/resolve/resolve-media.js'
import { createUploads } from './media/uploads/uploads.js'
import { mediaConnectPolicies } from './net/address-guard.js'
import { createHostCheck } from './net/host-check.js'
import { createHealthIssues } from './observability/health.js'
import { createMetrics } from './observability/metrics.js'
import { ProfileInForce } from './profile/in-force.js'
import type { LoadedProfile } from './profile/load.js'
import { createScenarios } from './scenarios/library.js'
import { type App, createApp, createCors } from './service/app.js'
import { createDryRun } from './service/dry-run.js'
import { createDelays } from './service/effects/transmit.js'
import { createSendResult } from './service/files.js'
import { createInFlightCalls } from './service/in-flight.js'
import { createLargeBodyReader } from './service/large-body/reader.js'
import { createService } from './service/pipeline.js'
import { createResultLookup, createSendPoster } from './service/results.js'
import { createFindRoute } from './service/routes.js'
import type { SetTimer } from './timers.js'

/** Makes the recording of some accounts out of their journals: lines of JSON. */
export type SaveRecording = (emulator: Omit<Emulator, 'app'>, keys: readonly string[]) => Promise<string>

/** Dependencies of an emulator that a test can replace. */
export interface EmulatorDependencies {
  /** The families that it has; default: the built-in ones. */
  readonly registry?: Registry
  /** What the registry was read through. Default: no profile. */
  readonly profile?: LoadedProfile | undefined
  /** HTTP client that sends callbacks; default: over the network. */
  readonly post?: CallbackHttpClient
  /** Milliseconds since 1970; the one place from which the emulator learns what time it is. */
  readonly systemNow?: () => number
  /** Timer for the delays of scenarios and the checks of a state file; default: real time. */
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
  /** Recorder of journals, for the control API; without it that action is refused. */
  readonly saveRecording?: SaveRecording
}

/** Writes a warning to standard error; standard output is reserved for programs that read it. */
export const writeWarning = (sentence: string): void => {
  process.stderr.write(`backlot: ${sentence}\n`)
}

/** Emulator: every part of a running one, for the control API, the command line and the package. */
export interface Emulator extends ControlContext {
  readonly app: App
  /** The control token, where one was made because none was given and it listens beyond loopback. */
  readonly madeToken: string | undefined
  /** Signs result URLs: it is enough to forge them. */
  readonly signingSecret: string
  /** Undefined: nothing outlives the process. */
  readonly persistence: Persistence | SharedPersistence | undefined
  /** Stores the files of assets that are imported, and reads those that are exported. */
  readonly blobs: BlobStore
  /** Starts the clocks of the accounts that a state file has, once the emulator listens: callbacks that are due are sent. */
  resume(url: string): Promise<void>
  /** Ends what is under way. */
  stop(): Promise<void>
}

/**
 * Composition root: creates the parts of an emulator, each after those that it uses. Nothing listens yet.
 * @param persistence of the accounts; default: none, even if the settings name a state file
 */
export const createEmulator = (
  given: Settings,
  injected: EmulatorDependencies = {},
  persistence?: Persistence | SharedPersistence,
): Emulator => {
  // Settings, families, time, and what the parts report to.
  const { registry = builtIn } = injected
  const profile = profileInForce(injected.profile)
  const replicas = persistence?.shared
  const madeToken =
    given.controlToken === undefined && replicas !== undefined
      ? replicas.controlToken
      : generateControlToken(given)
  const settings = madeToken === undefined ? given : { ...given, controlToken: madeToken }
  const secret = persistence?.secret ?? signingSecretOf(settings)
  const systemNow = replicas?.now ?? monotonicNow(injected.systemNow ?? Date.now)
  const ofProfile = profilePartsOf(profile, registry, systemNow)
  const startedAt = systemNow()
  const events = new EventEmitter<Events>()
  events.setMaxListeners(0)
  // One processor stays free, so that other calls need not wait for it.
  const rendersAtOnce = settings.rendersAtOnce ?? Math.max(1, availableParallelism() - 1)
  const quotas = new Quotas(settings, (hit) => events.emit('quota', hit), { renders: rendersAtOnce })
  const health = createHealthIssues(events)
  persistence?.reportTo(health)
  const reportBug = injected.onInternalError ?? ((error) => console.error(error))
  const onInternalError = (error: unknown): void => {
    // A store that is away is a health issue.
    if (isStoreError(error)) return
    events.emit('bug', error)
    reportBug(error)
  }

  // Accounts.
  const ownSettings = replicas === undefined ? settings : withoutTotals(settings)
  const accountQuotas = new AccountQuotas(ownSettings, quotas)
  const scenarios = createScenarios(injected.scenarios ?? [], registry)
  const local = createJournalStore(settings, events, quotas)
  const beginJournal = (account: Account): void =>
    local.opened(account.key, initialStateOf(account, copyAccount(account)))
  for (const { account } of persistence?.accounts ?? []) beginJournal(account)
  const storeParts: Omit<StoreParts, 'systemNow' | 'onEvicted'> = {
    open: (key) => {
      const account = openAccount(
        key,
        openingSettings(settings, profile),
        openingClock(settings, systemNow()),
        scenarios.given,
      )
      local.opened(key, initialStateOf(account))
      return account
    },
    accountQuotas,
    exposureOf: registry.exposureOf.bind(registry),
    onEffects: (key, { events: happened, jobs }) => {
      clock.observe(key, happened)
      publish(events, key, happened)
      for (const job of jobs) dispatcher.dispatch(key, job)
    },
    onInternalError,
  }
  const applyNotes = (key: string, notes: readonly string[]): void => {
    for (const note of notes.map(readNote)) {
      if ('call' in note) local.addText(key, note.call)
      if ('control' in note) local.controlled(key, { ...note.control, sequence: local.nextSequence() })
      if ('inbox' in note) inbox.keep(key, note.inbox)
    }
  }
  const store: Store =
    replicas?.createStore({
      ...storeParts,
      maxCallbacks: settings.callbackLogEntries,
      maxAccounts: settings.maxAccounts,
      attemptMs: longestAttemptMs(registry) * settings.callbackTimeoutScale,
      onLoaded: (account, rebuild) =>
        local.opened(account.key, {
          ...initialStateOf(account),
          // Only recordings look at it, and a copy of many tasks takes long.
          get restored() {
            return rebuild()
          },
        }),
      onNotes: (key, notes) => {
        local.clear(key)
        inbox.forget(key)
        applyNotes(key, notes)
      },
      onAppended: (key, happened, notes) => {
        applyNotes(key, notes)
        clock.observe(key, happened)
        publish(events, key, happened)
      },
      onUnloaded: (key) => {
        inbox.forget(key)
        local.forget(key)
      },
    }) ??
    new AccountStore({
      ...storeParts,
      systemNow,
      persistence: replicas === undefined ? persistence : undefined,
      onEvicted: ({ key, assets }) => {
        forgetOutsideStore(key)
        void uploads.unpinAssets(assets.values()).catch(onInternalError)
      },
      onReplaced: beginJournal,
    })
  const { shared } = store
  const journals: JournalStore =
    shared === undefined
      ? local
      : {
          ...local,
          controlled: (key, done) => {
            local.controlled(key, done)
            shared.note(key, textOfNote({ control: done })).catch(onInternalError)
          },
        }

  // Callbacks, and the clocks that make them due.
  const httpClient = injected.post ?? createCallbackHttpClient(callbackHostsOf(settings))
  const dispatcher = createCallbackDispatcher({
    store,
    bodyOf: createCallbackBodyOf({ registry, profile, settings, secret }),
    policyOf: (family) => policyOf(registry, family),
    headersOf: ofProfile.headersOf,
    httpClient,
    timeoutScale: settings.callbackTimeoutScale,
    maxInFlight: settings.callbacksAtOnce,
    quotas,
    onInternalError,
  })
  const clock = createClockScheduler(store, dispatcher, systemNow)
  const callbacks = createCallbacks(store, dispatcher)
  const inbox = createInbox({
    taskIdPaths: registry.callbackTaskIdPaths,
    isKnownKey: (key) => isKnownKey(key, settings),
    store,
    max: settings.callbackLogEntries,
    maxBytes: settings.inboxBytes,
    quotas,
    signatureOf: ofProfile.signatureOf,
    onKept: (account, name) => events.emit('inbox', { account, name }),
  })
  const forgetOutsideStore = (key: string): void => {
    clock.forget(key)
    dispatcher.forget(key)
    inbox.forget(key)
    local.forget(key)
  }

  // Media: those that come in with calls and from elsewhere, and those that are rendered.
  const mediaFolder = settings.mediaFolder ?? defaultMediaFolder()
  const ownBlobs = createBlobStore({
    folder: persistence?.mediaFolder ?? join(mediaFolder, 'inputs'),
    isKept: persistence?.mediaFolder !== undefined,
    fsync: settings.stateFsync,
    maxBytes: settings.inputBytes,
    quotas,
    health,
  })
  const blobs = replicas === undefined ? ownBlobs : createSharedBlobs(ownBlobs, replicas)
  const renderer = createRenderer({
    ...settings,
    folder: join(mediaFolder, 'drawn'),
    rendersAtOnce,
    readBlob: (hash) => blobs.read(hash),
    onCacheTrouble: injected.onWarning ?? writeWarning,
    quotas,
    health,
  })
  const fixtures = createFixtures()
  const resolve = createResultLookup(store, secret)
  const { wrapMediaResolver = (resolver) => resolver } = injected
  const resolveMedia = wrapMediaResolver(
    createMediaResolver({
      settings,
      blobs,
      readOwnMedia: createOwnMediaReader({ fixtures, resolve, renderer }),
      readAsset: createAssetReader(store),
      fetchMedia: createMediaFetcher({
        timeoutMs: FETCH_TIMEOUT_MS,
        maxBytes: settings.videoBodyBytes,
        mayConnect: mediaConnectPolicies[settings.fetchMedia],
      }),
    }),
  )
  const uploads = createUploads({
    settings,
    folder: join(mediaFolder, 'uploads'),
    blobs,
    quotas,
    replaceFacts: injected.inspectUpload,
  })

  // The service.
  const metrics = createMetrics({ events, store, renderer, quotas, systemNow, startedAt })
  const delays = createDelays(injected.setTimer)
  const sendResult = createSendResult({ renderer, health, onInternalError })
  const largeBodies = createLargeBodyReader(registry.mediaKeys, health)
  const findRoute = createFindRoute(registry, secret)
  const inFlight = createInFlightCalls(findRoute)
  const decisionParts = {
    settings,
    secret,
    systemNow,
    store,
    clock,
    accountQuotas,
    findRoute,
    resolveMedia,
    deadlineOf: (task: Task) => registry.deadlineOf(task),
    profile,
    scenarioNamed: scenarios.named,
    health,
    onInternalError,
  }
  const service = createService({
    ...decisionParts,
    journals,
    uploads,
    largeBodies,
    quotas,
    sendResult,
    delays,
    inFlight,
    callbacksDrained: callbacks.idle,
    sendChallenge: createSendChallenge(httpClient, (ms) =>
      Math.min(ms * settings.callbackTimeoutScale, LONGEST_TIMER_MS),
    ),
    events,
  })
  let ownHost: string | undefined
  const dryRun = createDryRun({ ...decisionParts, fixtures, ownHost: () => ownHost })

  // The control API.
  const waiting = createSemaphore(settings.waitsAtOnce)
  let isStopping = false
  quotas.measure({ waits: () => waiting.held })
  const emulator: Omit<Emulator, 'app'> = {
    ...createControlPorts(
      () => emulator,
      () => ownHost,
    ),
    readRecording: async (keys) => {
      const { saveRecording = noRecorder } = injected
      return saveRecording(emulator, keys)
    },
    settings,
    registry,
    profile,
    madeToken,
    signingSecret: secret,
    systemNow,
    startedAt,
    events,
    quotas,
    health,
    onInternalError,
    metrics,
    persistence,
    store,
    journals,
    inFlight,
    scenarios,
    clock,
    callbacks,
    inbox,
    fixtures,
    blobs,
    renderer,
    dryRun,
    instance: randomUUID().slice(0, 8),
    waiting,
    isStopping: () => isStopping,
    snapshots: createSnapshots({ store, uploads, max: settings.maxSnapshots, quotas, systemNow }),
    resultPath: (task, index, expiresAt) =>
      resultPath(task, accountIdOf(task.account), index, expiresAt, secret),
    replace: async (account) => {
      await uploads.pinAssets(account.assets.values())
      forgetOutsideStore(account.key)
      const before = await store.put(account).catch(async (error) => {
        await uploads.unpinAssets(account.assets.values())
        throw error
      })
      if (shared !== undefined) beginJournal(account)
      if (before !== undefined) await uploads.unpinAssets(before.assets.values())
    },
    forget: async (key) => {
      forgetOutsideStore(key)
      const before = await store.forget(key)
      if (before !== undefined) await uploads.unpinAssets(before.assets.values())
    },
    resume: async (url) => {
      ownHost = new URL(url).host
      if (persistence === undefined) return
      await persistence.listening(url)
      const assets = persistence.accounts.flatMap(({ account }) => [...account.assets.values()])
      const missing = await uploads.pinAssets(assets)
      if (missing.length > 0)
        (injected.onWarning ?? writeWarning)(missingFiles(missing, persistence.mediaFolder ?? ''))
      store.wake()
    },
    // Graceful shutdown: first what would begin something new, then what has to be waited for.
    stop: async () => {
      isStopping = true
      events.emit('stopping')
      metrics.stop()
      store.stop()
      dispatcher.stop()
      delays.stop()
      await uploads.stop()
      await Promise.all([renderer.stop(), blobs.stop(), largeBodies.stop(), persistence?.stop()])
    },
  }
  const app = createApp({
    service,
    loadControl: async () => (await import('./control/router.js')).createControlApp(emulator),
    sendPage: createPage(settings),
    sendPoster: createSendPoster(resolve, sendResult),
    isAllowedHost: createHostCheck(settings),
    handleCors: createCors(settings, (refused) => events.emit('preflight', refused)),
    onRefused: (error) => void events.emit('refused', error),
    health,
    onInternalError,
  })
  return { ...emulator, app }
}

const noRecorder: SaveRecording = () => {
  throw new EmulatorError('This emulator was opened without a recorder.', {
    code: 'cannot-record',
    hint: 'Open it as the package does: with startEmulator, or on the command line.',
  })
}

const FETCH_TIMEOUT_MS = 10_000

const profileInForce = (loaded: LoadedProfile | undefined): ProfileInForce | undefined =>
  loaded === undefined ? undefined : new ProfileInForce(loaded)

/** Settings with which accounts open. */
const openingSettings = (settings: Settings, profile: ProfileInForce | undefined): Settings =>
  profile === undefined ? settings : profile.settingsFor(settings)

/** What callbacks and the built-in receiver have of a profile; nothing where there is none. */
const profilePartsOf = (profile: ProfileInForce | undefined, registry: Registry, systemNow: () => number) =>
  profile === undefined
    ? {}
    : {
        headersOf: createCallbackHeadersOf(registry, profile, systemNow),
        signatureOf: (family: string) => policyOf(registry, family).signature,
      }

const policyOf = (registry: Registry, family: string): DeliveryPolicy =>
  registry.taskFamily(family)?.callback?.delivery ?? defaultDelivery

/** The longest that a receiver has to answer, of all families. */
const longestAttemptMs = ({ taskFamilies }: Registry): number =>
  Math.max(
    ...taskFamilies.flatMap(({ callback }) =>
      Object.values(callback?.delivery?.timeoutMs ?? defaultDelivery.timeoutMs),
    ),
  )

const publish = (emitter: EventEmitter<Events>, account: string, happened: readonly AccountEvent[]): void => {
  for (const event of happened) {
    if (emitter.listenerCount('happening') > 0) emitter.emit('happening', { account, ...event })
    if (event.callback !== undefined) emitter.emit('callback', { ...shownCallback(event.callback), account })
  }
}

const missingFiles = (assets: readonly { readonly id: string }[], folder: string): string =>
  `The folder ${folder} lacks the files of ${assets.length === 1 ? 'an asset' : `${assets.length} assets`}: ${assets.map(({ id }) => id).join(', ')}. Results cannot show them.`
