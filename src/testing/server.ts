import { EmulatorError } from '../core/emulator-error.js'
import { connectEmulator } from '../handles/connect.js'
import type { EmulatorHandles } from '../handles/emulator-handles.js'
import type { EmulatorSettings } from '../handles/emulator-settings.js'
import type { AccountHandles } from '../handles/handles.js'
import type { Framework, SharedServer } from './framework.js'
import type { HelperOptions } from './options.js'

/** The emulator of a test file. */
export interface Server {
  /** Known before it is started where it runs already. */
  readonly url: string | undefined
  /** Whether all of its accounts are this file's. */
  readonly isOwn: boolean
  start(): Promise<EmulatorHandles>
  /** Ends it where it is the file's own. */
  stop(): Promise<void>
  /** Gives an account the terms of the options, where the server does not have them for all. */
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
  return shared === undefined ? ownServer(framework, settings) : sharedServer(shared, settings)
}

const sharedBy = <Context>(framework: Framework<Context>, { shared, token }: HelperOptions) => {
  if (shared === false) return undefined
  const found = framework.shared()
  return found === undefined || token === undefined ? found : { ...found, token }
}

const ownServer = <Context>(framework: Framework<Context>, settings: EmulatorSettings): Server => {
  framework.load?.()
  let started: ReturnType<typeof framework.start> | undefined
  return {
    url: undefined,
    isOwn: true,
    start: async () => {
      started ??= framework.start(settings)
      return (await started).emulator
    },
    stop: async () => (await started)?.stop(),
    prepare: async () => {},
  }
}

const sharedServer = ({ url, token, clock }: SharedServer, settings: EmulatorSettings): Server => {
  const emulator = connectEmulator(url, token === undefined ? {} : { token })
  const given = Object.entries(settings).filter(([, value]) => value !== undefined)
  const impossible = given.map(([name]) => name).filter((name) => !ofAccounts.includes(name))
  if (impossible.length > 0) throw cannotChange(url, impossible)
  let isLive = false
  return {
    url: emulator.url,
    isOwn: false,
    start: async () => {
      isLive = settings.clock === undefined && (clock ?? (await modeOf(emulator))) === 'live'
      return emulator
    },
    stop: async () => {},
    prepare: async (account) => {
      // Whoever started it has not thought of tests, whose clocks move when they poll, from where dates and ids repeat.
      if (isLive) await account.clock.change({ mode: 'on-poll', now: STILL_START })
      if (given.length > 0) await giveTerms(account, settings)
    },
  }
}

const STILL_START = '2026-01-01T00:00:00.000Z'

/** How the clocks of new accounts go. */
const modeOf = async (emulator: EmulatorHandles) => {
  const looking = emulator.account('test-clock')
  const { mode } = await looking.clock.read()
  await looking.reset()
  return mode
}

/** The settings that an account can have for itself. */
const ofAccounts = [
  'clock',
  'speed',
  'balance',
  'requestsPerMinute',
  'tasksInFlight',
  'imageQuota',
  'scenario',
]

const giveTerms = async (
  account: AccountHandles,
  { clock, speed, balance, requestsPerMinute, tasksInFlight, imageQuota, scenario = [] }: EmulatorSettings,
): Promise<void> => {
  if (clock !== undefined || speed !== undefined) await account.clock.change({ mode: clock, speed })
  await account.change({ balance, limits: { requestsPerMinute, tasksInFlight, imageQuota } })
  // The one that plays last is asked first.
  for (const one of asList(scenario).toReversed()) await account.scenario.play(one)
}

const asList = <T extends string | object>(given: T | readonly T[]): readonly T[] =>
  Array.isArray(given) ? given : [given as T]

const cannotChange = (url: string, names: readonly string[]): EmulatorError =>
  new EmulatorError(
    `The emulator at ${url} is used by others too, so that ${names.join(', ')} cannot be set for one file.`,
    {
      code: 'shared-server',
      hint: 'Set it where the emulator is started, or have one for this file alone with shared: false.',
    },
  )
