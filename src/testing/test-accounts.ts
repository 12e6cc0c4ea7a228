import { hash } from 'node:crypto'
import type { EmulatorHandles } from '../client/emulator-handles.js'
import type { AccountHandles } from '../client/handles.js'
import { EmulatorError } from '../core/errors.js'
import { DEFAULT_KEY } from '../core/model/account.js'
import type { Finished } from '../generated/control-api.js'
import type { RunningTest } from './framework.js'
import { areNone, looseEndsText, without } from './loose-ends.js'
import type { LooseEnd } from './options.js'
import type { Server } from './server.js'

const noTest = (): EmulatorError =>
  new EmulatorError('No test is running whose account this could be.', {
    code: 'no-test',
    hint: 'In tests that run at the same time take one for each: await emulator.freshAccount({ test }). Outside of tests name one: emulator.account(key).',
  })

const severalTests = (): EmulatorError =>
  new EmulatorError(
    'Several tests are running at the same time, and nobody can tell whose account is meant.',
    {
      code: 'concurrent-tests',
      hint: 'Take one for each: await emulator.freshAccount({ test }), where test is what the test is called with.',
    },
  )

/** @param text what was left behind, as `looseEndsText` writes it */
const looseEnds = (who: string, text: string): EmulatorError => {
  const error = new EmulatorError(`${who} leaves loose ends.\n\n${text}`, { code: 'loose-ends' })
  // The stack would lead into the helper, where there is nothing to see.
  error.stack = `${error.name}: ${error.message}`
  return error
}

const MOST_WORDS = 40

/**
 * The key of a test's own account. It follows from the test's file and name, so that ids, seeds and pictures, which
 * follow from the key, are the same on every run, whatever else runs.
 * @param prefix what it begins with; `no-balance` and the other reserved ones make the account behave so
 */
export const keyFor = (
  { file, name }: Pick<RunningTest, 'file' | 'name'>,
  prefix = 'test',
  count = 1,
): string => {
  const words = name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
    .slice(0, MOST_WORDS)
    .replace(/-$/, '')
  const mark = hash('sha256', `${file}|${name}|${count}`, 'hex').slice(0, 8)
  return [prefix, words, mark].filter((part) => part !== '').join('-')
}

/** An account and the test that it is for. */
interface TestAccount {
  readonly account: AccountHandles
  /** Undefined where nobody knows; it stays until the end of the file. */
  readonly testId: string | undefined
  readonly allowed: readonly LooseEnd[]
}

/** A test that is running, one after the other with others. */
interface RunningAccount {
  readonly test: RunningTest
  readonly account: AccountHandles
  readonly allowed: Set<LooseEnd>
}

/** The accounts of the tests of a file: who has which, and what each leaves behind. */
interface TestAccounts {
  /** Gives a test its account; a part of a test has that of the whole. */
  acquire(test: RunningTest): Promise<AccountHandles>
  /** Gives a test one more, or one to nobody in particular. */
  add(asked: Asked): Promise<AccountHandles>
  /** The account of the test that is running. @throws EmulatorError `no-test` or `concurrent-tests` */
  current(): AccountHandles
  /** Lets the test that is running leave such things. @throws as `current` */
  allow(what: readonly LooseEnd[]): void
  /** Looks through the accounts of a test that has ended, and forgets them. @throws EmulatorError `loose-ends` */
  release(test: RunningTest): Promise<void>
  /** The same for all that are left. */
  releaseAll(): Promise<void>
}

interface Asked {
  readonly test: RunningTest | undefined
  readonly like: string | undefined
  readonly allow: readonly LooseEnd[]
}

interface TestAccountsParts {
  readonly server: Server
  readonly running: () => EmulatorHandles
  readonly knowsWhoCalls: boolean
  /** The key that all tests have; undefined where each has its own. */
  readonly onlyKey: string | undefined
  readonly allowed: readonly LooseEnd[]
}

