import { shortened } from '../state/format.js'
import { type JsonPath, pathText } from '../state/json-form.js'
import { copyText } from './copy.js'

interface JsonViewProps {
  readonly value: unknown
  /** Paths of the fields to mark: `content[0].image_url.url`. */
  readonly marked?: readonly (string | undefined)[]
}

/** Lines, and characters of a text or a name, that are drawn. */
const MAX_LINES = 1_000
const MAX_TEXT = 600

/** A line of JSON: a bracket, or a value that is no object. */
interface JsonLine {
  readonly path: string
  readonly depth: number
  readonly name: string
  readonly text: string
  /** Undefined for a bracket. */
  readonly kind?: 'string' | 'number' | 'literal'
}

/** JSON as lines of text, with one field marked. Strings of clients are only ever text. A click on a value copies it. */
export const JsonView = ({ value, marked = [] }: JsonViewProps) => {
  const lines = linesOf(value)
  return (
    <div class="json">
      {lines.slice(0, MAX_LINES).map((line, index) => (
        <div
          key={index}
          class={line.path !== '' && marked.includes(line.path) ? 'json-line marked' : 'json-line'}
          style={{ paddingLeft: `${line.depth * 14 + 8}px` }}
        >
          {line.name !== '' && <span class="json-name">{shortened(line.name, MAX_TEXT)}: </span>}
          {line.kind === undefined ? <span>{line.text}</span> : <JsonLeaf {...line} />}
        </div>
      ))}
      {lines.length > MAX_LINES && <p class="quiet">and {lines.length - MAX_LINES} more lines</p>}
    </div>
  )
}

const JsonLeaf = ({ text, kind, path }: JsonLine) => {
  const value = kind === 'string' ? JSON.parse(text) : text
  return (
    <button
      type="button"
      class={`value json-${kind}`}
      title="Copy the value"
      onClick={() => copyText(value, path === '' ? 'the value' : path)}
    >
      {shortened(text, MAX_TEXT)}
    </button>
  )
}

const linesOf = (value: unknown, path: JsonPath = []): readonly JsonLine[] => {
  const key = path.at(-1)
  const line = { path: pathText(path), depth: path.length, name: typeof key === 'string' ? key : '' }
  if (typeof value !== 'object' || value === null)
    return [{ ...line, text: JSON.stringify(value) ?? 'undefined', kind: kinds[typeof value] ?? 'literal' }]
  const isArray = Array.isArray(value)
  const [open, close] = isArray ? ['[', ']'] : ['{', '}']
  const entries = Object.entries(value)
  if (entries.length === 0) return [{ ...line, text: `${open}${close}` }]
  const inner = entries.flatMap(([name, item]) => linesOf(item, [...path, isArray ? Number(name) : name]))
  return [{ ...line, text: `${open}` }, ...inner, { ...line, path: '', name: '', text: `${close}` }]
}

const kinds: Readonly<Record<string, JsonLine['kind']>> = { string: 'string', number: 'number' }
