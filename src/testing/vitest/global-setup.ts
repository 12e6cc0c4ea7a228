import type { ProvidedContext } from 'vitest'
import { type GlobalSetupOptions, startShared } from '../server.js'

export type { GlobalSetupOptions }

/** Project that vitest hands to a global setup, as far as it is needed here. */
export interface Project {
  provide<Name extends keyof ProvidedContext & string>(name: Name, value: ProvidedContext[Name]): void
}

/**
 * A global setup with settings: `export default globalSetup({ timing: 'instant' })`. One emulator serves all test
 * files, and stops after the last one.
 */
export const globalSetup =
  (options: GlobalSetupOptions = {}) =>
  async (project: Project): Promise<() => Promise<void>> => {
    const { url, token, clock, stop } = await startShared(options)
    project.provide('backlot', { url, token, clock })
    return stop
  }

const setup = globalSetup()

// Named in `globalSetup` of the configuration, this module is a global setup itself.
export { setup as default }
