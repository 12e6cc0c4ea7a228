import { copyText } from './copy.js'

interface JsonViewProps {
  readonly value: unknown
  /** Path of the field to mark: `content[0].image_url.url`. */
  readonly marked?: string | undefined
}

/** Lines and characters of a text that are drawn. */
const MAX_LINES = 1_000
const MAX_TEXT = 600

/** A line of JSON: a bracket, or a value that is no object. */
interface Line {
  readonly path: string
  readonly depth: number
  readonly name: string
  readonly text: string
  /** Undefined: a bracket. */
  readonly kind?: 'string' | 'number' | 'word'
}

/** JSON as lines of text, with one field marked. Strings of clients are only ever text. A click on a value copies it. */
export const JsonView = ({ value, marked = '' }: JsonViewProps) => {
  const lines = linesOf(value, '', 0, '')
  return (
    <div class="json">
      {lines.slice(0, MAX_LINES).map((line, index) => (
        <div
          key={index}
          class={marked !== '' && line.path === marked ? 'json-line marked' : 'json-line'}
          style={{ paddingLeft: `${line.depth * 14 + 8}px` }}
        >
          {line.name !== '' && <span class="json-name">{line.name}: </span>}
          {line.kind === undefined ? <span>{line.text}</span> : <JsonLeaf {...line} />}
        </div>
      ))}
      {lines.length > MAX_LINES && <p class="quiet">and {lines.length - MAX_LINES} more lines</p>}
    </div>
  )
}

const JsonLeaf = ({ text, kind, path }: Line) => {
  const copied = kind === 'string' ? JSON.parse(text) : text
  const what = path === '' ? 'the value' : path
  return (
    <button
      type="button"
      class={`value json-${kind}`}
      title="Copy the value"
      onClick={() => copyText(copied, what)}
    >
      {text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT)}… (${text.length} characters)` : text}
    </button>
  )
}

const linesOf = (value: unknown, path: string, depth: number, name: string): readonly Line[] => {
  const line = { path, depth, name }
  if (typeof value !== 'object' || value === null)
    return [{ ...line, text: JSON.stringify(value) ?? 'undefined', kind: kinds[typeof value] ?? 'word' }]
  const isList = Array.isArray(value)
  const [open, close] = isList ? ['[', ']'] : ['{', '}']
  const entries = Object.entries(value)
  if (entries.length === 0) return [{ ...line, text: `${open}${close}` }]
  const inner = entries.flatMap(([key, one]) =>
    linesOf(
      one,
      isList ? `${path}[${key}]` : path === '' ? key : `${path}.${key}`,
      depth + 1,
      isList ? '' : key,
    ),
  )
  return [{ ...line, text: open as string }, ...inner, { path: '', depth, name: '', text: close as string }]
}

const kinds: Readonly<Record<string, Line['kind']>> = { string: 'string', number: 'number' }
