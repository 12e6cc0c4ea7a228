import type { JsonSchema } from '../../src/emulator/core/json-schema.js'

const MAX_COLUMNS = 110

/** How schemas are written as TypeScript. */
export interface Printing {
  /** Optional fields may be undefined as well: JSON omits such fields. */
  readonly takesUndefined: boolean
  /** Fields and lists are readonly. */
  readonly isReadonly?: boolean
  /** Lists are readonly and fields are not: values `as const` fit. */
  readonly hasReadonlyLists?: boolean
  /** Everything on one line, without comments, as a cell of a table has it. */
  readonly isInline?: boolean
}

/** A schema as an exported declaration: an interface for an object, a type for anything else. */
export const declarationOf = (name: string, schema: JsonSchema, printing: Printing): string => {
  const { description, ...rest } = schema
  const comment = description === undefined ? '' : `/** ${sentence(description)} */\n`
  if (rest.properties === undefined || rest['x-type'] !== undefined)
    return `${comment}export type ${name} =${lined(variantsOf(rest), '', printing)}\n`
  const fields = Object.keys(rest.properties).length
  // An empty interface would take anything.
  if (fields === 0) return `${comment}export type ${name} = Record<string, never>\n`
  return `${comment}export interface ${name} ${objectText(rest, '', printing)}\n`
}

const variantsOf = ({ oneOf, anyOf, ...own }: JsonSchema): readonly JsonSchema[] => oneOf ?? anyOf ?? [own]

/** Variants, each on its line, as the formatter has them; a single one on the same line. */
const lined = (variants: readonly JsonSchema[], indent: string, printing: Printing): string => {
  const [only] = variants
  if (variants.length === 1 && only !== undefined && only.enum === undefined)
    return ` ${typeText(only, indent, printing)}`
  return variants
    .flatMap((one) => one.enum?.map(literal) ?? [typeText(one, `${indent}    `, printing)])
    .map((text) => `\n${indent}  | ${text}`)
    .join('')
}

/** A type; objects are written over several lines, and so are variants that hold one. */
export const typeText = (schema: JsonSchema, indent: string, printing: Printing): string => {
  const { $ref, const: value, enum: values, items, properties, type, additionalProperties, allOf } = schema
  if (schema['x-type'] !== undefined) return schema['x-type']
  if ($ref !== undefined) return $ref.slice($ref.lastIndexOf('/') + 1)
  if (value !== undefined) return literal(value)
  if (values !== undefined) return values.map(literal).join(' | ')
  if (allOf !== undefined) return allOf.map((one) => typeText(one, indent, printing)).join(' & ')
  const variants = schema.oneOf ?? schema.anyOf
  if (variants !== undefined) return unionText(variants, indent, printing)
  if (schema.prefixItems !== undefined)
    return `readonly [${schema.prefixItems.map((item) => typeText(item, indent, printing)).join(', ')}]`
  if (items !== undefined) return listText(items, indent, printing)
  if (properties !== undefined && Object.keys(properties).length > 0)
    return objectText(schema, indent, printing)
  if (typeof additionalProperties === 'object')
    return recordText(typeText(additionalProperties, indent, printing), printing)
  // An empty object type would take anything.
  if (properties !== undefined) return recordText('never', printing)
  return typeof type === 'string' || type === undefined ? nounOf(type) : type.map(nounOf).join(' | ')
}

const recordText = (values: string, { isReadonly }: Printing): string =>
  isReadonly ? `Readonly<Record<string, ${values}>>` : `Record<string, ${values}>`

const UNDEFINED: JsonSchema = { type: 'undefined' }

const unionText = (variants: readonly JsonSchema[], indent: string, printing: Printing): string => {
  const line = variants.map((one) => typeText(one, indent, printing)).join(' | ')
  const isObjectOrNull = variants.length === 2 && variants[1]?.type === 'null'
  return line.includes('\n') && !isObjectOrNull ? lined(variants, indent, printing) : line
}

