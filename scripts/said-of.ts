import type { JsonSchema } from '../src/openapi/json-schema.js'

/** What a type cannot say of a field: what it is, its bounds, its default. Empty where there is nothing to say. */
export const saidOf = (schema: JsonSchema): string =>
  [schema.description, ...boundsOf(schema), ...defaultOf(schema)]
    .filter((one) => one !== undefined)
    .join('; ')

const boundsOf = ({ minimum, maximum, minLength, maxLength, minItems, maxItems }: JsonSchema): string[] => [
  ...range(minimum, maximum),
  // A text that must not be empty goes without saying.
  ...range(minLength === 1 ? undefined : minLength, maxLength, 'character'),
  ...range(minItems, maxItems, 'item'),
]

const range = (least: number | undefined, most: number | undefined, noun = ''): string[] => {
  if (least === undefined && most === undefined) return []
  const last = most ?? least
  const counted = noun === '' ? '' : ` ${noun}${last === 1 ? '' : 's'}`
  if (least === undefined) return [`at most ${most}${counted}`]
  if (most === undefined) return [`at least ${least}${counted}`]
  return [least === most ? `exactly ${least}${counted}` : `${least} to ${most}${counted}`]
}

// A default that is an object is told by its fields.
const defaultOf = ({ default: value }: JsonSchema): string[] =>
  value === undefined || typeof value === 'object' ? [] : [`${JSON.stringify(value)} when left out`]
