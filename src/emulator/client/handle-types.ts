// Types of handles, their arguments and their results. Every entry with handles exports them: the declarations of a module
// that exports a handle name them.

export type * from '../../generated/control-api.js'
export type {
  EmulatorSettings,
  GivenScenario,
  OpeningAccount,
  ScenarioFile,
} from '../../generated/emulator-settings.js'
// Each by its name: with `export type *` the declarations would export the values of that file too, which no entry has.
export type {
  EmulatorErrorCode,
  ErrorName,
  ErrorNameOf,
  ErrorNames,
  FamilyName,
  ModelName,
  OperationName,
  OperationPattern,
  RuleId,
  RulePattern,
  ScenarioName,
  SettingName,
  TaskFamilyName,
} from '../../generated/names.js'
export type * from '../../generated/profile-document.js'
export type * from '../../generated/scenario-document.js'
export type { Duration } from '../core/schedule/time.js'
export type {
  AccountHandles,
  Advance,
  Count,
  CountedWaitOptions,
  EmulatorHandles,
  Failing,
  FinishOptions,
  InboxHandles,
  NamedStep,
  Paging,
  WaitOptions,
} from './handles.js'
