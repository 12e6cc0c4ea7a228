import { type GlobalSetupOptions, startShared } from '../server.js'

export type { GlobalSetupOptions }

/**
 * A global setup with settings: `module.exports = globalSetup({ timing: 'instant' })`. One emulator serves all test
 * files; the global teardown, `backlot/jest/global-teardown`, stops it.
 */
export const globalSetup =
  (options: GlobalSetupOptions = {}) =>
  async (): Promise<void> =>
    // Jest loads setup and teardown apart from each other, but in one process.
    void Reflect.set(globalThis, Symbol.for('backlot.jest.shared'), await startShared(options))

const setup = globalSetup()

// Named as `globalSetup` in the configuration, this module is a global setup itself.
export { setup as default }
