export {
  type ConnectOptions,
  connectEmulator,
  type RunningEmulator,
} from './emulator/surface/client.js'
export type * from './emulator/surface/handle-types.js'
export { EmulatorError } from './emulator/surface/records.js'
export type * from './generated/wire/index.js'
export { startEmulator } from './start-emulator.js'
