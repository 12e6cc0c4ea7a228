export { createEmulator } from './create.js'
export type { Emulator } from './emulator.js'
export { openEmulator } from './open.js'
export type { Outside } from './outside.js'
