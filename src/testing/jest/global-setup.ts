import { type GlobalSetupOptions, startShared } from '../server.js'
import { keepForTeardown } from './kept.js'

export type { GlobalSetupOptions }

/**
 * A global setup with settings: `module.exports = globalSetup({ timing: 'instant' })`. One emulator serves all test
 * files; the global teardown, `backlot/jest/global-teardown`, stops it.
 */
export const globalSetup =
  (options: GlobalSetupOptions = {}) =>
  async (): Promise<void> =>
    keepForTeardown(await startShared(options))

const setup = globalSetup()

// Named as `globalSetup` in the configuration, this module is a global setup itself.
export { setup as default }
