import { type GlobalSetupOptions, startShared } from '../server.js'

export type { GlobalSetupOptions }

/**
 * A global setup with settings: `module.exports = globalSetup({ timing: 'instant' })`. One emulator serves all test
 * files; the global teardown, `backlot/jest/global-teardown`, stops it.
 */
export const globalSetup =
  (options: GlobalSetupOptions = {}) =>
  async (): Promise<void> => {
    const { stop } = await startShared(options)
    // Jest loads setup and teardown apart from each other, but in one process. Its projects may each have a setup.
    const key = Symbol.for('backlot.jest.shared')
    const former: { stop(): Promise<void> } | undefined = Reflect.get(globalThis, key)
    Reflect.set(globalThis, key, { stop: () => stop().then(() => former?.stop()) })
  }

const setup = globalSetup()

// Named as `globalSetup` in the configuration, this module is a global setup itself.
export { setup as default }
