export type {
  AccountHandles,
  Advance,
  CountedWaitOptions,
  EmulatorHandles,
  Failing,
  InboxHandles,
  NamedStep,
  Paging,
  WaitOptions,
} from './client/handles.js'
export { type ConnectOptions, connectEmulator } from './client/remote.js'
export { type RunningEmulator, startEmulator } from './client/start-emulator.js'
export { EmulatorError } from './core/errors.js'
export type { Duration } from './core/schedule/time.js'
export type * from './generated/control-api.js'
export type {
  EmulatorSettings,
  GivenScenario,
  OpeningAccount,
  ScenarioFile,
} from './generated/emulator-settings.js'
export type * from './generated/names.js'
export type * from './generated/scenario-document.js'
export type * from './generated/wire/index.js'
