import { createRequire } from 'node:module'
import { EmulatorError } from '../../emulator/surface/records.js'

/** Globals of Jest, as far as they are needed here. */
export interface JestGlobals {
  beforeAll(run: () => Promise<void>): void
  afterAll(run: () => Promise<void>): void
  beforeEach(run: () => Promise<void>): void
  afterEach(run: () => Promise<void>): void
  readonly expect: {
    getState(): { readonly testPath?: string; readonly currentTestName?: string }
    extend(matchers: object): void
  }
}

/** Jest's globals; with `injectGlobals: false` those of `@jest/globals`. */
export const jestGlobals = (): JestGlobals => {
  if ('beforeAll' in globalThis) return globalThis as unknown as JestGlobals
  try {
    return createRequire(import.meta.url)('@jest/globals') as JestGlobals
  } catch (cause) {
    throw new EmulatorError('backlot/jest is for tests that Jest runs.', {
      code: 'no-jest',
      hint: 'There are backlot/vitest and backlot/node-test too; without any of them, use startEmulator of backlot.',
      cause,
    })
  }
}
