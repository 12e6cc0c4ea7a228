import type { Scenario } from '../scenario/schema.js'
import type { Instant } from '../schedule/timeline.js'
import type { State } from './task.js'

/** Why a step did not act. `refused`: the call was refused, so that there was nothing to act on. */
export const reasons = [
  ...(['model', 'account', 'prompt', 'method', 'header', 'status', 'times', 'count'] as const),
  ...(['before', 'after', 'chance', 'earlier', 'refused'] as const),
] as const
export type Reason = (typeof reasons)[number]

/** What became of a step. Null: it is about other operations, or about messages and not calls. */
export type Verdict = Reason | 'acted' | null

/** Match trace: what became of each step of a scenario. Plain data: it is kept with the run and with the journal. */
export interface MatchTrace {
  readonly operation: string
  readonly model: string | undefined
  readonly callback:
    | { readonly kind: 'challenge' | 'delivery'; readonly status: State | undefined }
    | undefined
  /** Milliseconds since the scenario began. */
  readonly elapsed: number
  /** By step. */
  readonly verdicts: readonly Verdict[]
  /** By step: which of the calls that it selects this one was (`count`), or what was drawn (`chance`). */
  readonly numbers: readonly number[]
}

/** Scenario run: how a scenario stands with one account. Plain data, which is replaced and never changed. */
export interface ScenarioRun {
  readonly scenario: Scenario
  readonly seed: number
  /** When it began on the account's clock. */
  readonly since: Instant
  /** By step: how many calls it selected, and on how many it acted. */
  readonly seen: readonly number[]
  readonly acted: readonly number[]
  /** The latest call of each kind that steps are about. */
  readonly latest: Readonly<Record<string, MatchTrace>>
}

/** Begins a scenario for an account. */
export const beginRun = (scenario: Scenario, seed: number, now: Instant): ScenarioRun => ({
  scenario,
  seed,
  since: now,
  seen: scenario.steps.map(() => 0),
  acted: scenario.steps.map(() => 0),
  latest: {},
})

/** The step that acted, as it is shown and kept. */
export interface ActedStep {
  readonly scenario: string
  /** From 1. */
  readonly step: number
  readonly says: string | null
  /** What it did, as its file names it: `answer.error`, `transport.hang`. */
  readonly effects: readonly string[]
}

/** Scenario result: what scenarios had to do with a call or a message, as it is shown and kept. */
export interface ScenarioResult {
  /** Null: none acted. */
  readonly acted: ActedStep | null
  /** Steps that could have acted, each with the reason why it did not. */
  readonly nearMisses: readonly { readonly scenario: string; readonly step: number; readonly why: string }[]
}
