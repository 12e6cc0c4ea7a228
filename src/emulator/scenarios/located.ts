import { readFile } from 'node:fs/promises'
import type { Document, ErrorCode, LineCounter, Node, Pair, YAMLParseError } from 'yaml'
import { lateImport } from '../concurrency.js'
import { type Diagnostic, MAX_DIAGNOSTICS, type Path } from '../core/diagnostics.js'
import { withoutLongLines } from '../core/errors.js'
import { nextTurn } from '../timers.js'
import { type ParsedTokens, parseTokens, type TextLimits } from './tokens.js'

/** Diagnostic with its place in a file; line and column count from 1. */
export interface LocatedDiagnostic {
  readonly line: number
  readonly column: number
  /** A sentence without a full stop. */
  readonly message: string
}

/** `scenarios/mine.yaml:4:18: there is no operation "b-video.create": did you mean b-video-task.create?` */
export const diagnosticText = (file: string, { line, column, message }: LocatedDiagnostic): string =>
  `${file}:${line}:${column}: ${message}`

/**
 * Reads a text file without its byte order mark, with which some editors and proxies begin their files. In UTF-8, or, where the
 * mark says so, in UTF-16, which `>` of Windows PowerShell 5.1 writes. Rejects for an archive (zip, gzip), in which proxies and
 * Playwright can put their files.
 */
export const readTextFile = async (path: string): Promise<string> => {
  const text = await readFile(path, 'utf8')
  const [, kind] = archives.find(([beginning]) => text.startsWith(beginning)) ?? []
  if (kind !== undefined) throw new Error(`it is a ${kind} file, which has to be unpacked first`)
  // The mark of UTF-16: two bytes that UTF-8 does not have.
  return withoutMark(text.startsWith('\uFFFD\uFFFD') ? await readFile(path, 'utf16le') : text)
}

// What they begin with, as UTF-8: the second byte of gzip is none.
const archives = [
  ['PK\x03\x04', 'zip'],
  ['\x1F\uFFFD', 'gzip'],
] as const

const withoutMark = (text: string): string => text.replace(/^\uFEFF/, '')

type Diagnosed<At> = { readonly diagnostics: readonly At[] }

/** Place of a value in a text, or of its key. */
export type PlaceOf = (path: Path, isKey?: boolean) => Pick<LocatedDiagnostic, 'line' | 'column'>

/** Limits of a text that a call can bring: it is read beside other calls. */
const SMALL: TextLimits = { bytes: 256 * 1024, lexemes: 16_000 }
/** Limits of a text that is read before the emulator listens. */
export const UNLIMITED: TextLimits = { bytes: Number.POSITIVE_INFINITY, lexemes: Number.POSITIVE_INFINITY }

const importYaml = lateImport(() => import('yaml'))

/**
 * Parses a text, YAML or JSON, and validates it. What is wrong comes at once with its place, in the order of the text, at most twenty
 * problems. The steps have turns of the event loop between them: for the largest text that is read, each takes less than 100 ms.
 * @param validate is given the document, and what finds the places of its values
 */
export const parseLocated = async <Valid extends object>(
  given: string,
  validate: (document: unknown, placeOf: PlaceOf) => Valid | Diagnosed<Diagnostic>,
  limits = SMALL,
): Promise<Valid | Diagnosed<LocatedDiagnostic>> => {
  // A byte order mark takes no column.
  const text = withoutMark(given)
  // JSON is a part of YAML, so one parser knows the places of both.
  const yaml = await importYaml()
  const lines = new yaml.LineCounter()
  const read = await parseTokens(text, yaml, lines, limits)
  if ('problem' in read) return { diagnostics: [locatedAt(read.at, read.problem, lines)] }
  await nextTurn()
  const document = composed(read.tokens, text, yaml)
  await nextTurn()
  const broken = [
    ...document.errors.map((error) => locatedAt(error.pos[0], syntaxSentence(error, text), lines)),
    ...brokenNodes(document, lines, yaml),
  ]
  if (broken.length > 0) return { diagnostics: firstOnLines(broken) }
  let content: unknown
  try {
    content = document.toJS()
  } catch (error) {
    // The aliases multiply it beyond the limit of the parser, or a merge key names no object.
    const message = error instanceof ReferenceError ? TOO_MUCH : (error as Error).message
    return { diagnostics: [locatedAt(0, message, lines)] }
  }
  await nextTurn()
  const validated = validate(content, (path, isKey = false) => {
    const { line, column } = located({ path, isKey, message: '' }, document, lines)
    return { line, column }
  })
  if (!('diagnostics' in validated)) return validated
  const diagnostics = validated.diagnostics.map((diagnostic) => located(diagnostic, document, lines))
  return { diagnostics: diagnostics.sort(inOrder) }
}

type Yaml = Awaited<ReturnType<typeof importYaml>>

/** First document of a text, with the errors of its syntax; of a second one the error alone. */
const composed = (tokens: ParsedTokens, text: string, { Composer, YAMLParseError }: Yaml): Document => {
  const composer = new Composer({
    // `<<: *name`, which YAML 1.2 has no more and other parsers still read.
    merge: true,
    // The parser would compare each key with all before it. They are compared below.
    uniqueKeys: false,
    prettyErrors: false,
    logLevel: 'error',
  })
  return withoutStacks(() => {
    const [document, second] = composer.compose(tokens, true, text.length)
    if (document === undefined) throw new Error('There is no document.')
    if (second !== undefined)
      document.errors.push(new YAMLParseError([second.range[0], second.range[1]], 'MULTIPLE_DOCS', ''))
    return document
  })
}

