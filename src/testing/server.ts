import { once } from 'node:events'
import { URL } from 'node:url'
import { Worker } from 'node:worker_threads'
import {
  type AccountHandles,
  connectEmulator,
  type EmulatorHandles,
  portOf,
  proxyExemption,
  remoteTransport,
  send,
} from '../emulator/surface/client.js'
import { accountIdOf, DEFAULT_KEY, EmulatorError, STOPPED_CLOCK_START } from '../emulator/surface/records.js'
import type { EmulatorSettings } from '../generated/emulator-settings.js'
import { type Framework, type OwnServer, type SharedServer, sharedByEnvironment } from './framework.js'
import { type HelperOptions, validateEnvironment, validateSettingNames } from './options.js'

/** Environment variables that are set for a while. */
export const createEnvironment = (
  templates: Readonly<Record<string, string>>,
  variables: Record<string, string | undefined> = process.env,
) => {
  const before = new Map<string, string | undefined>()
  const put = (name: string, value: string | undefined) => {
    // Assigning undefined would make it the text "undefined".
    if (value === undefined) delete variables[name]
    else variables[name] = value
  }
  return {
    /** Sets the variables whose placeholders are all given, and exempts the emulator from a proxy that the environment names. */
    set: ({ url, key }: Readonly<Partial<Record<'url' | 'key', string>>>): void => {
      const values = { url, key, port: url && String(portOf(new URL(url))) }
      const filled = Object.entries(templates).map(
        ([name, template]) => [name, fillTemplate(template, values)] as const,
      )
      const exemption = url === undefined ? {} : proxyExemption(url, variables)
      for (const [name, value] of [...Object.entries(exemption), ...filled]) {
        if (value === undefined) continue
        if (!before.has(name)) before.set(name, variables[name])
        put(name, value)
      }
    },
    /** Puts everything back as it was before the first `set`. */
    restore: (): void => {
      for (const [name, value] of before) put(name, value)
      before.clear()
    },
  }
}

/** Template with its placeholders filled in; undefined where the value of one is unknown. */
const fillTemplate = (
  template: string,
  values: Readonly<Record<string, string | undefined>>,
): string | undefined => {
  // Every other part is the name of a placeholder.
  const parts = template.split(/\{(url|port|key)\}/).map((part, index) => (index % 2 ? values[part] : part))
  return parts.includes(undefined) ? undefined : parts.join('')
}

/** Server of a test file. */
export interface Server {
  /** URL, or undefined where it is known only after the start. */
  readonly url: string | undefined
  /** Whether no other file uses it. */
  readonly isOwn: boolean
  start(): Promise<EmulatorHandles>
  /** Ends it where it is the file's own. */
  stop(): Promise<void>
  /** Whether the emulator had the account of a key at the start: an interrupted run leaves its accounts behind. */
  hadAccount(key: string): boolean
  /** Applies the settings of the options to an account, where the server does not have them for all accounts. */
  prepare(account: AccountHandles): Promise<void>
}

/** @throws EmulatorError `shared-server` when options would change a server that others use too */
export const serverFor = <Context>(
  framework: Framework<Context>,
  helper: HelperOptions,
  settings: EmulatorSettings,
): Server => {
  const shared =
    helper.url === undefined ? sharedBy(framework, helper) : { url: helper.url, token: helper.token }
  return shared === undefined ? ownServer(settings) : sharedServer(shared, settings)
}

const sharedBy = <Context>(framework: Framework<Context>, { shared, token }: HelperOptions) => {
  if (shared === false) return undefined
  const server = framework.shared()
  return server === undefined || token === undefined ? server : { ...server, token }
}

const ownServer = (settings: EmulatorSettings): Server => {
  let started: Promise<OwnServer> | undefined
  return {
    url: undefined,
    isOwn: true,
    start: async () => {
      started ??= startOwnServer(settings)
      return (await started).emulator
    },
    stop: async () => (await started)?.stop(),
    hadAccount: () => false,
    prepare: async () => {},
  }
}

