import { useState } from 'preact/hooks'
import { copyText } from './copy.js'

interface JsonViewProps {
  readonly value: unknown
  /** Path of the field to mark: `content[0].image_url.url`. */
  readonly marked?: string | undefined
}

/** Values drawn before the rest is asked for. */
const MAX_LINES = 400
const MAX_TEXT = 600

interface Line {
  readonly path: string
  readonly depth: number
  readonly name: string
  /** A bracket, or a value of no depth. */
  readonly text: string
  readonly kind: 'string' | 'number' | 'word' | 'bracket'
  readonly value: unknown
}

/** JSON as lines of text, with one field marked. Strings of clients are only ever text. A click on a value copies it. */
export const JsonView = ({ value, marked }: JsonViewProps) => {
  const [isWhole, setWhole] = useState(false)
  const lines = linesOf(value)
  const shown = isWhole ? lines : lines.slice(0, MAX_LINES)
  return (
    <div class="json">
      {shown.map((line, index) => (
        <div
          key={index}
          class={isMarked(line, marked) ? 'json-line marked' : 'json-line'}
          style={{ paddingLeft: `${line.depth * 14 + 8}px` }}
        >
          {line.name !== '' && <span class="json-name">{line.name}: </span>}
          {line.kind === 'bracket' ? <span class="json-bracket">{line.text}</span> : <JsonLeaf line={line} />}
        </div>
      ))}
      {lines.length > shown.length && (
        <button type="button" class="plain" onClick={() => setWhole(true)}>
          {`Show the other ${lines.length - shown.length} lines`}
        </button>
      )}
    </div>
  )
}

const JsonLeaf = ({ line: { text, kind, value, path } }: { line: Line }) => {
  const copied = typeof value === 'string' ? value : text
  const shown = text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT)}… (${text.length} characters)` : text
  return (
    <button
      type="button"
      class={`value json-${kind}`}
      title="Copy the value"
      onClick={() => copyText(copied, path === '' ? 'the value' : path)}
    >
      {shown}
    </button>
  )
}

const isMarked = ({ path }: Line, marked: string | undefined): boolean =>
  marked !== undefined && marked !== '' && path === marked

const linesOf = (root: unknown): readonly Line[] => {
  const lines: Line[] = []
  const add = (value: unknown, path: string, depth: number, name: string): void => {
    if (typeof value !== 'object' || value === null) {
      lines.push({
        path,
        depth,
        name,
        value,
        text: JSON.stringify(value) ?? 'undefined',
        kind: kindOf(value),
      })
      return
    }
    const isList = Array.isArray(value)
    const entries = Object.entries(value)
    const [open, close] = isList ? ['[', ']'] : ['{', '}']
    const bracket = (text: string, of: string) =>
      lines.push({ path: of, depth, name: of === '' ? '' : name, text, kind: 'bracket', value })
    if (entries.length === 0)
      return void lines.push({ path, depth, name, text: open + close, kind: 'bracket', value })
    lines.push({ path, depth, name, text: open, kind: 'bracket', value })
    for (const [key, inner] of entries) {
      const innerPath = isList ? `${path}[${key}]` : path === '' ? key : `${path}.${key}`
      add(inner, innerPath, depth + 1, isList ? '' : key)
    }
    bracket(close, '')
  }
  add(root, '', 0, '')
  return lines
}

const kindOf = (value: unknown): Line['kind'] => {
  if (typeof value === 'string') return 'string'
  return typeof value === 'number' ? 'number' : 'word'
}
