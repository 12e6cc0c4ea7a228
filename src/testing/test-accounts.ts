import { appendFileSync, mkdirSync, readFileSync } from 'node:fs'
import { basename, dirname, join, relative, resolve, sep } from 'node:path'
import type { AccountHandles, EmulatorHandles } from '../emulator/surface/client.js'
import {
  accountIdOf,
  DEFAULT_KEY,
  EmulatorError,
  hash,
  nearest,
  RESERVED_KEYS,
  slug,
} from '../emulator/surface/records.js'
import type { Finished, TimelineItem } from '../generated/control-api.js'
import type { Framework, RunningTest } from './framework.js'
import { evictedText, looseEndsText, timelineText, withoutAllowed, wrongKeyHint } from './loose-ends.js'
import { type Allowed, validateWords } from './options.js'
import type { Server } from './server.js'

const noTest = (): EmulatorError =>
  new EmulatorError('No test is running whose account this could be.', {
    code: 'no-test',
    hint: [
      'A matcher that is not awaited, `await expect(emulator)…`, asks when its test has ended.',
      'In other code name one: emulator.account(key).',
      'In tests that run at the same time take one for each: await emulator.freshAccount({ test }), in Jest without an argument.',
      'An afterEach of Jest or node:test that uses it stands above useEmulator.',
      'useEmulator itself is called at the top of a file or of a describe, not in a test.',
    ].join(' '),
  })

const severalTests = (): EmulatorError => {
  const message = 'Several tests are running at the same time, so that it is unknown whose account is meant.'
  return new EmulatorError(message, {
    code: 'concurrent-tests',
    hint: 'Take one for each: await emulator.freshAccount({ test }), where test is what the test is called with.',
  })
}

/** A reserved key, which makes an account behave as its name says. */
export type ReservedKey = (typeof RESERVED_KEYS)[number]

/** @param text what was left behind, as `looseEndsText` writes it */
const looseEndsError = (subject: string, text: string): EmulatorError => {
  const error = new EmulatorError(`${subject} leaves loose ends.\n\n${text}`, { code: 'loose-ends' })
  // The stack would lead into the helper, where there is nothing to see.
  error.stack = `${error.name}: ${error.message}`
  return error
}

type NamedTest = Pick<RunningTest, 'file' | 'project' | 'name'>

const MAX_NAME_LENGTH = 40

/**
 * API key of a test's own account. It depends only on the package, the file in it and the test's name, so that ids, seeds and
 * pictures, which depend on the key, are the same on every run, from whichever folder it is started.
 * @param prefix what it begins with; `no-balance` and the other reserved ones make the account behave so
 */
export const keyFor = (test: NamedTest, prefix = 'test', count = 1): string => {
  const { file, name } = test
  const words = slug(name).slice(0, MAX_NAME_LENGTH).replace(/-$/, '')
  const { name: packageName, folder } = packageOf(file)
  // Where the packages of a repository run together, each of them is a project.
  const project = [packageName, basename(folder)].includes(test.project ?? '') ? undefined : test.project
  const path = testFileOf({ file, project }, folder)
  const digest = hash('sha256', `${packageName}|${path}|${name}|${count}`, 'hex').slice(0, 8)
  return [prefix, words, digest].filter((part) => part !== '').join('-')
}

/** File of tests relative to a folder, alike on every system: keys are made of it, and reports are compared. */
export const testFileOf = ({ file, project }: Omit<NamedTest, 'name'>, folder = process.cwd()): string =>
  [project, relative(folder, resolve(file)).split(sep).join('/')].filter(Boolean).join(' ')

interface Package {
  readonly name: string
  readonly folder: string
}

const packages = new Map<string, Package>()

/**
 * Package of a test file: that of the nearest package.json that has a name, upwards. Where none has, it has no name, and begins
 * in the working directory.
 */
export const packageOf = (file: string): Package => {
  const path = resolve(file)
  const known = packages.get(path) ?? packageFrom(path)
  packages.set(path, known)
  return known
}

const packageFrom = (folder: string): Package => {
  const name = nameIn(join(folder, 'package.json'))
  if (name !== undefined) return { name, folder }
  const above = dirname(folder)
  return above === folder ? { name: '', folder: process.cwd() } : packageFrom(above)
}

const nameIn = (file: string): string | undefined => {
  try {
    return JSON.parse(readFileSync(file, 'utf8')).name
  } catch {
    return undefined
  }
}

interface TestAccount {
  readonly account: AccountHandles
  /** Undefined where it is unknown: the account stays until the end of the file. */
  readonly test: RunningTest | undefined
  readonly allowed: Set<Allowed>
}

interface TestAccountsParts {
  readonly server: Server
  readonly running: () => EmulatorHandles
  readonly framework: Pick<Framework<never>, 'knowsWhoCalls' | 'file'>
  /** The key that all tests have. Undefined where each has its own. */
  readonly onlyKey: string | undefined
  readonly allowed: readonly Allowed[]
  /** Whether findings of the verdict fail a test. */
  readonly isJudged: boolean
}

