import type { EmulatorHandles } from '../emulator/surface/client.js'
import type { ClockMode } from '../emulator/surface/records.js'

/** Running test, as far as a helper needs it. */
export interface RunningTest {
  /** Identity: the same before and after the test, and of no other test. */
  readonly id: unknown
  /** File, from the root or from the working directory on. The key of the test's account is made of it, the name and the package. */
  readonly file: string
  /** Name of a part of the run that runs the same files in another way. Default: there is none. */
  readonly project?: string
  readonly name: string
  /** Whether other tests of this file run at the same time, so that calls cannot be assigned to a test. */
  readonly isConcurrent: boolean
  /** Whether it has already failed, or undefined where the framework does not report it. */
  readonly hasFailed?: boolean
  /** Takes the text of what happened in a test that has failed. Default: standard error. */
  readonly report?: (text: string) => Promise<void>
}

/** An emulator that others use too. */
export interface SharedServer {
  readonly url: string
  readonly token?: string | undefined
  /** Clock mode of its accounts, or undefined where it is unknown and has to be asked of the emulator. */
  readonly clock?: ClockMode | undefined
}

/** An emulator for the tests of one file. */
export interface OwnServer {
  readonly emulator: EmulatorHandles
  /** Token of its control API, or undefined where it requires none. */
  readonly token?: string | undefined
  readonly stop: () => Promise<void>
}

/** Adapter of a test framework: what the helper needs of it. */
export interface Framework<Context> {
  readonly beforeAll: (run: () => Promise<void>) => void
  readonly afterAll: (run: () => Promise<void>) => void
  readonly beforeEach: (run: (test: RunningTest) => Promise<void>) => void
  readonly afterEach: (run: (test: RunningTest) => Promise<void>) => void
  /** Whether calls can be assigned to a test: only tests between their hooks can call. */
  readonly knowsWhoCalls: boolean
  readonly isContext: (value: unknown) => boolean
  /** Registers a function for the end of the test that a context belongs to; returns the test. */
  readonly atEndOf: (context: Context, run: (test: RunningTest) => Promise<void>) => RunningTest
  /** File of the tests, as `RunningTest` has it. */
  readonly file: () => string
  /** The server of the whole run; undefined where each file has its own. */
  readonly shared: () => SharedServer | undefined
  /** Id of this worker in the run: `1`, `2`. */
  readonly worker: () => string
}

/**
 * The emulator that `backlot exec` or a global setup has named in the environment; undefined where none has. That of a
 * sweep is for tests without a helper: the others start their own as they always do, which joins the sweep.
 */
export const sharedByEnvironment = (): SharedServer | undefined => {
  const { BACKLOT_URL: url, BACKLOT_CONTROL_TOKEN: token, BACKLOT_SWEEP_URL: swept } = process.env
  return url === undefined || url === '' || url === swept ? undefined : { url, token }
}