/** Runs what makes many errors that are not thrown: the stack of each takes ten times as long as the rest of it. */
const withoutStacks = <T>(run: () => T): T => {
  const { stackTraceLimit } = Error
  Error.stackTraceLimit = 0
  try {
    return run()
  } finally {
    Error.stackTraceLimit = stackTraceLimit
  }
}

/** Keys that stand twice, and aliases without what they name. */
const brokenNodes = (
  document: Document,
  lines: LineCounter,
  { isMap, isScalar, visit }: Yaml,
): LocatedDiagnostic[] => {
  const broken: LocatedDiagnostic[] = []
  // By name, the latest before an alias: the parser would go through the whole document for each alias.
  const anchors = new Map<string | undefined, Node>()
  visit(document, {
    Value: (_, node) => {
      anchors.set(node.anchor, node)
      if (!isMap(node)) return
      const seen = new Map<unknown, number>()
      for (const { key } of node.items) {
        if (!isScalar(key)) continue
        const offset = key.range?.[0] ?? 0
        const first = seen.get(key.value)
        if (first !== undefined) broken.push(locatedAt(offset, duplicateKey(first, lines), lines))
        else seen.set(key.value, offset)
      }
    },
    Alias: (_, alias, parents) => {
      const named = anchors.get(alias.source)
      if (named !== undefined && !parents.includes(named)) return
      const anchor = `&${alias.source}`
      const problem =
        named === undefined ? `there is no anchor ${anchor} before` : `what the anchor ${anchor} names holds`
      broken.push(locatedAt(alias.range?.[0] ?? 0, `${problem} this alias`, lines))
    },
  })
  return broken
}

/** The first problem of each line, at most twenty: one slip of the pen can break what follows on its line too. */
const firstOnLines = (broken: readonly LocatedDiagnostic[]): LocatedDiagnostic[] => {
  const sorted = broken.toSorted(inOrder)
  const firsts = sorted.filter(({ line }, index) => line !== sorted[index - 1]?.line)
  const next = firsts[MAX_DIAGNOSTICS]
  if (next === undefined) return firsts
  const message = `and ${firsts.length - MAX_DIAGNOSTICS} more`
  return [...firsts.slice(0, MAX_DIAGNOSTICS), { ...next, message }]
}

const duplicateKey = (first: number, lines: LineCounter): string => {
  const { line, col } = lines.linePos(first)
  return `this key stands here twice, first at ${line}:${col}: give it once`
}

const TOO_MUCH = 'the aliases stand for too much: write out what they name'

/** What breaks the syntax, in words. Of other codes the parser's own sentence is clear. */
const syntaxWords: Partial<Record<ErrorCode, string>> = {
  BAD_INDENT: 'this is not indented as what it belongs to, or a bracket before it is not closed',
  BLOCK_AS_IMPLICIT_KEY: 'this text has a colon: put it in quotes, or begin a new line at the colon',
  MULTILINE_IMPLICIT_KEY: 'this line is not indented as the one before, or a key is without its colon',
  MULTIPLE_DOCS: 'a second document begins here: a file holds one',
  TAB_AS_INDENT: 'this line is indented with a tab: use spaces',
  UNEXPECTED_TOKEN: 'this cannot stand here: look at the quotes, brackets and indentation before it',
}

const syntaxSentence = ({ code, message, pos: [at] }: YAMLParseError, text: string): string => {
  if (code === 'MISSING_CHAR')
    return message
      .replace(/^Flow (map|sequence) must.*(.)$/s, 'a bracket before this is not closed: $2 is missing')
      .replace(/^Missing closing (.)quote$/, 'the closing $1 is missing')
  if (code === 'BAD_SCALAR_START') return `a text that begins with ${text.charAt(at)} must be in quotes`
  return syntaxWords[code] ?? message.replace(/\s+/g, ' ').replace(/\.$/, '')
}

const inOrder = (a: LocatedDiagnostic, b: LocatedDiagnostic): number => a.line - b.line || a.column - b.column

const locatedAt = (offset: number, message: string, lines: LineCounter): LocatedDiagnostic => {
  const { line, col } = lines.linePos(offset)
  return { line, column: col, message: withoutLongLines(message) }
}

const located = (
  { path, isKey, message }: Diagnostic,
  document: Document,
  lines: LineCounter,
): LocatedDiagnostic => {
  const offset = isKey === true ? keyOffset(document, path) : undefined
  return locatedAt(offset ?? valueOffset(document, path), message, lines)
}

interface WithRange {
  readonly range?: readonly [number, number, number] | null
}

const keyOffset = (document: Document, path: Path): number | undefined => {
  const parent = nodeAt(document, path.slice(0, -1)) as { items?: readonly Pair[] } | undefined
  const pair = parent?.items?.find(({ key }) => String(key) === String(path.at(-1)))
  return (pair?.key as WithRange | undefined)?.range?.[0]
}

/** Where the value at a path begins, or, where nothing is there, what it should be in. */
const valueOffset = (document: Document, path: Path): number =>
  (nodeAt(document, path) as WithRange | undefined)?.range?.[0] ??
  (path.length === 0 ? 0 : (keyOffset(document, path) ?? valueOffset(document, path.slice(0, -1))))

const nodeAt = (document: Document, path: Path): unknown =>
  path.length === 0 ? document.contents : document.getIn(path, true)
