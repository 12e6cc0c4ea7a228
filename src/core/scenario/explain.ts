import type { ScenarioRun } from '../model/scenario-run.js'
import { formatDuration } from '../schedule/duration.js'
import {
  type Look,
  listOf,
  type MatchedStep,
  missesIn,
  type NearMiss,
  type ScenarioMatch,
  stepsAbout,
} from './match.js'
import type { Step, When } from './schema.js'

/**
 * Why a step did not act, in words that go on from its name: "wants the third f-video-v2.create of gamma-H3; this was
 * the second".
 */
const whyNot = (look: Look, { index, reason, number = 0 }: NearMiss): string => {
  const { scenario, model, callback } = look.finding
  const { when, times } = scenario.steps[index] as Step
  const elapsed = formatDuration(look.elapsed)
  switch (reason) {
    case 'model':
      return `wants the model ${either(listOf(when.model))}; this was ${model ?? 'a call without one'}`
    case 'account':
      return 'wants another account'
    case 'prompt':
      return `wants a prompt ${wantedPrompt(when.prompt)}; this was another`
    case 'status':
      return `wants ${subject(when, 'a')}; this one says ${callback?.status ?? 'nothing of a status'}`
    case 'times':
      return `has acted ${times === 1 ? 'once' : `${times} times`}, which is all it may`
    case 'count':
      return `wants ${wantedCount(when)}; this was the ${ordinal(number)}`
    case 'before':
      return `begins ${formatDuration(when.from ?? 0)} after the start; this was at ${elapsed}`
    case 'after':
      return `ends ${formatDuration(when.until ?? 0)} after the start; this was at ${elapsed}`
    case 'chance':
      return `acts with probability ${when.probability}; the draw was ${number.toFixed(3)}`
    case 'earlier':
      return 'fits as well, but a step before it acted'
    case 'refused':
      return 'would have acted, but the call was refused, so that there was nothing to act on'
  }
}

const either = (names: readonly (string | number)[]): string => names.join(' or ')

const wantedPrompt = (prompt: When['prompt']): string => {
  if (prompt === undefined) return ''
  return 'contains' in prompt ? `with ${JSON.stringify(prompt.contains)}` : `that matches ${prompt.matches}`
}

const wantedCount = (when: When): string => {
  const { nth, first, every, after } = when
  const parts = [
    ...(nth === undefined ? [] : [`the ${listOf(nth).map(ordinal).join(' or ')} ${subject(when)}`]),
    ...(first === undefined
      ? []
      : [`the first ${first === 1 ? '' : `${first} `}of ${subject(when, 'every')}`]),
    ...(every === undefined ? [] : [`every ${ordinal(every)} ${subject(when)}`]),
    ...(after === undefined ? [] : [`those after the first ${after} of ${subject(when, 'every')}`]),
  ]
  return parts.join(' and ')
}

/** What a step is about, as a noun: `b-video-task.create of gamma-H3`, `callback with status running`. */
const subject = (when: When, article = ''): string => {
  const noun = when.callback === undefined ? callNoun(when) : callbackNoun(when.callback)
  const model = when.model === undefined ? '' : ` of ${either(listOf(when.model))}`
  return `${article === '' ? '' : `${article} `}${noun}${model}`
}

const callNoun = ({ operation, family }: When): string => {
  const names = listOf(operation)
  if (names.length > 0) return names.map((name) => name.replace(/\.\*$/, ' call')).join(' or ')
  return family === undefined ? 'call' : `${either(listOf(family))} call`
}

const callbackNoun = (callback: NonNullable<When['callback']>): string =>
  typeof callback === 'string' ? callback : `callback with status ${either(listOf(callback.status))}`

const words = ['first', 'second', 'third', 'fourth', 'fifth', 'sixth', 'seventh', 'eighth', 'ninth', 'tenth']

/** `third`, `21st`. */
export const ordinal = (n: number): string => {
  const ending = n % 100 >= 11 && n % 100 <= 13 ? 'th' : (['th', 'st', 'nd', 'rd'][n % 10] ?? 'th')
  return words[n - 1] ?? `${n}${ending}`
}

interface ActedStep {
  readonly scenario: string
  /** From 1. */
  readonly step: number
  readonly says: string | null
  /** What it did, as its file names it: `answer.error`, `transport.hang`. */
  readonly effects: readonly string[]
}

/** What scenarios had to do with a call or a message, as it is shown and kept. */
export interface ScenarioResult {
  /** The step that acted; null where none did. */
  readonly acted: ActedStep | null
  /** Steps that could have acted, each with why it did not. */
  readonly nearMisses: readonly { readonly scenario: string; readonly step: number; readonly why: string }[]
}

export const scenarioResultOf = ({ matchedStep, traces }: ScenarioMatch): ScenarioResult => ({
  acted: matchedStep === undefined ? null : named(matchedStep),
  nearMisses: traces.flatMap((look) =>
    missesIn(look).map((miss) => ({
      scenario: look.finding.scenario.name,
      step: miss.index + 1,
      why: whyNot(look, miss),
    })),
  ),
})

const named = ({ scenario, step, says, does }: MatchedStep): ActedStep => ({
  scenario,
  step,
  says: says ?? null,
  effects: Object.entries(does).flatMap(([part, what]) => Object.keys(what).map((name) => `${part}.${name}`)),
})

/** The same as sentences. */
export const scenarioSentences = ({ acted, nearMisses }: ScenarioResult): string[] => [
  ...(acted === null ? [] : [actedSentence(acted)]),
  ...nearMisses.map(
    ({ scenario, step, why }) => `Step ${step} of the scenario ${scenario} did not act: it ${why}.`,
  ),
]

const actedSentence = ({ scenario, step, says, effects }: ActedStep): string =>
  `Step ${step} of the scenario ${scenario} acted${says === null ? '' : ` (${says})`}: ${effects.join(', ')}.`

/** How a step that is playing stands. */
interface StepStatus {
  readonly scenario: string
  /** From 1. */
  readonly step: number
  readonly says: string | null
  /** Fitting occasions so far, and those on which it acted. */
  readonly seen: number
  readonly acted: number
  /** How often it may act; null is without end. */
  readonly times: number | null
  readonly required: boolean
  /** Why it did not act on the latest occasion that it was about; null where it did, and where there was none. */
  readonly lastMiss: string | null
}

/** Every step of what plays, in the order in which they are asked. */
export const stepStatusesOf = (playing: readonly ScenarioRun[]): StepStatus[] =>
  playing.flatMap((play) => play.scenario.steps.map((step, index) => standing(play, step, index)))

const standing = (play: ScenarioRun, step: Step, index: number): StepStatus => ({
  scenario: play.scenario.name,
  step: index + 1,
  says: step.says ?? null,
  seen: play.seen[index] ?? 0,
  acted: play.acted[index] ?? 0,
  times: step.times ?? null,
  required: step.required,
  lastMiss: lastMiss(play, index),
})

const lastMiss = ({ latest }: ScenarioRun, index: number): string | null => {
  const traces = Object.values(latest).filter(({ finding }) =>
    stepsAbout(finding.scenario, finding).some((candidate) => candidate.index === index),
  )
  const last = traces.sort((a, b) => a.elapsed - b.elapsed).at(-1)
  const miss = last && missesIn(last).find((one) => one.index === index)
  return last === undefined || miss === undefined ? null : whyNot(last, miss)
}

/** Steps that must act and have not. */
export const unusedStepsOf = (playing: readonly ScenarioRun[]): StepStatus[] =>
  stepStatusesOf(playing).filter(({ required, acted }) => required && acted === 0)
