export { EmulatorError } from './core/emulator-error.js'
export type { Duration } from './core/time/duration.js'
export type * from './families/a-image/wire.js'
export type * from './families/a2-image/wire.js'
export type * from './families/b-video-task/wire.js'
export type * from './families/c-video/wire.js'
export type * from './families/d-assets/wire.js'
export type * from './families/e-video-reference/wire.js'
export type * from './families/f-video-v2/wire.js'
export type * from './families/shared/wire.js'
export type {
  AccountChange,
  CallbackFilter,
  ClockChange,
  RequestFilter,
  TaskFilter,
} from './handles/calls.js'
export { type ConnectOptions, connectEmulator } from './handles/connect.js'
export type { EmulatorHandles } from './handles/emulator-handles.js'
export type { EmulatorSettings, GivenScenario, OpeningAccount } from './handles/emulator-settings.js'
export type { Failing } from './handles/failing.js'
export type {
  AccountHandles,
  Advance,
  CountedWaitOptions,
  InboxHandles,
  NamedStep,
  Paging,
  WaitOptions,
} from './handles/handles.js'
export type * from './handles/records/index.js'
export type * from './handles/scenario-document.js'
export { type RunningEmulator, startEmulator } from './start-emulator.js'
