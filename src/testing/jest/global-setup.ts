import { type GlobalSetupOptions, type SharedEmulator, startShared } from '../server.js'

// Jest loads setup and teardown apart from each other, but in one process.
const KEPT = Symbol.for('backlot.jest.shared')

type KeptStop = { [KEPT]?: SharedEmulator | undefined }

export const keepForTeardown = (shared: SharedEmulator): void => {
  ;(globalThis as KeptStop)[KEPT] = shared
}

export const takeKept = (): SharedEmulator | undefined => {
  const kept = (globalThis as KeptStop)[KEPT]
  delete (globalThis as KeptStop)[KEPT]
  return kept
}

export type { GlobalSetupOptions } from '../server.js'

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
