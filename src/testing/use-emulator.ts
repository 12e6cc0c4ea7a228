import { resolve } from 'node:path'
import {
  type AccountHandles,
  createHandles,
  type EmulatorHandles,
  list,
  optional,
  text,
  validateNamed,
} from '../emulator/surface/client.js'
import { EmulatorError, idempotent, slug } from '../emulator/surface/records.js'
import type { Framework, RunningTest } from './framework.js'
import { validateLooseEnds } from './loose-ends.js'
import {
  type Allowed,
  type HelperOptions,
  type LooseEnd,
  OFF_BY_DEFAULT,
  settingsIn,
  type UseEmulatorOptions,
  validateOptions,
  validateWords,
} from './options.js'
import { createEnvironment, serverFor } from './server.js'
import { packageOf, type ReservedKey, TestAccounts } from './test-accounts.js'

export type { Allowed, LooseEnd, UseEmulatorOptions }

/** Options of an account that a test takes besides its own. */
export interface FreshAccountOptions<Context> {
  /** The context of the test, at whose end the account is looked through; needed where tests run at the same time. */
  readonly test?: Context | undefined
  /** What the key begins with: `no-balance`, `rate-limited` and other reserved ones make the account behave so. */
  readonly like?: ReservedKey | (string & {}) | undefined
  /** What does not fail the test, besides what the options of `useEmulator` allow. */
  readonly allow?: readonly Allowed[] | undefined
}

/** An emulator for tests. Its handles are those of the account of the test that is running. */
export interface AnyTestEmulator<Context> extends AccountHandles {
  /** Known from the first `beforeAll` on; sooner where the emulator runs already, or after `await emulator.ready`. */
  readonly url: string
  /** Resolves once the emulator runs and the environment variables are set: for code that reads them when imported. */
  readonly ready: Promise<void>
  /** The handles of any account. Nothing is looked through at the end of a test, unless the emulator is the file's own. */
  account(key: string): AccountHandles
  /** A further account, or in tests that run at the same time the only one; looked through and forgotten at the end. */
  freshAccount(options?: FreshAccountOptions<Context>): Promise<AccountHandles>
  /** Lets the running test end with such loose ends, findings, or calls of such paths. @throws EmulatorError `bad-option` for a word that is none of them */
  allow(...what: Allowed[]): void
}

/** Makes `useEmulator` for a test framework. */
export const createUseEmulator =
  <Context>(framework: Framework<Context>) =>
  (options: UseEmulatorOptions = {}): AnyTestEmulator<Context> => {
    const settings = settingsIn(options)
    const { env = {}, key: given, isolation = 'fresh', allow: allowed = [], forbid = [] } = options
    refuseContradictions(options)
    validateLooseEnds(allowed)
    validateWords('loose end to forbid', forbid, OFF_BY_DEFAULT)
    validateWords('isolation', [isolation], ['fresh', 'reset'])
    joinCoverage(options.coverage)
    const server = serverFor(framework, options, settings)
    const environment = createEnvironment(env)
    const isReset = given !== undefined || isolation === 'reset'
    const onlyKey = isReset ? (given ?? (server.isOwn ? 'test-key' : sharedKey(framework))) : undefined
    let emulator: EmulatorHandles | undefined

    const ready = idempotent(async () => {
      emulator = await server.start()
      setEnvironment(emulator.url)
    })
    const setEnvironment = (url: string) => environment.set({ url, key: onlyKey })
    const running = (): EmulatorHandles => {
      if (emulator === undefined) throw notStarted()
      return emulator
    }
    const accounts = new TestAccounts({
      server,
      running,
      framework,
      onlyKey,
      isJudged: options.verdict === true,
      allowed: [...allowed, ...OFF_BY_DEFAULT.filter((kind) => !forbid.includes(kind))],
    })

    const release = (test: RunningTest) => accounts.release(test)

    if (server.url !== undefined) setEnvironment(server.url)
    framework.beforeAll(ready)
    framework.beforeEach(async (test) => {
      if (test.isConcurrent) return refuseSharing(onlyKey, options)
      const { key } = await accounts.acquire(test)
      environment.set({ url: running().url, key })
    })
    framework.afterEach(release)
    framework.afterAll(async () => {
      try {
        if (emulator !== undefined) await accounts.releaseAll()
      } finally {
        environment.restore()
        await server.stop()
      }
    })

    return withHandles(
      {
        get url() {
          return emulator?.url ?? server.url ?? running().url
        },
        get ready() {
          return ready()
        },
        account: (key: string) => running().account(key),
        freshAccount: async (asked: FreshAccountOptions<Context> = {}) => {
          validateOptions('freshAccount', asked, ['test', 'like', 'allow'])
          const test = { allowed: 'what the test is called with', fits: framework.isContext }
          const kinds = { test: optional(test), like: optional(text), allow: optional(list) }
          validateNamed('freshAccount', asked, kinds)
          const { test: context, like, allow = [] } = asked
          validateLooseEnds(allow)
          // Some frameworks begin with tests that run at the same time before they come to beforeAll.
          await ready()
          const owner = context === undefined ? undefined : framework.atEndOf(context, release)
          return accounts.add(owner, like, allow)
        },
        allow: (...what: Allowed[]) => {
          validateLooseEnds(what)
          accounts.allow(what)
        },
      },
      () => accounts.current(),
    )
  }

