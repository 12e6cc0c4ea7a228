import { test as base, type WorkerInfo } from '@playwright/test'
import { EmulatorError } from '../../emulator/surface/records.js'
import { sharedByEnvironment } from '../framework.js'
import { matchers } from '../matchers/index.js'
import { type AnyTestEmulator, createUseEmulator, type UseEmulatorOptions } from '../use-emulator.js'
import { createFramework, type Hooks, runningTest } from './framework.js'

export type * from '../../emulator/surface/handle-types.js'

export type { Allowed, FreshAccountOptions, LooseEnd, UseEmulatorOptions } from '../use-emulator.js'

/** Emulator of a worker: its handles are those of the account of the test that is running. */
export type TestEmulator = AnyTestEmulator<never>

/** Fixtures of a test. */
export interface EmulatorFixtures {
  /**
   * The emulator, with the handles of the test's own account, its `key` and the `url`. It is set up for every test. At its end a
   * test fails over loose ends, as with the other helpers; a failed test has what happened as an attachment, `backlot timeline`.
   */
  readonly emulator: TestEmulator
}

/** Fixtures and options of a worker. */
export interface EmulatorWorkerFixtures {
  /**
   * Option: as `useEmulator` takes them, such as `url` and `key` of an emulator that the app under test knows already, or
   * settings of an emulator that is started for each worker. Default: none.
   */
  readonly emulatorOptions: UseEmulatorOptions
  /** The emulator of the worker, for worker fixtures that start the app: its `url` is known. */
  readonly emulatorOfWorker: TestEmulator
  /** What the fixture of a test runs. */
  readonly emulatorHooks: Hooks & { readonly emulator: TestEmulator }
}

/**
 * The `test` of Playwright with an emulator for each worker, or the one that the option `url` or `BACKLOT_URL` names, and an
 * account for each test.
 * @throws EmulatorError in the set-up of a test: `concurrent-tests` where several workers would have one key on one emulator,
 * and those of `useEmulator`
 */
export const test = base.extend<EmulatorFixtures, EmulatorWorkerFixtures>({
  emulatorOptions: [{}, { option: true, scope: 'worker' }],
  emulatorHooks: [
    async ({ emulatorOptions }, use, worker) => {
      refuseOneKey(emulatorOptions, worker)
      const { framework, hooks } = createFramework(worker)
      const emulator = createUseEmulator(framework)(emulatorOptions)
      for (const run of hooks.beforeAll) await run()
      await use({ ...hooks, emulator })
      for (const run of hooks.afterAll) await run()
    },
    { scope: 'worker' },
  ],
  emulatorOfWorker: [async ({ emulatorHooks }, use) => use(emulatorHooks.emulator), { scope: 'worker' }],
  emulator: [
    async ({ emulatorHooks: { beforeEach, afterEach, emulator } }, use, info) => {
      for (const run of beforeEach) await run(runningTest(info))
      await use(emulator)
      for (const run of afterEach) await run(runningTest(info))
    },
    { auto: true },
  ],
})

/** The `expect` of Playwright with the matchers of `backlot/matchers`. */
export const expect = base.expect.extend(matchers)

/** Tests of several workers at the same time would share an account that is reset between tests. */
const refuseOneKey = ({ key, url, shared }: UseEmulatorOptions, { config }: WorkerInfo): void => {
  const isShared = url !== undefined || (shared !== false && sharedByEnvironment() !== undefined)
  if (key === undefined || !isShared || config.workers === 1) return
  throw new EmulatorError(
    `${config.workers} workers would have one account of one emulator: that of the option key.`,
    {
      code: 'concurrent-tests',
      hint: 'Set workers: 1 in playwright.config, or let each worker start an emulator and the app (docs/testing.md#playwright).',
    },
  )
}
