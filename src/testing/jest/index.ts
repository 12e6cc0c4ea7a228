import { EmulatorError } from '../../emulator/surface/records.js'
import { type Framework, type RunningTest, sharedByEnvironment } from '../framework.js'
import { type AnyTestEmulator, createUseEmulator, type UseEmulatorOptions } from '../use-emulator.js'
import { type JestGlobals, jestGlobals } from './globals.js'

export type * from '../../emulator/surface/handle-types.js'

export type { Allowed, FreshAccountOptions, LooseEnd, UseEmulatorOptions } from '../use-emulator.js'
/** Jest hands no context to tests. */
export type TestEmulator = AnyTestEmulator<never>

const fileOf = (expect: JestGlobals['expect']): string => expect.getState().testPath ?? ''

const runningTest = (expect: JestGlobals['expect']): RunningTest => {
  const { currentTestName = '' } = expect.getState()
  return {
    // Jest runs one after the other all tests for which it runs hooks.
    id: 'the one that is running',
    file: fileOf(expect),
    name: currentTestName,
    isConcurrent: false,
    ...hasFailed(),
  }
}

// Jest says nowhere in public whether a test has failed by the time its hooks run. jest-circus keeps it in its state.
const hasFailed = (): Pick<RunningTest, 'hasFailed'> => {
  const key = Object.getOwnPropertySymbols(globalThis).find(
    ({ description }) => description === 'JEST_STATE_SYMBOL',
  )
  const state = key && (globalThis as unknown as Record<symbol, JestState | undefined>)[key]
  const errors = state?.currentlyRunningTest?.errors
  return errors === undefined ? {} : { hasFailed: errors.length > 0 }
}

/** State of jest-circus, as far as it is needed here. */
interface JestState {
  readonly currentlyRunningTest?: { readonly errors?: readonly unknown[] } | null
}

const createFramework = (): Framework<never> => {
  const { expect, beforeAll, afterAll, beforeEach, afterEach } = jestGlobals()
  return {
    beforeAll,
    afterAll,
    beforeEach: (run) => beforeEach(() => run(runningTest(expect))),
    afterEach: (run) => afterEach(() => run(runningTest(expect))),
    // The bodies of concurrent tests run while the hooks of others do.
    knowsWhoCalls: false,
    isContext: () => true,
    atEndOf: () => {
      throw new EmulatorError('Jest hands nothing to tests that could be told apart.', {
        code: 'bad-option',
        hint: 'Leave out test: the account is looked through at the end of the file.',
      })
    },
    file: () => fileOf(expect),
    shared: sharedByEnvironment,
    worker: () => process.env.JEST_WORKER_ID ?? '1',
  }
}

/**
 * An emulator for the tests of a file: started before them and stopped after them, or the one of the whole run where
 * there is a global setup. Each test has an account of its own, whose handles these are, unless the options name the one
 * key that the code under test has. At its end a test fails over calls that the service does not have, callbacks that
 * no receiver accepted and required steps of scenarios that have not acted.
 * @example
 * ```ts
 * import { useEmulator } from 'backlot/jest'
 *
 * const emulator = useEmulator({ clock: 'paused' })
 * const tasksAtTheStart = () => emulator.tasks.list()
 * ```
 */
export const useEmulator = (options?: UseEmulatorOptions): TestEmulator =>
  createUseEmulator(createFramework())(options)