const listText = (items: JsonSchema, indent: string, printing: Printing): string => {
  const item = typeText(items, indent, printing)
  const modifier = printing.isReadonly || printing.hasReadonlyLists ? 'readonly ' : ''
  if (item.startsWith('\n')) return `${modifier}(${item}\n${indent})[]`
  return modifier + (/^\w+$|^\{[^&|]*\}$/.test(item) ? `${item}[]` : `(${item})[]`)
}

const literal = (value: unknown): string => (typeof value === 'string' ? `'${value}'` : String(value))

const nouns: Readonly<Record<string, string>> = { integer: 'number', object: 'Record<string, unknown>' }
const nounOf = (type: string | undefined): string => (type === undefined ? 'unknown' : (nouns[type] ?? type))

const objectText = (schema: JsonSchema, indent: string, printing: Printing): string => {
  const inner = printing.isInline ? '' : `${indent}  `
  const fields = Object.entries(schema.properties ?? {}).map(([name, field]) => {
    const isRequired = schema.required?.includes(name) === true
    const text = fieldText(name, field, isRequired, inner, printing)
    return printing.isInline ? text : `${comment(field, inner)}${text}\n`
  })
  if (printing.isInline) return `{ ${fields.join('; ')} }`
  return `{\n${fields.join('')}${indent}}`
}

const fieldText = (
  name: string,
  schema: JsonSchema,
  isRequired: boolean,
  indent: string,
  printing: Printing,
): string => {
  const modifier = printing.isReadonly ? 'readonly ' : ''
  const key = `${indent}${modifier}${/^\w+$|^\$\w+$/.test(name) ? name : `'${name}'`}${isRequired ? '' : '?'}:`
  const whole =
    !isRequired && printing.takesUndefined && typeText(schema, '', printing) !== 'unknown'
      ? { anyOf: [...(schema['x-type'] === undefined ? variantsOf(schema) : [schema]), UNDEFINED] }
      : schema
  const type = typeText(whole, indent, printing)
  if (type.startsWith('\n')) return key + type
  const line = `${key} ${type}`
  if (printing.isInline || type.includes('\n') || line.length <= MAX_COLUMNS) return line
  return key + type.replaceAll(/(?:^| \| )/g, `\n${indent}  | `)
}

const comment = (schema: JsonSchema, indent: string): string => {
  const text = commentOf(schema)
  return text === '' ? '' : `${indent}/** ${text} */\n`
}

/** What a type does not say of a field: what it is, its limits, its default. Empty where there is nothing to say. */
export const commentOf = (schema: JsonSchema): string =>
  sentence(
    // Limits with exceptions are said in the description.
    [schema.description, ...(schema.not === undefined ? limitsOf(schema) : []), ...defaultOf(schema)]
      .filter((one) => one !== undefined)
      .join('; '),
  )

/** With a capital and a full stop. */
const sentence = (text: string): string =>
  text === '' ? '' : text.replace(/^[a-z]+(?=[\s,;:]|$)/, capitalised) + (/[.!?…]$/.test(text) ? '' : '.')

const capitalised = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1)

const limitsOf = ({ minimum, maximum, minLength, maxLength, minItems, maxItems }: JsonSchema): string[] => [
  ...range(minimum, maximum),
  // A text that must not be empty goes without saying.
  ...range(minLength === 1 ? undefined : minLength, maxLength, 'character'),
  ...range(minItems, maxItems, 'item'),
]

const range = (min: number | undefined, max: number | undefined, noun = ''): string[] => {
  if (min === undefined && max === undefined) return []
  const last = max ?? min
  const counted = noun === '' ? '' : ` ${noun}${last === 1 ? '' : 's'}`
  if (min === undefined) return [`at most ${max}${counted}`]
  if (max === undefined) return [`at least ${min}${counted}`]
  return [min === max ? `exactly ${min}${counted}` : `${min} to ${max}${counted}`]
}

// The fields of an object tell their own defaults.
const defaultOf = ({ default: value }: JsonSchema): string[] =>
  value === undefined || (typeof value === 'object' && value !== null)
    ? []
    : [
        `default: ${typeof value === 'number' && value >= 10_000 ? value.toLocaleString('en') : JSON.stringify(value)}`,
      ]
