import type { MatchTrace } from '../scenario/match.js'
import type { Scenario } from '../scenario/schema.js'
import type { Instant } from '../schedule/timeline.js'

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
