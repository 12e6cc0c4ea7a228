import { after, afterEach, before, beforeEach, type TestContext } from 'node:test'
import { isRecord } from '../emulator/surface/journal.js'
import { EmulatorError } from '../emulator/surface/records.js'
import { type Framework, type RunningTest, sharedByEnvironment } from './framework.js'
import { assertBehaved, type BehavedOptions } from './matchers/behaved.js'
import { type AnyTestEmulator, createUseEmulator, type UseEmulatorOptions } from './use-emulator.js'

export type * from '../emulator/surface/handle-types.js'

export type { Allowed, FreshAccountOptions, LooseEnd, UseEmulatorOptions } from './use-emulator.js'
export { assertBehaved, type BehavedOptions }
/** Emulator of a test file: handles of the account of the test that is running. */
export type TestEmulator = AnyTestEmulator<TestContext>

const file = (): string => process.argv[1] ?? ''

/** What is used of a test's context. Later versions of Node tell more than its name. */
type UsedContext = Pick<TestContext, 'name'> & { readonly fullName?: string; readonly passed?: boolean }

const testOf = (context: UsedContext): RunningTest => {
  const { name, fullName = name, passed } = context
  return {
    // All hooks of a test get the same object.
    id: context,
    file: file(),
    name: fullName,
    isConcurrent: false,
    hasFailed: passed === undefined ? undefined : !passed,
  }
}

const nodeTest: Framework<TestContext> = {
  beforeAll: (run) => before(run),
  afterAll: (run) => after(run),
  beforeEach: (run) => beforeEach((context) => run(testOf(context))),
  afterEach: (run) => {
    afterEach((context) => run(testOf(context)))
    // Where another afterEach throws, node:test skips those after it, and the test would count as running for ever.
    beforeEach((context) => 'after' in context && context.after(() => run(testOf(context))))
  },
  knowsWhoCalls: true,
  isContext: (value) => isRecord(value) && typeof value.after === 'function',
  atEndOf: (context, run) => {
    context.after(() => run(testOf(context)))
    return testOf(context)
  },
  file,
  shared: sharedByEnvironment,
  worker: () => String(process.pid),
}

/**
 * An emulator for the tests of a file: started before them and stopped after them, or the one that `backlot exec` has
 * started. Each test has an account of its own, whose handles these are, unless the options name the one key that the
 * code under test has. At its end a test fails over calls that the service does not have, callbacks that no receiver
 * accepted and required steps of scenarios that have not acted.
 * @example
 * ```ts
 * import assert from 'node:assert/strict'
 * import { test } from 'node:test'
 * import { useEmulator } from 'backlot/node-test'
 *
 * const emulator = useEmulator({ clock: 'paused' })
 *
 * test('nothing is ordered at the start', async () => {
 *   assert.deepEqual(await emulator.tasks.list(), [])
 * })
 * ```
 */
export const useEmulator = (options?: UseEmulatorOptions): TestEmulator => {
  const runner = otherRunner()
  if (runner !== undefined)
    throw new EmulatorError(`backlot/node-test is for tests that node:test runs; ${runner} runs this one.`, {
      code: 'no-node-test',
      hint: `Import useEmulator from backlot/${runner}.`,
    })
  return createUseEmulator(nodeTest)(options)
}

/** Runner of this realm other than node:test, by the state that it keeps in the global object. Hooks of node:test would never run. */
const otherRunner = (): 'jest' | 'vitest' | undefined => {
  if ('__vitest_worker__' in globalThis) return 'vitest'
  const symbols = Object.getOwnPropertySymbols(globalThis)
  return symbols.some(({ description }) => description === 'JEST_STATE_SYMBOL') ? 'jest' : undefined
}
