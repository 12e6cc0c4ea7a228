import { formatDuration } from '../time/duration.js'
import { listOf } from './about.js'
import type { Look, NearMiss } from './look.js'
import type { Step } from './scenario.js'
import type { When } from './when.js'

/**
 * Why a step did not act, in words that go on from its name: "wants the third f-video-v2.create of gamma-H3; this was
 * the second".
 */
export const whyNot = (look: Look, { index, reason, number = 0 }: NearMiss): string => {
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
