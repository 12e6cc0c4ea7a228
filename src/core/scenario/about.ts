import type { Occasion } from './occasion.js'
import type { Scenario, Step } from './scenario.js'

/** A step that is about occasions of a kind, ready to be held against one. */
export interface Candidate {
  /** Its place in the scenario, from 0. */
  readonly index: number
  readonly step: Step
  /** Left out where the prompt need not match anything. */
  readonly pattern?: RegExp
}

/** What of a scenario is about occasions of a kind. */
export interface About {
  readonly candidates: readonly Candidate[]
  /** Whether one of them asks for the prompt, which is not looked for otherwise. */
  readonly needsPrompt: boolean
}

/**
 * The steps of a scenario that are about an occasion of this operation, and about calls or messages as it is one. They
 * are looked up, so that the steps about everything else cost nothing.
 */
export const stepsAbout = (
  scenario: Scenario,
  { operation, callback }: Pick<Occasion, 'operation' | 'callback'>,
): About => {
  const lists = listsOf(scenario)
  const name = callback === undefined ? operation : `${operation} ${callback.kind}`
  const known = lists.get(name)
  if (known !== undefined) return known
  const candidates = scenario.steps.flatMap((step, index) =>
    isAbout(step, operation, callback?.kind) ? [candidate(step, index)] : [],
  )
  const about = { candidates, needsPrompt: candidates.some(({ step }) => step.when.prompt !== undefined) }
  lists.set(name, about)
  return about
}

// Kept beside the scenario and not in it: what plays has to stay plain data.
const known = new WeakMap<Scenario, Map<string, About>>()

const listsOf = (scenario: Scenario): Map<string, About> => {
  const lists = known.get(scenario) ?? new Map<string, About>()
  known.set(scenario, lists)
  return lists
}

const candidate = (step: Step, index: number): Candidate => {
  const { prompt } = step.when
  return prompt !== undefined && 'matches' in prompt
    ? { index, step, pattern: new RegExp(prompt.matches, 'u') }
    : { index, step }
}

const isAbout = ({ when }: Step, operation: string, kind: 'challenge' | 'delivery' | undefined): boolean =>
  isOneOf(when.operation, (name) => isNamed(name, operation)) &&
  isOneOf(when.family, (id) => operation.startsWith(`${id}.`)) &&
  kindOf(when.callback) === kind

const kindOf = (callback: Step['when']['callback']): 'challenge' | 'delivery' | undefined =>
  typeof callback === 'object' ? 'delivery' : callback

/** Whether a name is the one that is written, or one of a family's: `b-video-task.*`. */
export const isNamed = (written: string, operation: string): boolean =>
  written.endsWith('.*') ? operation.startsWith(written.slice(0, -1)) : written === operation

type OneOrMore<T> = T | readonly T[] | undefined

export const listOf = <T>(one: OneOrMore<T>): readonly T[] =>
  one === undefined ? [] : Array.isArray(one) ? one : [one as T]

const isOneOf = <T>(wanted: OneOrMore<T>, test: (one: T) => boolean): boolean =>
  wanted === undefined || listOf(wanted).some(test)