const sharedKey = ({ file, worker }: Pick<Framework<never>, 'file' | 'worker'>): string =>
  ['test-key', slug(packageOf(file()).name), worker()].filter((part) => part !== '').join('-')

/** Makes the emulators of this process count what tests cover. A folder that the environment names has precedence. */
const joinCoverage = (coverage: HelperOptions['coverage']): void => {
  if (!coverage || process.env.BACKLOT_COVERAGE) return
  process.env.BACKLOT_COVERAGE = resolve(coverage === true ? 'backlot-coverage' : coverage)
}

const refuseContradictions = ({ key, isolation, account = [] }: UseEmulatorOptions): void => {
  if (key !== undefined && isolation === 'fresh')
    throw new EmulatorError('With a key of its own, code cannot be given another account for each test.', {
      code: 'bad-option',
      hint: "Leave out isolation: 'fresh', or leave out key and give the code emulator.key.",
    })
  if (account.length > 0 && key === undefined)
    throw new EmulatorError(
      'The setting account lists all the keys that there are, so that no test can have a fresh one.',
      { code: 'bad-option', hint: 'Name one of them as key.' },
    )
}

// One account that is reset between tests cannot separate tests that run at the same time, nor can a variable with one key.
const refuseSharing = (onlyKey: string | undefined, { key, env = {} }: HelperOptions): void => {
  const [variable] = Object.entries(env).find(([, template]) => template.includes('{key}')) ?? []
  if (onlyKey === undefined && variable === undefined) return
  const cause =
    onlyKey === undefined
      ? `that in the variable ${variable} (option env)`
      : `that of the option ${key === undefined ? "isolation: 'reset'" : 'key'}`
  throw new EmulatorError(`Tests that run at the same time cannot share one key: ${cause}.`, {
    code: 'concurrent-tests',
    hint: 'Leave it out and give the code the key of an account: const account = await emulator.freshAccount({ test }). Or run them one after the other.',
  })
}

const notStarted = (): EmulatorError =>
  new EmulatorError('The emulator does not run yet: it is started before the first test.', {
    code: 'not-started',
    hint: 'Use it in tests and hooks, or await emulator.ready first. useEmulator itself is called at the top of a file or of a describe, not in a test.',
  })

const noTransport = async () => {
  throw notStarted()
}

/** Adds the handles of an account that is looked up at each use. They are not enumerable, so that printing the object uses none. */
const withHandles = <T extends object>(own: T, current: () => AccountHandles): T & AccountHandles => {
  for (const name of Object.keys(createHandles('', noTransport)) as (keyof AccountHandles)[])
    Object.defineProperty(own, name, { get: () => current()[name], enumerable: false })
  return own as T & AccountHandles
}
