import { EmulatorError } from '../core/emulator-error.js'
import { shown } from '../core/request/shape-refusals.js'
import { suggestion } from '../core/scenario/check/complaint.js'

/**
 * Options of a helper: one that is misspelt would be passed over, and the test could not fail by it.
 * @throws EmulatorError `bad-option`
 */
export const validateOptions = (whose: string, given: object, known: readonly string[]): void => {
  for (const name of Object.keys(given))
    if (!known.includes(name)) throw badOption(`${whose} has no option`, name, known)
}

/** @throws EmulatorError `bad-option` */
export const validateWords = (kind: string, given: readonly string[], known: readonly string[]): void => {
  for (const word of given) if (!known.includes(word)) throw badOption(`There is no ${kind}`, word, known)
}

/** How often something is to have happened. @throws EmulatorError `bad-option` */
export const validateCount = (name: string, given: unknown): void => {
  if (given === undefined || (Number.isInteger(given) && Number(given) >= 0)) return
  throw new EmulatorError(`${name} must be a whole number, 0 or more, found ${shown(given)}.`, {
    code: 'bad-option',
  })
}

const badOption = (sentence: string, found: string, known: readonly string[]): EmulatorError => {
  const text = `${sentence} ${JSON.stringify(found)}${suggestion(found, known)}`
  return new EmulatorError(text.endsWith('?') ? text : `${text}.`, { code: 'bad-option' })
}
