/** Types of handles: what the package exports of `emulator.tasks`, `emulator.clock` and the others. */
export type * from '../client/handle-types.js'
