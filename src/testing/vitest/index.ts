import { afterAll, afterEach, beforeAll, beforeEach, expect, inject, type TestContext } from 'vitest'
import { type Framework, type RunningTest, type SharedServer, sharedByEnvironment } from '../framework.js'
import { type AnyTestEmulator, createUseEmulator, type UseEmulatorOptions } from '../use-emulator.js'

export type * from '../../emulator/surface/handle-types.js'

export type { Allowed, FreshAccountOptions, LooseEnd, UseEmulatorOptions } from '../use-emulator.js'

/** What is used of a test's context. A test with fixtures has to destructure its own. */
type UsedContext = Pick<TestContext, 'task' | 'onTestFinished'>
/** Emulator of a test file: handles of the account of the test that is running. */
export type TestEmulator = AnyTestEmulator<UsedContext>

type Task = TestContext['task']

const testOf = (task: Task): RunningTest => ({
  id: task.id,
  file: task.file.filepath,
  project: task.file.projectName,
  name: fullName(task),
  isConcurrent: task.concurrent === true,
  hasFailed: task.result?.state === 'fail',
})

const fullName = ({ name, suite }: Pick<Task, 'name' | 'suite'>): string => {
  const names = [name]
  for (let outer = suite; outer !== undefined; outer = outer.suite) names.unshift(outer.name)
  return names.join(' ')
}

const vitest: Framework<UsedContext> = {
  beforeAll: (run) => beforeAll(run),
  afterAll: (run) => afterAll(run),
  // Destructured: before a test with fixtures, vitest reads in the text of a hook which of them it wants.
  beforeEach: (run) => beforeEach(({ task }) => run(testOf(task))),
  afterEach: (run) => {
    afterEach(({ task }) => run(testOf(task)))
    // Where an afterEach of the file throws, vitest skips those above it, and the test would count as running for ever.
    beforeEach(({ task, onTestFinished }) => onTestFinished(() => run(testOf(task))))
  },
  knowsWhoCalls: true,
  isContext: (value) => typeof (value as TestContext | null)?.onTestFinished === 'function',
  atEndOf: ({ task, onTestFinished }, run) => {
    onTestFinished(() => run(testOf(task)))
    return testOf(task)
  },
  file: () => expect.getState().testPath ?? '',
  shared: () => inject('backlot') ?? sharedByEnvironment(),
  worker: () => process.env.VITEST_POOL_ID ?? '1',
}

/**
 * An emulator for the tests of a file: started before them and stopped after them, or the one of the whole run where
 * there is a global setup. Each test has an account of its own, whose handles these are, unless the options name the one
 * key that the code under test has. At its end a test fails over calls that the service does not have, callbacks that
 * no receiver accepted and required steps of scenarios that have not acted.
 * @example
 * ```ts
 * import { useEmulator } from 'backlot/vitest'
 * import { expect, test } from 'vitest'
 *
 * const emulator = useEmulator({ clock: 'paused' })
 *
 * test('nothing is ordered at the start', async () => {
 *   expect(await emulator.tasks.list()).toEqual([])
 * })
 * ```
 */
export const useEmulator: (options?: UseEmulatorOptions) => TestEmulator = createUseEmulator(vitest)

declare module 'vitest' {
  interface ProvidedContext {
    /** The emulator of the whole run. */
    backlot: SharedServer | undefined
  }
}
