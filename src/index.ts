export { EmulatorError } from './core/emulator-error.js'
export type { Settings, SettingsInput } from './core/settings.js'
export type { AccountHandles, Advance, WaitOptions } from './handles/handles.js'
export { type RunningEmulator, startEmulator } from './start-emulator.js'