/** An emulator in this process, loaded only where one is needed. */
export const startInProcess = async (settings: EmulatorSettings): Promise<OwnServer> => {
  const { startEmulator } = await import('../start-emulator.js')
  const emulator = await startEmulator(settings)
  return { emulator, token: emulator.controlToken, stop: emulator.stop }
}

/** Message of the thread when it has started, or has not. */
export type FromThread =
  | { readonly url: string; readonly token: string | undefined }
  | { readonly error: Pick<EmulatorError, 'message' | 'code' | 'hint'> }

const startInThread = async (settings: EmulatorSettings): Promise<OwnServer> => {
  // Jest gives tests a copy of the environment, in which the option `coverage` names its folder.
  const env = { ...process.env }
  const thread = new Worker(new URL('./emulator-thread.js', import.meta.url), { workerData: settings, env })
  try {
    const [reply] = (await once(thread, 'message')) as [FromThread]
    if ('error' in reply) throw new EmulatorError(reply.error.message, reply.error)
    const { url, token } = reply
    return {
      emulator: connectEmulator(url, { token }),
      token,
      stop: async () => {
        const ended = once(thread, 'exit')
        thread.postMessage('stop')
        await ended
      },
    }
  } catch (error) {
    // A thread that goes on running keeps the process of the tests.
    await thread.terminate()
    throw error
  }
}

// In a context of node:vm, Function is another one than that of Node's own modules.
const isInVmContext = !(once instanceof Function)

/**
 * Starts an emulator for the tests of a file. Jest, and vitest in the pools vmThreads and vmForks, run tests in a context of
 * node:vm, with modules, globals and imports of its own, in which Express cannot be loaded: a thread is outside of it.
 */
const startOwnServer = isInVmContext ? startInThread : startInProcess

const sharedServer = ({ url, token, clock }: SharedServer, settings: EmulatorSettings): Server => {
  const emulator = connectEmulator(url, token === undefined ? {} : { token })
  const names = Object.entries(settings).flatMap(([name, value]) => (value === undefined ? [] : [name]))
  const impossible = names.filter((name) => !accountSettingNames.includes(name))
  if (impossible.length > 0) throw cannotChange(url, impossible)
  let begin: string | undefined
  let before: ReadonlySet<string> = new Set()
  return {
    url: emulator.url,
    isOwn: false,
    start: async () => {
      const isRestarted = settings.clock !== 'live' && (clock ?? (await modeOf(emulator))) === 'live'
      begin = isRestarted ? await stoppedClockStart({ url: emulator.url, token }) : undefined
      before = await accountIdsOf({ url: emulator.url, token })
      return emulator
    },
    stop: async () => {},
    hadAccount: (key) => before.has(accountIdOf(key)),
    prepare: async (account) => {
      // A shared emulator may have live clocks, which begin now. Other clocks need a fixed start: dates and ids repeat.
      if (begin !== undefined) await account.clock.change({ mode: settings.clock ?? 'on-poll', now: begin })
      if (names.length > 0) await applyAccountSettings(account, settings)
    },
  }
}

/** Ids of all accounts. Asked for once for a file, so that a test need not reset an account that is not there. */
const accountIdsOf = async ({
  url,
  token = process.env.BACKLOT_CONTROL_TOKEN,
}: SharedServer): Promise<Set<string>> => {
  const { items } = await remoteTransport({ url, token }, DEFAULT_KEY)('accounts.list', {})
  return new Set(items.map(({ tag }) => tag))
}

/** Where paused and on-poll clocks begin: where the setting `startAt` says, which the emulator shows with its gaps. */
const stoppedClockStart = async ({ url, token = process.env.BACKLOT_CONTROL_TOKEN }: SharedServer) => {
  const { items } = await remoteTransport({ url, token }, DEFAULT_KEY)('gaps.list', {})
  const startAt = items.map(({ settings }) => settings.startAt).find((value) => typeof value === 'string')
  return startAt ?? new Date(STOPPED_CLOCK_START).toISOString()
}

