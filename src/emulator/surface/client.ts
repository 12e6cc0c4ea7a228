/** Client: handles on an emulator in this process or elsewhere, and the HTTP client beneath them. Loads no schema. */
import type { startEmulator as start } from '../client/start-emulator.js'

export {
  apiKey,
  list,
  number,
  object,
  optional,
  text,
  validateArguments,
  validateNamed,
} from '../client/arguments.js'
export {
  type AccountHandles,
  type ActionOutput,
  createHandles,
  type EmulatorHandles,
} from '../client/handles.js'
export { localTransport } from '../client/local-transport.js'
export {
  type ConnectOptions,
  connectEmulator,
  type HttpAnswer,
  notAnEmulator,
  type RemoteEmulator,
  remoteTransport,
  send,
} from '../client/remote.js'
export type { RunningEmulator } from '../client/start-emulator.js'
export { createHostCheck, isLoopbackHost, portOf } from '../net/host-check.js'
export { proxyExemption } from '../net/proxy-exemption.js'

/** Starts an emulator in this process, which is loaded with the first one. */
export const startEmulator: typeof start = async (...args) =>
  (await import('../client/start-emulator.js')).startEmulator(...args)
