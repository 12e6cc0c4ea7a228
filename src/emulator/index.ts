export { createEmulator } from './create.js'
export type { Emulator } from './emulator.js'
export { openEmulator } from './open.js'
export type { EmulatorDependencies } from './outside.js'
