import type { State } from '../task/phase.js'
import type { MatchInput } from './occasion.js'
import type { Scenario, Step } from './scenario.js'

/**
 * A step that is about occasions of a kind, ready to be held against one. Every candidate has every key, since looking
 * into objects of one shape is several times as fast as into objects of many; what is asked most stands first, close
 * together in memory.
 */
export interface Candidate {
  /** Its place in the scenario, from 0. */
  readonly index: number
  /** Its place among the steps about such occasions, from 0. */
  readonly place: number
  /** A part of the prompt. */
  readonly part: string | undefined
  readonly pattern: RegExp | undefined
  readonly statuses: readonly State[] | undefined
  readonly times: number
  /** The lowest and the highest count on which it may act: two comparisons settle most occasions. */
  readonly lowest: number
  readonly highest: number
  readonly every: number
  readonly nths: readonly number[] | undefined
  /** Milliseconds after the scenario began. */
  readonly from: number
  readonly until: number
  readonly probability: number
  readonly models: readonly string[] | undefined
  readonly accounts: readonly string[] | undefined
  readonly step: Step
}

/** What steps are told apart by, whether they are about an occasion. */
export type Kind = Pick<MatchInput, 'operation' | 'callback'>

/** A kind as a word: `b-video-task.create`, `f-video-v2.create delivery`. */
export const kindOfOccasion = ({ operation, callback }: Kind): string =>
  callback === undefined ? operation : `${operation} ${callback.kind}`

/**
 * Works something out once for each kind of occasion that a scenario meets. It is kept beside the scenario and not in
 * it: what plays has to stay plain data.
 */
export const oncePerKind = <T extends object>(work: (scenario: Scenario, kind: Kind) => T) => {
  const known = new WeakMap<Scenario, Map<string, T>>()
  return (scenario: Scenario, kind: Kind): T => {
    const name = kindOfOccasion(kind)
    const found = known.get(scenario)?.get(name)
    if (found !== undefined) return found
    const result = work(scenario, kind)
    known.set(scenario, (known.get(scenario) ?? new Map<string, T>()).set(name, result))
    return result
  }
}

/**
 * The steps of a scenario that are about an occasion of this operation, and about calls or messages as it is one. They
 * are looked up, so that the steps about everything else cost nothing.
 */
export const stepsAbout = oncePerKind((scenario, { operation, callback }): readonly Candidate[] =>
  scenario.steps
    .map((step, index) => ({ step, index }))
    .filter(({ step }) => isAbout(step, operation, callback?.kind))
    .map(({ step, index }, place) => candidate(step, index, place)),
)

const candidate = (step: Step, index: number, place: number): Candidate => {
  const { when, times = Number.POSITIVE_INFINITY } = step
  const { prompt, callback } = when
  const { lowest, highest } = countsOf(when)
  return {
    index,
    place,
    part: prompt !== undefined && 'contains' in prompt ? prompt.contains : undefined,
    pattern: prompt !== undefined && 'matches' in prompt ? new RegExp(prompt.matches, 'u') : undefined,
    statuses: typeof callback === 'object' ? wanted(callback.status) : undefined,
    times,
    lowest,
    highest,
    every: when.every ?? 1,
    nths: wanted(when.nth),
    from: when.from ?? 0,
    until: when.until ?? Number.POSITIVE_INFINITY,
    probability: when.probability ?? 1,
    models: wanted(when.model),
    accounts: wanted(when.account),
    step,
  }
}

const countsOf = ({ nth, first = Number.POSITIVE_INFINITY, after = 0 }: Step['when']) => {
  const named = nth === undefined ? [1, Number.POSITIVE_INFINITY] : listOf(nth)
  const lowest = named.reduce((a, b) => Math.min(a, b))
  const highest = named.reduce((a, b) => Math.max(a, b))
  return { lowest: Math.max(lowest, after + 1), highest: Math.min(highest, first) }
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
