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

/**
 * The steps of a scenario that are about an occasion of this operation, and about calls or messages as it is one. They
 * are looked up, so that the steps about everything else cost nothing.
 */
export const stepsAbout = (
  scenario: Scenario,
  occasion: Pick<Occasion, 'operation' | 'callback'>,
): readonly Candidate[] => {
  const lists = listsOf(scenario)
  const kind = kindOfOccasion(occasion)
  const known = lists.get(kind)
  if (known !== undefined) return known
  const found = scenario.steps.flatMap((step, index) =>
    isAbout(step, occasion.operation, occasion.callback?.kind) ? [candidate(step, index)] : [],
  )
  lists.set(kind, found)
  return found
}

/** What steps are told apart by, whether they are about an occasion: `b-video-task.create`, `f-video-v2.create delivery`. */
export const kindOfOccasion = ({ operation, callback }: Pick<Occasion, 'operation' | 'callback'>): string =>
  callback === undefined ? operation : `${operation} ${callback.kind}`

// Kept beside the scenario and not in it: what plays has to stay plain data.
const known = new WeakMap<Scenario, Map<string, readonly Candidate[]>>()

const listsOf = (scenario: Scenario): Map<string, readonly Candidate[]> => {
  const lists = known.get(scenario) ?? new Map<string, readonly Candidate[]>()
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
