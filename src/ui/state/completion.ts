import type { ActionOutput } from './api.js'
import { allowedValues, type Schema } from './json-form.js'

/** What a scenario file may say. */
export type ScenarioWords = ActionOutput<'scenarios.words'>

interface Completion {
  readonly text: string
  /** What it means; empty: it says so itself. */
  readonly detail: string
}

/** Completions of the word before the caret, and where that word begins. */
interface Completions {
  readonly from: number
  readonly options: readonly Completion[]
}

const MAX_OPTIONS = 12

/** Completions at the caret in a scenario file: keys by the schema, and the names that values may have. */
export const completionsAt = (text: string, caret: number, words: ScenarioWords): Completions => {
  const start = text.lastIndexOf('\n', caret - 1) + 1
  const line = text.slice(start, caret)
  const [indent = ''] = /^\s*(?:- +)*/.exec(line) ?? []
  const { path, key, word } = flowPath(line.slice(indent.length))
  const above = blockPath(text.slice(0, start), indent.length)
  const candidates =
    key === undefined
      ? keysIn(schemaAt(words.schema as Schema, [...above, ...path]))
      : valuesOf(words, [...above, ...path], key, familyAt(text, start))
  const options = withoutDoubles(candidates).filter(
    ({ text: option }) => option.startsWith(word) && option !== word,
  )
  return { from: caret - word.length, options: options.slice(0, MAX_OPTIONS) }
}

/** Options by their texts: the schema has some keys in several variants. */
const withoutDoubles = (options: readonly Completion[]): readonly Completion[] =>
  [...new Map(options.toReversed().map((option) => [option.text, option])).values()].reverse()

/** The family of the operations of the step around a place: `b-video-task`, or undefined where the step does not say. */
const familyAt = (text: string, at: number): string | undefined => {
  const lines = text.split('\n')
  const line = text.slice(0, at).split('\n').length - 1
  const indentOf = (index: number) => /^\s*/.exec(lines[index] ?? '')?.[0].length ?? 0
  // The step begins with a hyphen at a column that no line of it is left of.
  let from = line
  while (from > 0 && !/^\s*- /.test(lines[from] ?? '')) from -= 1
  const rest = lines.slice(from + 1).findIndex((_, index) => {
    const other = from + 1 + index
    return lines[other]?.trim() !== '' && indentOf(other) <= indentOf(from)
  })
  const step = lines.slice(from, rest < 0 ? undefined : from + 1 + rest).join('\n')
  return /\b(?:operation|family):\s*\[?\s*([a-z\d-]+)/.exec(step)?.[1]
}

/** The keys of flow maps (in braces) that are open at the end of a line, the key whose value is written, and the word begun. */
const flowPath = (line: string): { path: string[]; key: string | undefined; word: string } => {
  const path: string[] = []
  const open: { readonly bracket: string; readonly key: string | undefined }[] = []
  let key: string | undefined
  let word = ''
  const readMark = (mark: string): void => {
    if (mark === ':') key = word.trim()
    if ('{['.includes(mark)) open.push({ bracket: mark, key })
    if (mark === '{' && key !== undefined) path.push(key)
    if ('}]'.includes(mark)) key = open.pop()?.key
    if (mark === '}' && key !== undefined) path.pop()
    // A comma in a list leaves the key, one in a map ends it.
    if (mark === '{' || (mark === ',' && open.at(-1)?.bracket !== '[')) key = undefined
    word = ''
  }
  for (const char of line)
    if (char === ':' ? key === undefined : '{}[],'.includes(char)) readMark(char)
    else word += char
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

/** A schema with its variants and the items of its list, flattened. */
const flatten = (schema: Schema | undefined): Schema[] => {
  if (schema === undefined) return []
  const { anyOf = [], oneOf = [], items } = schema
  return [schema, ...[...anyOf, ...oneOf].flatMap(flatten), ...flatten(items)]
}

const schemaAt = (root: Schema, path: readonly string[]): Schema | undefined => {
  let schema: Schema | undefined = root
  for (const key of path)
    schema = flatten(schema).find(({ properties }) => properties?.[key] !== undefined)?.properties?.[key]
  return schema
}

const keysIn = (schema: Schema | undefined): Completion[] =>
  flatten(schema)
    .flatMap(({ properties = {} }) => Object.entries(properties))
    .map(([name, { description = '' }]) => ({ text: `${name}: `, detail: description }))
    .filter(({ text, detail }) => !text.startsWith('$') && !detail.startsWith('the old word'))

const valuesOf = (
  words: ScenarioWords,
  path: readonly string[],
  key: string,
  ownFamily: string | undefined,
): Completion[] => {
  const plain = (texts: readonly string[]) => texts.map((text) => ({ text, detail: '' }))
  if (key === 'operation')
    return plain([...words.operations, ...words.families.map((family) => `${family}.*`)])
  if (key === 'family') return plain(words.families)
  if (key === 'model') return plain(words.models)
  if (key === 'error')
    return Object.entries(words.errors)
      .filter(([family]) => words.errors[ownFamily ?? ''] === undefined || family === ownFamily)
      .flatMap(([family, names]) =>
        names.map((text) => ({ text, detail: `${words.statuses[family]?.[text] ?? ''} ${family}`.trim() })),
      )
  const schemas = flatten(schemaAt(words.schema as Schema, [...path, key]))
  const isBoolean = schemas.some(({ type }) => type === 'boolean')
  return plain([...schemas.flatMap(allowedValues).map(String), ...(isBoolean ? ['true', 'false'] : [])])
}

/** Indentation of the line below a caret: that of its line, one level deeper behind a colon, and below the key behind a hyphen. */
export const indentBelow = (text: string, caret: number): string => {
  const line = text.slice(text.lastIndexOf('\n', caret - 1) + 1, caret)
  const [indent = '', hyphens = ''] = /^\s*((?:- +)*)/.exec(line) ?? []
  const own = ' '.repeat(indent.length)
  return /:\s*$/.test(line) ? `${own}  ` : hyphens === '' || line.trim() !== '-' ? own : `${own}  `
}
