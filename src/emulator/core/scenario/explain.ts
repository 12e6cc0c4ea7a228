import type { ActedStep, MatchTrace, ScenarioResult, ScenarioRun } from '../model/account.js'
import { formatDuration } from '../schedule/time.js'
import type { MatchedStep, ScenarioMatch } from './match.js'
import { descriptionOf, type Scenario, type Step } from './schema.js'
import { asList, numeral, type Selector } from './selector.js'

/** Result of matching a call, as it is shown and kept. */
export const scenarioResultOf = ({ step, traces }: ScenarioMatch): ScenarioResult => ({
  acted: step === undefined ? null : actedStep(step),
  nearMisses: traces.flatMap(({ scenario, trace }) =>
    scenario.steps.flatMap((_, index) => {
      const why = whyNot(scenario, trace, index)
      return why === null ? [] : [{ scenario: scenario.name, step: index + 1, why }]
    }),
  ),
})

/** The step that acted on a call, as it is shown and kept. */
export const actedStep = ({ scenario, step, description, effects }: MatchedStep): ActedStep => ({
  scenario,
  step,
  says: description ?? null,
  effects: Object.entries(effects).flatMap(([part, values]) =>
    Object.keys(values).map((key) => `${part}.${key}`),
  ),
})

/** Result of matching a call, as sentences. */
export const scenarioSentences = ({ acted, nearMisses }: ScenarioResult) => ({
  acted: acted === null ? [] : [actedSentence(acted)],
  nearMisses: nearMisses.map(
    ({ scenario, step, why }) => `Step ${step} of the scenario ${scenario} did not act: it ${why}.`,
  ),
})

const actedSentence = ({ scenario, step, says, effects }: ActedStep): string =>
  `Step ${step} of the scenario ${scenario} acted${says === null ? '' : ` (${says})`}: ${effects.join(', ')}.`

/** The status of every step of what plays, in the order in which they are matched. */
export const stepStatusesOf = (runs: readonly ScenarioRun[]) =>
  runs.flatMap((run) => run.scenario.steps.map((step, index) => statusOf(run, step, index)))

const statusOf = (run: ScenarioRun, step: Step, index: number) => ({
  scenario: run.scenario.name,
  step: index + 1,
  says: descriptionOf(step) ?? null,
  /** Calls that it selected so far, and those on which it acted. */
  seen: run.seen[index] ?? 0,
  acted: run.acted[index] ?? 0,
  times: step.times ?? null,
  required: step.required,
  lastMiss: lastMiss(run, index),
})

const lastMiss = ({ scenario, latest }: ScenarioRun, index: number): string | null => {
  const last = Object.values(latest).findLast(({ verdicts }) => (verdicts[index] ?? null) !== null)
  return last === undefined ? null : whyNot(scenario, last, index)
}

/** Steps that must act and have not. */
export const unusedStepsOf = (runs: readonly ScenarioRun[]) =>
  stepStatusesOf(runs).filter(({ required, acted }) => required && acted === 0)

/**
 * Why a step did not act, in words that continue its name: "wants the third f-video-v2.create of gamma-H3; this was the
 * second". Null: it acted, or is about other calls.
 */
const whyNot = (scenario: Scenario, trace: MatchTrace, index: number): string | null => {
  const { when, times } = scenario.steps[index] as Step
  const number = trace.numbers[index] ?? 0
  const elapsed = formatDuration(trace.elapsed)
  switch (trace.verdicts[index] ?? null) {
    case null:
    case 'acted':
      return null
    case 'model':
      return `wants the model ${either(asList(when.model))}; this was ${trace.model ?? 'a call without one'}`
    case 'account':
      return 'wants another account'
    case 'prompt':
      return `wants a prompt ${wantedPrompt(when.prompt)}; this was another`
    case 'method':
      return `wants ${when.method}; this was another method`
    case 'header':
      return `wants the header ${when.header}; this call has none`
    case 'status':
      if (when.status !== undefined)
        return `wants a task that is ${either(asList(when.status))}; this ${trace.state === undefined ? 'call is about none' : `one was ${trace.state}`}`
      return `wants ${subject(when, 'a')}; this one has ${trace.callback?.status === undefined ? 'no status' : `the status ${trace.callback.status}`}`
    case 'task':
      return `wants ${when.task === undefined ? 'a call about a task' : `the ${either(asList(when.task).map(ordinal))} task`}; this ${number === 0 ? 'call is about none' : `was the ${ordinal(number)}`}`
    case 'times':
      return `has already acted ${times === 1 ? 'once' : `${times} times`} (times: ${times})`
    case 'count':
      return `wants ${wantedCount(when)}; this was the ${ordinal(number)}`
    case 'before':
      return `begins ${formatDuration(when.from ?? 0)} after the start; this was at ${elapsed}`
    case 'after':
      return `ends ${formatDuration(when.until ?? 0)} after the start; this was at ${elapsed}`
    case 'unasked':
      return 'wants a call before a Retry-After has passed; no step had answered such a call with one'
    case 'waited':
      return `wants a call before the Retry-After has passed; this one came ${formatDuration(number)} after the answer`
    case 'chance':
      return `acts with probability ${when.probability}; the draw was ${number.toFixed(3)}`
    case 'earlier':
      return 'fits as well, but a step before it acted'
    case 'refused':
      return 'would have acted, but found nothing to act on: the call was refused, or its file is of another kind'
  }
}

/** Names as a choice: `one or other`. */
export const either = (names: readonly (string | number)[]): string => names.join(' or ')

/** The prompt that a step wants, as words behind `a prompt`. */
export const wantedPrompt = (prompt: Selector['prompt']): string => {
  if (prompt === undefined) return ''
  return 'contains' in prompt ? `with ${JSON.stringify(prompt.contains)}` : `that matches ${prompt.matches}`
}

/** Which calls a step wants by their number: `the third b-video-task.create`. */
export const wantedCount = (when: Selector): string => {
  const { nth, first, every, after } = when
  const parts = [
    nth !== undefined && `the ${asList(nth).map(ordinal).join(' or ')} ${subject(when)}`,
    first !== undefined && `the first ${first === 1 ? '' : `${first} `}of ${subject(when, 'every')}`,
    every !== undefined && `every ${ordinal(every)} ${subject(when)}`,
    after !== undefined && `those after the first ${after} of ${subject(when, 'every')}`,
  ]
  return parts.filter((part) => part !== false).join(' and ')
}

/** What a step is about, as a noun: `b-video-task.create of gamma-H3`, `callback with status running`. */
export const subject = (when: Selector, article = ''): string => {
  const noun = when.callback === undefined ? callNoun(when) : callbackNoun(when.callback)
  const model = when.model === undefined ? '' : ` of ${either(asList(when.model))}`
  const task = when.perTask === undefined ? '' : ' about each task'
  return `${article === '' ? '' : `${article} `}${noun}${model}${task}`
}

const callNoun = ({ operation, family }: Selector): string => {
  const names = asList(operation)
  if (names.length > 0) return names.map((name) => name.replace(/\.\*$/, ' call')).join(' or ')
  return family === undefined ? 'call' : `${either(asList(family))} call`
}

const callbackNoun = (callback: NonNullable<Selector['callback']>): string =>
  typeof callback === 'string' ? callback : `callback with status ${either(asList(callback.status))}`

const words = ['first', 'second', 'third', 'fourth', 'fifth', 'sixth', 'seventh', 'eighth', 'ninth', 'tenth']

/** Ordinal number as a word: `third`, `21st`. */
export const ordinal = (n: number): string => words[n - 1] ?? numeral(n)
