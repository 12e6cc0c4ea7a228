import type { JsonSchema } from '../../src/core/json-schema.js'

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

const MOST_COLUMNS = 110

/** How a schema is written as TypeScript. */
export interface Printing {
  /** Fields that may be left out may be undefined as well: JSON leaves such out. */
  readonly takesUndefined: boolean
}

/** A schema as an exported declaration: an interface where it is an object, a type where it is not. */
export const declarationOf = (name: string, schema: JsonSchema, printing: Printing): string => {
  const { description, ...rest } = schema
  const said = description === undefined ? '' : `/** ${description} */\n`
  if (rest.properties === undefined) return `${said}export type ${aliasOf(name, rest, printing)}\n`
  const fields = Object.keys(rest.properties).length
  // An empty interface would take anything.
  if (fields === 0) return `${said}export type ${name} = Record<string, never>\n`
  return `${said}export interface ${name} ${objectText(rest, '', printing)}\n`
}

const aliasOf = (name: string, schema: JsonSchema, printing: Printing): string =>
  `${name} =${lined(variantsOf(schema), '', printing)}`

const variantsOf = ({ oneOf, anyOf, ...own }: JsonSchema): readonly JsonSchema[] => oneOf ?? anyOf ?? [own]

/** Alternatives a line each, as the formatter has them. */
const lined = (variants: readonly JsonSchema[], indent: string, printing: Printing): string =>
  variants.map((one) => `\n${indent}  | ${typeText(one, `${indent}    `, printing)}`).join('')

/** A type; objects are written over several lines, and so are alternatives that hold one. */
const typeText = (schema: JsonSchema, indent: string, printing: Printing): string => {
  const { $ref, const: value, enum: values, items, properties, type, additionalProperties } = schema
  if ($ref !== undefined) return $ref.slice($ref.lastIndexOf('/') + 1)
  if (value !== undefined) return literal(value)
  if (values !== undefined) return values.map(literal).join(' | ')
  const variants = schema.oneOf ?? schema.anyOf
  if (variants !== undefined) return unionText(variants, indent, printing)
  if (items !== undefined) return listText(items, indent, printing)
  if (properties !== undefined) return objectText(schema, indent, printing)
  if (typeof additionalProperties === 'object')
    return `Record<string, ${typeText(additionalProperties, indent, printing)}>`
  return typeof type === 'string' || type === undefined ? nounOf(type) : type.map(nounOf).join(' | ')
}

const UNDEFINED: JsonSchema = { type: 'undefined' }

const unionText = (variants: readonly JsonSchema[], indent: string, printing: Printing): string => {
  const line = variants.map((one) => typeText(one, indent, printing)).join(' | ')
  const isObjectOrNull = variants.length === 2 && variants[1]?.type === 'null'
  return line.includes('\n') && !isObjectOrNull ? lined(variants, indent, printing) : line
}

const listText = (items: JsonSchema, indent: string, printing: Printing): string => {
  const item = typeText(items, indent, printing)
  if (item.startsWith('\n')) return `(${item}\n${indent})[]`
  return /^\w+$|^\{/.test(item) ? `${item}[]` : `(${item})[]`
}

const literal = (value: unknown): string => (typeof value === 'string' ? `'${value}'` : String(value))

const nouns: Readonly<Record<string, string>> = { integer: 'number', object: 'Record<string, unknown>' }
const nounOf = (type: string | undefined): string => (type === undefined ? 'unknown' : (nouns[type] ?? type))

const objectText = (schema: JsonSchema, indent: string, printing: Printing): string => {
  const inner = `${indent}  `
  const fields = Object.entries(schema.properties ?? {}).map(([name, field]) => {
    const isRequired = schema.required?.includes(name) === true
    return `${comment(field, inner)}${fieldText(name, field, isRequired, inner, printing)}\n`
  })
  return `{\n${fields.join('')}${indent}}`
}

const fieldText = (
  name: string,
  schema: JsonSchema,
  isRequired: boolean,
  indent: string,
  printing: Printing,
): string => {
  const key = `${indent}${/^\w+$/.test(name) ? name : `'${name}'`}${isRequired ? '' : '?'}:`
  const whole =
    isRequired || !printing.takesUndefined ? schema : { anyOf: [...variantsOf(schema), UNDEFINED] }
  const type = typeText(whole, indent, printing)
  if (type.startsWith('\n')) return key + type
  const line = `${key} ${type}`
  if (type.includes('\n') || line.length <= MOST_COLUMNS) return line
  return key + type.replaceAll(/(?:^| \| )/g, `\n${indent}  | `)
}

const comment = (schema: JsonSchema, indent: string): string => {
  const said = saidOf(schema)
  return said === '' ? '' : `${indent}/** ${said} */\n`
}
