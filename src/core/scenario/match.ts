import type { Occasion } from './occasion.js'
import type { When } from './when.js'

type One<T> = T | readonly T[] | undefined

const isAmong = <T>(wanted: One<T>, found: T | undefined): boolean =>
  wanted === undefined ||
  (found !== undefined && (Array.isArray(wanted) ? wanted.includes(found) : wanted === found))

/** Whether a name is the one that is written, or one of a family's: `b-video-task.*`. */
export const isNamed = (written: string, operation: string): boolean =>
  written.endsWith('.*') ? operation.startsWith(written.slice(0, -1)) : written === operation

const listOf = <T>(one: One<T>): readonly T[] =>
  one === undefined ? [] : Array.isArray(one) ? one : [one as T]

/** What an occasion is wanted to be and is not, in words; undefined when the step is about such occasions. */
export const misfit = (when: When, occasion: Occasion): string | undefined => {
  const { operation, family, model, account } = occasion
  if (when.operation !== undefined && !listOf(when.operation).some((name) => isNamed(name, operation)))
    return `wants ${listOf(when.operation).join(' or ')}; this was ${operation}`
  if (!isAmong(when.family, family))
    return `wants the family ${listOf(when.family).join(' or ')}; this was ${family}`
  if (!isAmong(when.model, model))
    return `wants the model ${listOf(when.model).join(' or ')}; this was ${model ?? 'none'}`
  if (!isAmong(when.account, account)) return 'wants another account'
  return misfitOfPrompt(when, occasion) ?? misfitOfCallback(when, occasion)
}

const misfitOfPrompt = ({ prompt }: When, occasion: Occasion): string | undefined => {
  if (prompt === undefined) return undefined
  const text = occasion.prompt ?? ''
  if ('contains' in prompt)
    return text.includes(prompt.contains) ? undefined : `wants a prompt with "${prompt.contains}"`
  return new RegExp(prompt.matches, 'u').test(text)
    ? undefined
    : `wants a prompt that matches ${prompt.matches}`
}

const misfitOfCallback = ({ callback }: When, occasion: Occasion): string | undefined => {
  const message = occasion.callback
  if (callback === undefined) return message === undefined ? undefined : 'wants a call; this was a callback'
  if (message === undefined) return 'wants a callback; this was a call'
  if (typeof callback === 'string')
    return callback === message.kind ? undefined : `wants a ${callback}; this was a ${message.kind}`
  return message.kind === 'delivery' && isAmong(callback.status, message.status)
    ? undefined
    : `wants a callback with status ${listOf(callback.status).join(' or ')}; this was ${message.status ?? message.kind}`
}

/** What keeps the nth fitting occasion from being acted on, in words; undefined when nothing does. */
export const miscount = (when: When, nth: number): string | undefined => {
  const this_ = `this was the ${ordinal(nth)}`
  if (when.nth !== undefined && !listOf(when.nth).includes(nth))
    return `wants the ${listOf(when.nth).map(ordinal).join(' or ')} such call; ${this_}`
  if (when.first !== undefined && nth > when.first) return `wants the first ${when.first}; ${this_}`
  if (when.every !== undefined && nth % when.every !== 0)
    return `wants every ${ordinal(when.every)}; ${this_}`
  if (when.after !== undefined && nth <= when.after)
    return `wants those after the first ${when.after}; ${this_}`
  return undefined
}

export const ordinal = (n: number): string => {
  const ending = n % 100 >= 11 && n % 100 <= 13 ? 'th' : (['th', 'st', 'nd', 'rd'][n % 10] ?? 'th')
  return `${n}${ending}`
}
