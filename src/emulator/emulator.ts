import { randomUUID } from 'node:crypto'
import { resultPath } from './accounts/decision-context.js'
import type { Persistence } from './accounts/persistence/port.js'
import type { SharedPersistence } from './accounts/persistence/shared-log.js'
import { createSnapshots } from './accounts/persistence/snapshots.js'
import { type Accounts, createAccounts } from './composition/accounts.js'
import { type Base, createBase } from './composition/base.js'
import { type CallbackParts, createCallbackParts } from './composition/callbacks.js'
import {
  type EmulatorDependencies,
  type RecordedParts,
  type SaveRecording,
  writeWarning,
} from './composition/dependencies.js'
import { createMedia, type MediaParts } from './composition/media.js'
import { composeService, type ServiceComposition } from './composition/service.js'
import { createSemaphore } from './concurrency.js'
import { createPage } from './control/page.js'
import { createControlPorts } from './control-ports.js'
import { accountIdOf } from './core/account/account-id.js'
import { EmulatorError } from './core/errors.js'
import type { Task } from './core/model/task.js'
import type { Instant } from './core/schedule/time.js'
import type { Settings } from './core/settings.js'
import type { Uploads } from './media/uploads/uploads.js'
import { createHostCheck } from './net/host-check.js'
import { type App, createApp, createCors } from './service/app.js'
import { createSendPoster } from './service/results.js'

/** Emulator: every part of a running one, for the control API, the command line and the package. */
export interface Emulator extends RecordedParts {
  readonly app: App
  /** The control token, where one was made because none was given and it listens beyond loopback. */
  readonly madeToken: string | undefined
  /** Undefined where nothing outlives the process. */
  readonly persistence: Persistence | SharedPersistence | undefined
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
  const base = createBase(given, injected, persistence)
  const accounts = createAccounts(base, injected)
  const callbacks = createCallbackParts(base, accounts.store, injected)
  const media = createMedia(base, accounts.store, injected)
  const { clock, dispatcher, inbox } = callbacks
  accounts.connect({ clock, dispatcher, inbox, uploads: media.uploads })
  let ownHost: string | undefined
  const service = composeService(base, accounts, callbacks, media, injected.setTimer, () => ownHost)
  const waiting = createSemaphore(base.settings.waitsAtOnce)
  base.quotas.measure({ waits: () => waiting.held })
  let isStopping = false
  const emulator: Omit<Emulator, 'app'> = {
    ...createControlPorts(
      () => emulator,
      () => ownHost,
    ),
    ...controlParts(base, accounts, callbacks, media, service),
    ...changesOfAccounts(accounts, media.uploads),
    readRecording: async (keys) => (injected.saveRecording ?? noRecorder)(emulator, keys),
    instance: randomUUID().slice(0, 8),
    waiting,
    isStopping: () => isStopping,
    resume: async (url) => {
      ownHost = new URL(url).host
      if (persistence === undefined) return
      await persistence.listening(url)
      const assets = persistence.accounts.flatMap(({ account }) => [...account.assets.values()])
      const missing = await media.uploads.pinAssets(assets)
      if (missing.length > 0)
        (injected.onWarning ?? writeWarning)(missingFiles(missing, persistence.mediaFolder ?? ''))
      accounts.store.wake()
    },
    // Graceful shutdown: first what would begin something new, then what has to be waited for.
    stop: async () => {
      isStopping = true
      base.events.emit('stopping')
      service.metrics.stop()
      accounts.store.stop()
      dispatcher.stop()
      service.delays.stop()
      await media.uploads.stop()
      const { renderer, blobs } = media
      await Promise.all([renderer.stop(), blobs.stop(), service.largeBodies.stop(), persistence?.stop()])
    },
  }
  return { ...emulator, app: appOf(emulator, base, media, service) }
}

/** The parts that control actions use. */
const controlParts = (
  { secret, rendersAtOnce: _, ...base }: Base,
  { store, journals, scenarios }: Accounts,
  { clock, callbacks, inbox }: CallbackParts,
  { fixtures, blobs, renderer, uploads }: MediaParts,
  { metrics, inFlight, dryRun }: ServiceComposition,
) => ({
  ...base,
  ...{ store, journals, scenarios, clock, callbacks, inbox, fixtures, blobs, renderer },
  ...{ metrics, inFlight, dryRun },
  signingSecret: secret,
  snapshots: createSnapshots({
    store,
    uploads,
    max: base.settings.maxSnapshots,
    quotas: base.quotas,
    systemNow: base.systemNow,
  }),
  resultPath: (task: Task, index: number, expiresAt: Instant) =>
    resultPath(task, accountIdOf(task.account), index, expiresAt, secret),
})

/** What replaces and forgets whole accounts, with all that belongs to them. */
const changesOfAccounts = (
  { store, forgetOutsideStore }: Accounts,
  uploads: Uploads,
): Pick<Emulator, 'replace' | 'forget'> => ({
  replace: async (account) => {
    await uploads.pinAssets(account.assets.values())
    forgetOutsideStore(account.key)
    const before = await store.put(account).catch(async (error) => {
      await uploads.unpinAssets(account.assets.values())
      throw error
    })
    if (before !== undefined) await uploads.unpinAssets(before.assets.values())
  },
  forget: async (key) => {
    forgetOutsideStore(key)
    const before = await store.forget(key)
    if (before !== undefined) await uploads.unpinAssets(before.assets.values())
  },
})

/** The request handler: the service, its results, the page and the control API. */
const appOf = (
  emulator: Omit<Emulator, 'app'>,
  { settings, events, health, onInternalError }: Base,
  { resolve }: MediaParts,
  { service, sendResult }: ServiceComposition,
): App =>
  createApp({
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

const noRecorder: SaveRecording = () => {
  throw new EmulatorError('This emulator was opened without a recorder.', {
    code: 'cannot-record',
    hint: 'Open it as the package does: with startEmulator, or on the command line.',
  })
}

const missingFiles = (assets: readonly { readonly id: string }[], folder: string): string =>
  `The folder ${folder} lacks the files of ${assets.length === 1 ? 'an asset' : `${assets.length} assets`}: ${assets.map(({ id }) => id).join(', ')}. Results cannot show them.`
