import type { z } from 'zod'
import type { ScenarioInput } from '../core/scenario/scenario.js'
import type { SettingsInput } from '../core/settings.js'
import type { Actions } from '../server/control/actions/index.js'
import type { EmulatorSettings } from './emulator-settings.js'
import type { ActionInput, ActionName, ActionOutput } from './invoke.js'
import type { ScenarioDocument } from './scenario-document.js'

/**
 * Holds the types that are published, which are written by hand, against what the actions take and return. Where they
 * differ, this does not compile, and the message has the name of the action.
 */
export type EveryActionIsPublishedAsItIs = None<
  {
    [N in ActionName]: IsTaken<
      ActionInput<N>,
      N extends 'scenario.play' ? ActionInput<N> : Taken<N>
    > extends true
      ? IsReturned<ActionOutput<N>, Returned<N>> extends true
        ? never
        : N
      : N
  }[ActionName]
>

/** What is played is taken as it comes, so that its mistakes are told with their places; its type is held against the schema here. */
export type ScenariosArePublishedAsTheyAre = None<
  IsSame<ScenarioDocument, ScenarioInput> extends true ? never : 'scenario'
>

/** The same for settings: the message has those that differ. */
export type EverySettingIsPublishedAsItIs = None<
  {
    [S in keyof SettingsInput | keyof EmulatorSettings]: S extends keyof SettingsInput &
      keyof EmulatorSettings
      ? S extends 'scenario'
        ? never
        : IsSame<EmulatorSettings[S], SettingsInput[S]> extends true
          ? never
          : S
      : S
  }[keyof SettingsInput | keyof EmulatorSettings]
>

type None<T extends never> = T

type Taken<N extends ActionName> = z.input<Actions[N]['input']>
type Returned<N extends ActionName> = Awaited<ReturnType<Actions[N]['run']>>

// What an action may leave out has to be published as such, and so has all that it returns.
type IsReturned<ActionOutput, Returned> = [Returned] extends [ActionOutput]
  ? IsSame<ActionOutput, Returned>
  : false

type IsSame<A, B> = [Plain<A>] extends [Plain<B>] ? ([Plain<B>] extends [Plain<A>] ? true : false) : false

type Plain<T> = unknown extends T ? T : { -readonly [K in keyof T]-?: Plain<T[K]> }

// Actions take numbers as text too, since queries are text; what is published may be narrower, but lacks no field.
type IsTaken<ActionInput, Taken> = [ActionInput] extends [Taken]
  ? IsSame<FieldsOf<ActionInput>, FieldsOf<Taken>>
  : false
type FieldsOf<T> = T extends unknown ? keyof T : never
