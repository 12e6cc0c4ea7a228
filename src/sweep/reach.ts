import { beginRun, type ScenarioRun } from '../core/model/account.js'
import type { MatchInput } from '../core/scenario/match.js'
import { countMatch, matchStep, refusedMatch } from '../core/scenario/match.js'
import type { Scenario } from '../core/scenario/schema.js'
import type { Sighting } from './sighting.js'

/**
 * Whether a step of a scenario would act on the recorded calls and callbacks. Where none does, a run with the scenario is
 * the baseline again. Steps are matched without their times, probability and account: these may differ in another run.
 */
export const canReach = (scenario: Scenario, baseline: readonly Sighting[]): boolean => {
  const wide = { ...scenario, steps: scenario.steps.map(widened) }
  const runs = new Map<string, readonly ScenarioRun[]>()
  return baseline.some((sighting) => {
    const input = inputOf(sighting)
    if (input === undefined) return false
    const before = runs.get(input.account) ?? [beginRun(wide, 1, 0)]
    const found = matchStep(before, input)
    const parts = Object.keys(found.step?.effects ?? { answer: {} })
    const makes = sighting.kind === 'call' && sighting.status < 300
    const isMissed = !makes && parts.every((part) => part === 'task' || part === 'asset')
    runs.set(input.account, countMatch(before, isMissed ? refusedMatch(found) : found))
    return found.step !== undefined && !isMissed
  })
}

const widened = ({ when, ...step }: Scenario['steps'][number]): Scenario['steps'][number] => {
  const { from: _from, until: _until, probability: _probability, account: _account, ...rest } = when
  return { ...step, when: rest }
}

const inputOf = (sighting: Sighting): MatchInput | undefined => {
  if (sighting.kind === 'callback') {
    const { account, operation, model, prompt, message: kind, status } = sighting
    return { operation, account, model, prompt: () => prompt, callback: { kind, status }, now: 0 }
  }
  if (sighting.kind !== 'call' || sighting.operation === undefined) return undefined
  const { account, operation, method, model, prompt } = sighting
  const headers = Object.fromEntries(sighting.headers.map((name) => [name, '']))
  return { operation, account, model, method, headers, prompt: () => prompt, now: 0 }
}
