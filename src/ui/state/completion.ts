import type { ActionOutput } from './api.js'

/** What a scenario file may say. */
export type ScenarioWords = ActionOutput<'scenarios.words'>

export interface Completion {
  readonly text: string
  /** What it means; empty: it says so itself. */
  readonly detail: string
}

/** Completions of the word before the caret, and where that word begins. */
export interface Completions {
  readonly from: number
  readonly options: readonly Completion[]
}

interface Schema {
  readonly properties?: Readonly<Record<string, Schema>>
  readonly items?: Schema
  readonly anyOf?: readonly Schema[]
  readonly oneOf?: readonly Schema[]
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly type?: string | readonly string[]
  readonly description?: string
}

const MAX_OPTIONS = 40

/** Completions at a place of a scenario file: keys by the schema, and the names that values may have. */
export const completionsAt = (text: string, caret: number, words: ScenarioWords): Completions => {
  const start = text.lastIndexOf('\n', caret - 1) + 1
  const line = text.slice(start, caret)
  const [indent = ''] = /^\s*(?:- +)*/.exec(line) ?? []
  const { path, key, word } = flowPath(line.slice(indent.length))
  const above = blockPath(text.slice(0, start), indent.length)
  const all =
    key === undefined
      ? keysIn(schemaAt(words.schema as Schema, [...above, ...path]))
      : valuesOf(words, [...above, ...path], key)
  const options = all.filter((option) => option.text.startsWith(word) && option.text !== word)
  return { from: caret - word.length, options: options.slice(0, MAX_OPTIONS) }
}

/** The keys of maps in braces that are open at the end of a line, the key whose value is written, and the word begun. */
const flowPath = (line: string): { path: string[]; key: string | undefined; word: string } => {
  const path: string[] = []
  const outer: (string | undefined)[] = []
  let key: string | undefined
  let word = ''
  for (const [index, sign] of [...line].entries()) {
    if (sign === '{' || sign === '[') {
      outer.push(key)
      if (sign === '{' && key !== undefined) path.push(key)
      if (sign === '{') key = undefined
      word = ''
    } else if (sign === '}' || sign === ']') {
      const before = outer.pop()
      if (sign === '}' && before !== undefined) path.pop()
      key = before
      word = ''
    } else if (sign === ',') {
      // A comma in a list leaves the key, one in a map ends it.
      if (
        line.lastIndexOf('[', index) <= Math.max(line.lastIndexOf('{', index), line.lastIndexOf(']', index))
      )
        key = undefined
      word = ''
    } else if (sign === ':' && key === undefined) {
      key = word.trim()
      word = ''
    } else word += sign
  }
  return { path, key, word: word.trimStart() }
}

/** The keys under which a line stands that begins at a column, outermost first. */
const blockPath = (above: string, column: number): string[] => {
  const path: string[] = []
  let limit = column
  for (const line of above.split('\n').reverse()) {
    const [, indent = '', key] = /^(\s*(?:- +)*)([\w$-]+):/.exec(line) ?? []
    if (key === undefined || indent.length >= limit) continue
    path.unshift(key)
    limit = indent.length
  }
  return path
}

/** A schema with its variants and the items of its list. */
const variantsOf = (schema: Schema | undefined): Schema[] =>
  schema === undefined
    ? []
    : [
        schema,
        ...[...(schema.anyOf ?? []), ...(schema.oneOf ?? [])].flatMap(variantsOf),
        ...variantsOf(schema.items),
      ]

const schemaAt = (root: Schema, path: readonly string[]): Schema | undefined => {
  let schema: Schema | undefined = root
  for (const key of path)
    schema = variantsOf(schema).find(({ properties }) => properties?.[key] !== undefined)?.properties?.[key]
  return schema
}

const keysIn = (schema: Schema | undefined): Completion[] =>
  variantsOf(schema).flatMap(({ properties = {} }) =>
    Object.entries(properties)
      .filter(
        ([name, { description = '' }]) => !name.startsWith('$') && !description.startsWith('the old word'),
      )
      .map(([name, { description = '' }]) => ({
        text: `${name}: `,
        detail: description,
      })),
  )

const valuesOf = (words: ScenarioWords, path: readonly string[], key: string): Completion[] => {
  const named = (names: readonly string[]) => names.map((text) => ({ text, detail: '' }))
  if (key === 'operation')
    return named([...words.operations, ...words.families.map((family) => `${family}.*`)])
  if (key === 'family') return named(words.families)
  if (key === 'model') return named(words.models)
  if (key === 'error')
    return Object.entries(words.errors).flatMap(([family, names]) =>
      names.map((text) => ({ text, detail: family })),
    )
  const variants = variantsOf(schemaAt(words.schema as Schema, [...path, key]))
  const fixed = variants.flatMap((one) => one.enum ?? (one.const === undefined ? [] : [one.const]))
  const isSwitch = variants.some(({ type }) => type === 'boolean')
  return named([...fixed.map(String), ...(isSwitch ? ['true', 'false'] : [])])
}
