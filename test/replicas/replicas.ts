import { randomUUID } from 'node:crypto'
import type { EmulatorDependencies } from '../../src/emulator/composition/dependencies.js'
import type { SettingsInput } from '../../src/emulator/settings.js'
import { startOnPort } from '../emulator.js'

/** Emulators that share a store, in this process; each call of `replica` starts one more. */
export const replicasOn = (store: string, shared: SettingsInput = {}) => {
  const storePrefix = `test-${randomUUID()}:`
  const replica = (settings: SettingsInput = {}, dependencies: EmulatorDependencies = {}) =>
    startOnPort({ store, storePrefix, ...shared, ...settings } as SettingsInput, dependencies)
  return { replica, storePrefix }
}
