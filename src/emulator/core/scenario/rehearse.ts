import { beginRun, type ScenarioRun } from '../model/account.js'
import { withoutIdleEffects } from './apply.js'
import { countMatch, type MatchInput, matchStep } from './match.js'
import type { Scenario } from './schema.js'

/** Call or callback that a scenario is rehearsed with, and how it was answered. */
export interface RehearsedCall {
  readonly input: MatchInput
  readonly makesSomething: boolean
  readonly hasFile: boolean
}

/**
 * Whether a step of a scenario would act on one of these calls and callbacks, which are in order. Steps are matched without their
 * times, probability and account: these may differ when the calls are made again.
 */
export const wouldAct = (scenario: Scenario, calls: Iterable<RehearsedCall>): boolean => {
  const wide = { ...scenario, steps: scenario.steps.map(widened) }
  const runs = new Map<string, readonly ScenarioRun[]>()
  for (const { input, ...answer } of calls) {
    const before = runs.get(input.account) ?? [beginRun(wide, 1, 0)]
    const match = withoutIdleEffects(matchStep(before, input), answer)
    if (match.step !== undefined) return true
    runs.set(input.account, countMatch(before, match))
  }
  return false
}

const widened = ({ when, ...step }: Scenario['steps'][number]): Scenario['steps'][number] => {
  const { from: _from, until: _until, probability: _probability, account: _account, ...rest } = when
  return { ...step, when: rest }
}
