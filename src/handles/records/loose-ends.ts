import type { CallbackRecord } from './callback.js'
import type { RequestRecord } from './request.js'
import type { ScenarioStepRecord } from './scenario.js'

/** One thing that happened on an account. */
export interface TimelineItem {
  readonly at: string
  /** What stands for the API key where it must not be shown. */
  readonly account: string
  readonly kind: 'request' | 'task' | 'asset' | 'callback'
  readonly id: string
  /** In one line. */
  readonly says: string
}

/** What a test should not leave behind. */
export interface LooseEnds {
  /** Calls that no operation has a route for, oldest first, each with what was meant, as far as that can be guessed. */
  readonly unexpectedCalls: readonly (RequestRecord & { readonly explanation: readonly string[] })[]
  /** Callbacks that their receiver has not accepted, oldest first. */
  readonly undeliveredCallbacks: readonly CallbackRecord[]
  /** Required steps of scenarios that have not acted. */
  readonly unusedSteps: readonly (ScenarioStepRecord & { readonly scenario: string })[]
}

/** What a test has left behind. */
export interface Finished extends LooseEnds {
  /** Everything that happened, where there are loose ends; empty where there are none. */
  readonly timeline: readonly TimelineItem[]
}
