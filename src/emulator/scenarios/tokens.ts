import type { CST, LineCounter, Parser } from 'yaml'
import { timeSlice } from '../concurrency.js'

type Yaml = typeof import('yaml')

/** Limits of a text. */
export interface TextLimits {
  readonly bytes: number
  /** Words, signs, ends of lines and the space between. The composer takes some microseconds for each. */
  readonly lexemes: number
}

const MAX_LEVELS = 100
const MAX_BAD_ESCAPES = 20
const LEXEMES_OF_SLICE = 200

export type ParsedTokens = readonly CST.Token[]

/** Tokens of a text, or why it is not read and where, in characters. */
type Read = { readonly tokens: ParsedTokens } | { readonly problem: string; readonly at: number }

/**
 * Lexes and parses a text, YAML or JSON, within limits, in time slices. What composes the tokens to a document is recursive, and
 * is done in one go: more levels would exhaust the stack of the process, and more lexemes would hold the event loop.
 */
export const parseTokens = async (
  text: string,
  yaml: Yaml,
  lines: LineCounter,
  limits: TextLimits,
): Promise<Read> => {
  lines.addNewLine(0)
  const bytes = Buffer.byteLength(text)
  if (bytes > limits.bytes)
    return { problem: `the text has ${bytes} bytes: at most ${limits.bytes} are read`, at: 0 }
  const parser = new yaml.Parser(lines.addNewLine)
  const tokens: CST.Token[] = []
  let lexemes = 0
  let at = 0
  for (const lexeme of new yaml.Lexer().lex(text)) {
    if (lexemes % LEXEMES_OF_SLICE === 0) await timeSlice()
    lexemes += 1
    for (const token of parser.next(lexeme)) tokens.push(token)
    const problem =
      lexemes > limits.lexemes ? tooLong(limits) : (depthProblem(parser) ?? escapeProblem(lexeme))
    if (problem !== undefined) return { problem, at }
    at = parser.offset
  }
  tokens.push(...parser.end())
  return { tokens }
}

const tooLong = ({ lexemes }: TextLimits): string =>
  `the text has more than ${lexemes} words and signs: split it, or have fewer steps`

const COLLECTIONS: ReadonlySet<string> = new Set(['block-map', 'block-seq', 'flow-collection'])

const depthProblem = ({ stack }: Parser): string | undefined =>
  stack.length > MAX_LEVELS && stack.filter(({ type }) => COLLECTIONS.has(type)).length > MAX_LEVELS
    ? `there are more than ${MAX_LEVELS} levels, one in the other`
    : undefined

const ESCAPE = /\\(?:([0abt\tnvfre "/\\N_LP\n\r]|x[0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8})|)/g

/** Each escape that there is not is an error of its own, of which one text can have a hundred thousand. */
const escapeProblem = (lexeme: string): string | undefined => {
  if (!lexeme.startsWith('"')) return undefined
  let bad = 0
  for (const [, known] of lexeme.matchAll(ESCAPE)) {
    if (known === undefined) bad += 1
    if (bad > MAX_BAD_ESCAPES)
      return `this text has more than ${MAX_BAD_ESCAPES} escapes that there are not: write \\\\ for a backslash`
  }
  return undefined
}