/** Clock mode of new accounts. */
const modeOf = async (emulator: EmulatorHandles) => {
  const probe = emulator.account('test-clock')
  const { mode } = await probe.clock.read()
  await probe.reset()
  return mode
}

const accountSettingNames = [
  'clock',
  'speed',
  'balance',
  'requestsPerMinute',
  'tasksInFlight',
  'imageQuota',
  'scenario',
]

const applyAccountSettings = async (
  account: AccountHandles,
  { clock, speed, balance, requestsPerMinute, tasksInFlight, imageQuota, scenario = [] }: EmulatorSettings,
): Promise<void> => {
  if (clock !== undefined || speed !== undefined) await account.clock.change({ mode: clock, speed })
  // A reserved key opens its account in its own way, whatever the settings are.
  const [isPoor, isLimited] = ['no-balance', 'rate-limited'].map((prefix) => account.key.startsWith(prefix))
  const limits = {
    tasksInFlight,
    ...(isPoor ? {} : { imageQuota }),
    ...(isLimited ? {} : { requestsPerMinute }),
  }
  await account.change({ ...(isPoor ? {} : { balance }), limits })
  // The one that plays last is asked first.
  for (const each of [scenario].flat().toReversed()) await account.scenario.play(each)
}

const cannotChange = (url: string, names: readonly string[]): EmulatorError => {
  const problem = `${names.join(', ')} cannot be set for one file`
  const hint = 'Set it where the emulator is started, or have one for this file alone with shared: false.'
  const message = `The emulator at ${url} is used by others too, so that ${problem}.`
  return new EmulatorError(message, { code: 'shared-server', hint })
}

/** Settings of the emulator of a whole run, and the environment of its workers. */
export interface GlobalSetupOptions extends EmulatorSettings {
  /** Environment variables for all workers; `{url}` and `{port}` are filled in. */
  readonly env?: Readonly<Record<string, string>> | undefined
}

/**
 * Starts the emulator of a run, unless the environment names one that runs already. Its URL is in the environment, which
 * workers inherit; `stop` ends it, and puts the environment back.
 * @throws EmulatorError `bad-option` for a variable with `{key}`, which would never be set, or with another unknown placeholder,
 * and for an option that is neither `env` nor a setting
 */
export const startShared = async (options: GlobalSetupOptions = {}) => {
  const [withKey] =
    Object.entries(options?.env ?? {}).find(([, template]) => String(template).includes('{key}')) ?? []
  if (withKey !== undefined) {
    const message = `env: ${withKey} has {key}, and a global setup knows no key: each test has its own.`
    const hint =
      'Name it in the env of useEmulator, or write a fixed key here and give it to useEmulator as key.'
    throw new EmulatorError(message, { code: 'bad-option', hint })
  }
  validateEnvironment('globalSetup', options, ['url', 'port'])
  const { env = {}, ...settings } = options
  validateSettingNames('globalSetup', settings, ['env'])
  const running = sharedByEnvironment()
  const { stop, ...server } =
    running === undefined ? await started(settings) : { ...running, stop: async () => {} }
  const environment = createEnvironment({
    BACKLOT_URL: '{url}',
    ...(server.token === undefined ? {} : { BACKLOT_CONTROL_TOKEN: server.token }),
    ...env,
  })
  environment.set({ url: server.url })
  return {
    ...server,
    stop: async () => {
      environment.restore()
      await stop()
    },
  }
}

const started = async (settings: EmulatorSettings) => {
  const { emulator, token, stop } = await startInProcess(settings)
  // Loads the control API while the workers start, so that the first test does not wait for it.
  void send({ method: 'GET', url: `${emulator.url}/_backlot/health`, headers: {} }).catch(() => {})
  const server: SharedServer = { url: emulator.url, token, clock: settings.clock ?? 'on-poll' }
  return { ...server, stop }
}
