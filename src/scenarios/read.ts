import { readFile } from 'node:fs/promises'
import { basename, dirname, extname } from 'node:path'
import type { Document, LineCounter, Pair } from 'yaml'
import { EmulatorError, whyUnreadable } from '../core/errors.js'
import { fieldOf } from '../core/request.js'
import type { Scenario } from '../core/scenario/schema.js'
import type { Catalogue } from '../core/scenario/selector.js'
import { type Diagnostic, type Path, validateScenario } from '../core/scenario/validate.js'

/** `scenarios/mine.yaml:4:18: there is no operation "b-video.create": did you mean b-video-task.create?` */
export const diagnosticText = (file: string, { line, column, message }: LocatedDiagnostic): string =>
  `${file}:${line}:${column}: ${message}`

/** A scenario that cannot be played; the message says everything that is wrong with it, a line each. */
const badScenario = (problems: readonly string[]): EmulatorError =>
  new EmulatorError(`The scenario cannot be played.\n${problems.join('\n')}`, {
    code: 'bad-scenario',
    hint: 'docs/scenarios.md describes every selector and every effect; `backlot check FILE` checks a file.',
  })

/** Something wrong at a place of a file; line and column count from 1. */
export interface LocatedDiagnostic {
  readonly line: number
  readonly column: number
  /** A sentence without a full stop. */
  readonly message: string
}

export type Parsed = { readonly scenario: Scenario } | { readonly diagnostics: readonly LocatedDiagnostic[] }

/** Reads the text of a scenario file, YAML or JSON. All that is wrong with it comes at once, in the order of the file. */
export const parseScenario = async (text: string, catalogue: Catalogue): Promise<Parsed> => {
  // JSON is a part of YAML, so one parser knows the places of both.
  const { parseDocument, LineCounter } = await import('yaml')
  const lines = new LineCounter()
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false })
  if (document.errors.length > 0)
    return {
      diagnostics: document.errors.map(({ pos, message }) => locatedAt(pos[0], sentence(message), lines)),
    }
  const validated = validateScenario(document.toJS() as unknown, catalogue)
  if ('scenario' in validated) return validated
  return {
    diagnostics: validated.diagnostics
      .map((diagnostic) => located(diagnostic, document, lines))
      .sort(inOrder),
  }
}

const inOrder = (a: LocatedDiagnostic, b: LocatedDiagnostic): number => a.line - b.line || a.column - b.column

const sentence = (message: string): string =>
  message
    .split('\n')
    .map((line) => line.trim())
    .join(' ')
    .replace(/\.$/, '')

const locatedAt = (offset: number, message: string, lines: LineCounter): LocatedDiagnostic => {
  const { line, col } = lines.linePos(offset)
  return { line, column: col, message }
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

/**
 * Looks a scenario file over.
 * @throws EmulatorError `no-such-file`
 */
export const checkScenarioFile = async (path: string, catalogue: Catalogue): Promise<Parsed> => {
  const parsed = await parseScenario(await textOf(path), catalogue)
  const name = basename(path, extname(path))
  const isNamedOtherwise =
    'scenario' in parsed && basename(dirname(path)) === 'scenarios' && parsed.scenario.name !== name
  if (!isNamedOtherwise) return parsed
  const message = `name must be ${name}, as the file is called, found ${parsed.scenario.name}`
  return { diagnostics: [{ line: 1, column: 1, message }] }
}

/**
 * Reads a scenario from a file.
 * @throws EmulatorError `no-such-file`, or `bad-scenario` with every diagnostic and its place
 */
export const readScenarioFile = async (path: string, catalogue: Catalogue): Promise<Scenario> => {
  const parsed = await checkScenarioFile(path, catalogue)
  if ('scenario' in parsed) return parsed.scenario
  throw badScenario(parsed.diagnostics.map((diagnostic) => diagnosticText(path, diagnostic)))
}

/**
 * Reads a scenario from a document in memory.
 * @throws EmulatorError `bad-scenario` with every diagnostic and the path that it is about
 */
export const readScenarioDocument = (document: unknown, catalogue: Catalogue): Scenario => {
  const validated = validateScenario(document, catalogue)
  if ('scenario' in validated) return validated.scenario
  throw badScenario(
    validated.diagnostics.map(({ path, message }) =>
      path.length === 0 ? message : `${fieldOf(path)}: ${message}`,
    ),
  )
}

const textOf = async (path: string): Promise<string> => {
  try {
    return await readFile(path, 'utf8')
  } catch (error) {
    throw new EmulatorError(whyUnreadable(path, error), {
      code: 'no-such-file',
      hint: '`backlot scenarios` lists the ready-made ones, which have names.',
      cause: error,
    })
  }
}