/** Pool of the accounts of a file's tests: which test has which, and what each leaves behind. */
export class TestAccounts {
  readonly #parts: TestAccountsParts
  readonly #accounts = new Set<TestAccount>()
  /** The first accounts of the tests that are running, by the ids of the tests. */
  readonly #tests = new Map<unknown, TestAccount>()
  /** Keys that the file has used: what a test has not awaited may have opened their accounts again. */
  readonly #used = new Set<string>()
  #wasUsed = false

  constructor(parts: TestAccountsParts) {
    this.#parts = parts
  }

  /** Gives a test its account; a part of a test has that of the whole. */
  async acquire(test: RunningTest): Promise<AccountHandles> {
    // Hooks can run for the parts of a test as well, while it is running.
    const outer = [...this.#tests.values()].find((other) => test.name.startsWith(`${other.test?.name} > `))
    if (outer !== undefined) return outer.account
    const { onlyKey, running } = this.#parts
    const key = onlyKey ?? this.#freeKey(test)
    // An interrupted run of another file may have left something under the one key that it had.
    if (onlyKey !== undefined && !this.#wasUsed) await running().account(key).reset()
    this.#wasUsed = true
    const entered = await this.#enter(key, test)
    this.#tests.set(test.id, entered)
    return entered.account
  }

  /**
   * Gives a test a further account, or adds one that belongs to no test. `like`: what its key begins with.
   * @throws EmulatorError `bad-option` for what is nearly a reserved key: the account would behave like any other
   */
  async add(
    test: RunningTest | undefined,
    like: string | undefined,
    allow: readonly Allowed[],
  ): Promise<AccountHandles> {
    const isReserved = RESERVED_KEYS.some((reserved) => like?.startsWith(reserved))
    const meant = nearest(like ?? '', RESERVED_KEYS)
    // `valid` says the opposite of `invalid`: it is no slip of the pen.
    if (like !== undefined && !isReserved && meant?.endsWith(like) === false)
      validateWords('reserved key', [like], RESERVED_KEYS)
    const { framework } = this.#parts
    const owner = test ?? (framework.knowsWhoCalls ? this.#onlyTest()?.test : undefined)
    const key = this.#freeKey(owner ?? { file: framework.file(), name: 'account' }, like)
    return (await this.#enter(key, owner, allow)).account
  }

  /** The account of the test that is running. @throws EmulatorError `no-test` or `concurrent-tests` */
  current(): AccountHandles {
    return this.#currentTest().account
  }

  /** Lets the test that is running leave such things. @throws as `current` */
  allow(what: readonly Allowed[]): void {
    const { allowed } = this.#currentTest()
    for (const end of what) allowed.add(end)
  }

  /** Checks the accounts of a test that has ended, and forgets them. @throws EmulatorError `loose-ends` */
  async release(test: RunningTest): Promise<void> {
    const { server, running } = this.#parts
    const ended = this.#tests.get(test.id)
    this.#tests.delete(test.id)
    const leaving = [...this.#accounts].filter((left) => left.test?.id === test.id)
    const isAlone = server.isOwn && ended !== undefined && leaving.length === this.#accounts.size
    if (leaving.length === 0 && !isAlone) return
    const happened = test.hasFailed === true ? await happenedText(running(), leaving, isAlone) : ''
    const { ends, keys } = await this.#finish(leaving, ended?.allowed ?? [], isAlone)
    // A test that has failed already is not failed a second time: what happened shows why.
    const text = looseEndsText(ends, keys, ended === undefined ? 'concurrent test' : 'test')
    if (test.hasFailed === true) await (test.report ?? console.error)(text ?? happened)
    else if (text !== undefined) throw looseEndsError('The test', text)
  }

  /** Checks the accounts that are left, and forgets them. @throws EmulatorError `loose-ends` */
  async releaseAll(): Promise<void> {
    const { ends, keys } = await this.#finish([...this.#accounts], [], this.#parts.server.isOwn)
    const text = looseEndsText(ends, keys, keys.length === 0 ? undefined : 'file')
    if (text !== undefined) throw looseEndsError('The file', text)
  }

  async #enter(
    key: string,
    test: RunningTest | undefined,
    allowed: readonly Allowed[] = [],
  ): Promise<TestAccount> {
    const { server, running, onlyKey } = this.#parts
    const account = running().account(key)
    const reset = async () => {
      await account.reset()
      await server.prepare(account)
    }
    const entered: TestAccount = { account: { ...account, reset }, test, allowed: new Set(allowed) }
    this.#accounts.add(entered)
    if (test !== undefined) noteTest(key, test)
    // An interrupted run may have left something under the key, which is the same on every run.
    const isFresh = server.isOwn || key === onlyKey || !(server.hadAccount(key) || this.#used.has(key))
    this.#used.add(key)
    await (isFresh ? server.prepare(account) : reset())
    return entered
  }

  /** The first key of a test that is not taken. */
  #freeKey(test: NamedTest, prefix?: string): string {
    const taken = [...this.#accounts].map(({ account }) => account.key)
    for (let count = 1; ; count += 1) {
      const key = keyFor(test, prefix, count)
      if (!taken.includes(key)) return key
    }
  }

  #onlyTest(): TestAccount | undefined {
    const [first, ...others] = this.#tests.values()
    return others.length === 0 ? first : undefined
  }

  #currentTest(): TestAccount {
    const test = this.#onlyTest()
    if (test === undefined) throw this.#tests.size === 0 ? noTest() : severalTests()
    return test
  }

  #finish(leaving: readonly TestAccount[], allow: Iterable<Allowed>, isAlone: boolean) {
    for (const left of leaving) this.#accounts.delete(left)
    return finishAll(this.#parts, leaving, allow, isAlone)
  }
}

/** Resets accounts, and returns their loose ends and keys; with `isAlone` of all accounts, that of calls without a key too. */
const finishAll = async (
  { running, allowed, isJudged }: TestAccountsParts,
  leaving: readonly TestAccount[],
  allow: Iterable<Allowed>,
  isAlone: boolean,
) => {
  const last = isAlone ? leaving.at(-1) : undefined
  const options = { verdict: isJudged }
  const endsOf = async (left: TestAccount | undefined, finished: Promise<Finished>) =>
    withoutAllowed(await finished, [...allowed, ...allow, ...(left?.allowed ?? [])])
  const others = leaving.filter((left) => left !== last)
  const ends = await Promise.all(others.map((left) => endsOf(left, left.account.finish(options))))
  if (isAlone) ends.push(await endsOf(last, running().finishAll(last?.account.key ?? DEFAULT_KEY, options)))
  for (const { evicted } of ends) if (evicted !== undefined) console.warn(evictedText(evicted))
  return { ends: mergeLooseEnds(ends), keys: leaving.map(({ account }) => account.key) }
}

/** What happened on accounts, and on that of calls without a key where no other test can have made them. */
const timelineOf = async (
  emulator: EmulatorHandles,
  leaving: readonly TestAccount[],
  isAlone: boolean,
): Promise<TimelineItem[]> => {
  const shown = leaving.map(({ account }) => account)
  if (isAlone) shown.push(emulator.account(DEFAULT_KEY))
  return (await Promise.all(shown.map((account) => account.timeline()))).flat()
}

/** Text of what happened on the accounts of a failed test, and whether its code seems to call with another key. */
const happenedText = async (
  emulator: EmulatorHandles,
  leaving: readonly TestAccount[],
  isAlone: boolean,
): Promise<string> => {
  const items = await timelineOf(emulator, leaving, isAlone)
  const keys = leaving.map(({ account }) => account.key)
  const text = timelineText(items, keys)
  const called = new Set(items.map(({ account }) => account))
  const [first] = leaving
  if (first === undefined || keys.some((key) => called.has(accountIdOf(key)))) return text
  const hint = await wrongKeyHint(first.account)
  return hint === undefined ? text : `${text}\n${hint}`
}

const mergeLooseEnds = (ends: readonly Finished[]): Finished => ({
  unexpectedCalls: ends.flatMap(({ unexpectedCalls }) => unexpectedCalls),
  undeliveredCallbacks: ends.flatMap(({ undeliveredCallbacks }) => undeliveredCallbacks),
  unusedSteps: ends.flatMap(({ unusedSteps }) => unusedSteps),
  abandonedTasks: ends.flatMap(({ abandonedTasks }) => abandonedTasks),
  verdict: ends.flatMap(({ verdict }) => verdict),
  timeline: ends.flatMap(({ timeline }) => timeline),
})

/** Line of JSON that assigns an account to a test, from `at` on, in Unix milliseconds. */
const lineOf = (key: string, test: NamedTest): string => {
  const place = { account: accountIdOf(key), at: Date.now(), file: testFileOf(test) }
  return `${JSON.stringify({ kind: 'test', ...place, test: test.name })}\n`
}

/** Notes which test an account is for, where a sweep or a coverage run counts, so that its report can name the test. */
const noteTest = (key: string, test: NamedTest): void => {
  const { BACKLOT_SWEEP: sweep, BACKLOT_COVERAGE: coverage } = process.env
  if (sweep) appendFileSync(join(sweep, `sightings-tests-${process.pid}.jsonl`), lineOf(key, test))
  if (!coverage) return
  mkdirSync(coverage, { recursive: true })
  appendFileSync(join(coverage, `tests-${process.pid}.jsonl`), lineOf(key, test))
}
