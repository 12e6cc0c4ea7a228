import type { Look } from '../scenario/match.js'
import type { Scenario } from '../scenario/schema.js'
import type { Instant } from '../schedule/timeline.js'

/** How a scenario stands with one account. Plain data, so that it survives with the account. */
export interface ScenarioRun {
  readonly scenario: Scenario
  readonly seed: number
  /** When it began on the account's clock. */
  readonly since: Instant
  /** By step: how many fitting occasions there were, and on how many it acted. */
  readonly seen: number[]
  readonly acted: number[]
  /** The latest occasion of each kind that steps are about. */
  readonly latest: Record<string, Look>
}

export const beginRun = (scenario: Scenario, seed: number, now: Instant): ScenarioRun => ({
  scenario,
  seed,
  since: now,
  seen: scenario.steps.map(() => 0),
  acted: scenario.steps.map(() => 0),
  latest: {},
})
