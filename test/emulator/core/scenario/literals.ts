import { beginRun, type ScenarioRun } from '../../../../src/emulator/core/model/account.js'
import { scenarioResultOf } from '../../../../src/emulator/core/scenario/explain.js'
import type { MatchInput } from '../../../../src/emulator/core/scenario/match.js'
import {
  countMatch,
  matchStep,
  noMatch,
  refusedMatch,
  type ScenarioMatch,
} from '../../../../src/emulator/core/scenario/match.js'
import { type ScenarioInput, scenarioSchema } from '../../../../src/emulator/core/scenario/schema.js'

export type StepInput = ScenarioInput['steps'][number]
export type WhenInput = NonNullable<StepInput['when']>

const overloaded: StepInput['then'] = { answer: { error: 'ServerOverloaded' } }

/** A step that answers with an error. */
export const stepWhen = (when: WhenInput, others: Partial<StepInput> = {}): StepInput => ({
  when,
  then: overloaded,
  ...others,
})

/** What plays, begun at 0. */
export const playing = (...steps: StepInput[]): ScenarioRun =>
  beginRun(scenarioSchema.parse({ name: 'trial', says: 'A trial.', steps }), 1, 0)

/** What plays for an account: it matches a call, and counts it. */
export const match = (runs: ScenarioRun[], input: MatchInput, isRefused = false): ScenarioMatch => {
  const found = matchStep(runs, input)
  const counted = isRefused ? refusedMatch(found) : found
  runs.splice(0, runs.length, ...countMatch(runs, counted))
  return counted
}

/** A create of B at 0. */
export const createCall = (parts: Partial<MatchInput> = {}): MatchInput => ({
  operation: 'b-video-task.create',
  method: 'POST',
  headers: {},
  callback: undefined,
  account: 'test-key',
  model: 'videoa-2-0-260128',
  prompt: () => 'a lighthouse in the fog',
  task: undefined,
  now: 0,
  wall: 0,
  ...parts,
})

/** A message to the receiver of a task of F. */
export const message = (kind: 'challenge' | 'delivery', status?: 'queued' | 'running'): MatchInput =>
  createCall({
    operation: 'f-video-v2.create',
    method: undefined,
    headers: undefined,
    model: 'gamma-H3',
    callback: { kind, status },
  })

/** On which of so many calls a step acts, counted from 1. */
export const actsOn = (
  step: StepInput,
  calls: number,
  call: (n: number) => MatchInput = () => createCall(),
) => {
  const runs = [playing(step)]
  return Array.from({ length: calls }, (_, index) => index + 1).filter(
    (n) => match(runs, call(n)).step !== undefined,
  )
}

/** Why a step did not act on the last of some calls, in words; empty where it is not about it. */
export const whyNotLast = (step: StepInput, ...calls: MatchInput[]): string[] => {
  const runs = [playing(step)]
  const outcomes = calls.map((call) => match(runs, call))
  return scenarioResultOf(outcomes.at(-1) ?? noMatch).nearMisses.map(({ why }) => why)
}
