import type { State } from '../task/phase.js'
import type { Occasion } from './occasion.js'
import type { Scenario, Step } from './scenario.js'

/**
 * A step that is about occasions of a kind, ready to be held against one. Every candidate has every key, since looking
 * into objects of one shape is several times as fast as into objects of many.
 */
export interface Candidate {
  /** Its place in the scenario, from 0. */
  readonly index: number
  readonly step: Step
  readonly models: readonly string[] | undefined
  readonly accounts: readonly string[] | undefined
  readonly statuses: readonly State[] | undefined
  /** A part of the prompt. */
  readonly part: string | undefined
  readonly pattern: RegExp | undefined
  readonly nths: readonly number[] | undefined
  readonly first: number
  readonly every: number
  readonly after: number
  /** Milliseconds after the scenario began. */
  readonly from: number
  readonly until: number
  readonly times: number
  readonly probability: number
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
  const { when, times = Number.POSITIVE_INFINITY } = step
  const { prompt, callback } = when
  return {
    index,
    step,
    models: wanted(when.model),
    accounts: wanted(when.account),
    statuses: typeof callback === 'object' ? wanted(callback.status) : undefined,
    part: prompt !== undefined && 'contains' in prompt ? prompt.contains : undefined,
    pattern: prompt !== undefined && 'matches' in prompt ? new RegExp(prompt.matches, 'u') : undefined,
    nths: wanted(when.nth),
    first: when.first ?? Number.POSITIVE_INFINITY,
    every: when.every ?? 1,
    after: when.after ?? 0,
    from: when.from ?? 0,
    until: when.until ?? Number.POSITIVE_INFINITY,
    times,
    probability: when.probability ?? 1,
  }
}

const wanted = <T>(one: OneOrMore<T>): readonly T[] | undefined =>
  one === undefined ? undefined : listOf(one)

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