export const createTestAccounts = ({
  server,
  running,
  knowsWhoCalls,
  onlyKey,
  allowed,
}: TestAccountsParts): TestAccounts => {
  const hosts = new Map<string, RunningAccount>()
  const accounts = new Set<TestAccount>()
  let wasUsed = false

  const enter = async (key: string, testId: string | undefined, allow: readonly LooseEnd[]) => {
    const account = running().account(key)
    accounts.add({ account, testId, allowed: allow })
    await server.prepare(account)
    return account
  }

  const freeKey = (test: Pick<RunningTest, 'file' | 'name'>, prefix?: string): string => {
    const taken = [...accounts].map(({ account }) => account.key)
    for (let count = 1; ; count += 1) {
      const key = keyFor(test, prefix, count)
      if (!taken.includes(key)) return key
    }
  }

  const onlyHost = (): RunningAccount | undefined => {
    const [first, ...others] = hosts.values()
    return others.length === 0 ? first : undefined
  }
  const theHost = (): RunningAccount => {
    const host = onlyHost()
    if (host === undefined) throw hosts.size === 0 ? noTest() : severalTests()
    return host
  }

  /** The loose ends of accounts, which begin anew. With `isAlone`, so do all accounts, and their calls are looked at too. */
  const finish = async (
    leaving: readonly TestAccount[],
    allow: Iterable<LooseEnd>,
    isAlone: boolean,
  ): Promise<string | undefined> => {
    for (const guest of leaving) accounts.delete(guest)
    const allowedTo = (guest?: TestAccount) => new Set([...allowed, ...allow, ...(guest?.allowed ?? [])])
    const last = isAlone ? leaving.at(-1) : undefined
    const ends = await Promise.all(
      leaving
        .filter((guest) => guest !== last)
        .map(async (guest) => without(await guest.account.finish(), allowedTo(guest))),
    )
    if (isAlone)
      ends.push(without(await running().finishAll(last?.account.key ?? DEFAULT_KEY), allowedTo(last)))
    const keys = leaving.map(({ account }) => account.key)
    return ends.every(areNone) ? undefined : looseEndsText(joined(ends), keys)
  }

  return {
    acquire: async (test) => {
      const outer = [...hosts.values()].find((host) => isPartOf(test, host.test))
      if (outer !== undefined) return outer.account
      const key = onlyKey ?? freeKey(test)
      // Another file, of a run that was broken off, may have left something under the one key that it had.
      if (onlyKey !== undefined && !wasUsed) await running().account(key).reset()
      wasUsed = true
      const account = await enter(key, test.id, [])
      hosts.set(test.id, { test, account, allowed: new Set() })
      return account
    },
    add: ({ test, like, allow }) => {
      const owner = test ?? (knowsWhoCalls ? onlyHost()?.test : undefined)
      return enter(freeKey(owner ?? { file: '', name: 'account' }, like), owner?.id, allow)
    },
    current: () => theHost().account,
    allow: (what) => {
      const { allowed: mine } = theHost()
      for (const end of what) mine.add(end)
    },
    release: async (test) => {
      const host = hosts.get(test.id)
      hosts.delete(test.id)
      const leaving = [...accounts].filter(({ testId }) => testId === test.id)
      const isAlone = server.isOwn && host !== undefined && leaving.length === accounts.size
      if (leaving.length === 0 && !isAlone) return
      const text = await finish(leaving, host?.allowed ?? [], isAlone)
      if (text === undefined) return
      // A test that broke off leaves much behind; that is worth reading, and not another failure.
      if (test.hasFailed === true) console.error(text)
      else throw looseEnds('The test', text)
    },
    releaseAll: async () => {
      const text = await finish([...accounts], [], server.isOwn)
      if (text !== undefined) throw looseEnds('The file', text)
    },
  }
}

// Hooks can run for the parts of a test as well, while it is running.
const isPartOf = (part: RunningTest, whole: RunningTest): boolean => part.name.startsWith(`${whole.name} > `)

const joined = (ends: readonly Finished[]): Finished => ({
  unexpectedCalls: ends.flatMap(({ unexpectedCalls }) => unexpectedCalls),
  undeliveredCallbacks: ends.flatMap(({ undeliveredCallbacks }) => undeliveredCallbacks),
  unusedSteps: ends.flatMap(({ unusedSteps }) => unusedSteps),
  timeline: ends.flatMap(({ timeline }) => timeline),
})
