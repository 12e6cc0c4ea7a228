import type { Document, LineCounter, Pair } from 'yaml'
import type { Catalogue } from '../../core/scenario/check/catalogue.js'
import type { Diagnostic, Path } from '../../core/scenario/check/complaint.js'
import { validateScenario } from '../../core/scenario/check/document.js'
import type { Scenario } from '../../core/scenario/scenario.js'

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
      diagnostics: document.errors.map(({ pos, message }) => flawAt(pos[0], sentence(message), lines)),
    }
  const validated = validateScenario(document.toJS() as unknown, catalogue)
  if ('scenario' in validated) return validated
  return {
    diagnostics: validated.diagnostics.map((complaint) => flawOf(complaint, document, lines)).sort(inOrder),
  }
}

const inOrder = (a: LocatedDiagnostic, b: LocatedDiagnostic): number => a.line - b.line || a.column - b.column

const sentence = (message: string): string => message.replace(/\s*\n\s*/g, ' ').replace(/\.$/, '')

const flawAt = (offset: number, message: string, lines: LineCounter): LocatedDiagnostic => {
  const { line, col } = lines.linePos(offset)
  return { line, column: col, message }
}

const flawOf = (
  { path, isKey, message }: Diagnostic,
  document: Document,
  lines: LineCounter,
): LocatedDiagnostic => {
  const offset = isKey === true ? keyOffset(document, path) : undefined
  return flawAt(offset ?? valueOffset(document, path), message, lines)
}

interface Placed {
  readonly range?: readonly [number, number, number] | null
}

const keyOffset = (document: Document, path: Path): number | undefined => {
  const parent = nodeAt(document, path.slice(0, -1)) as { items?: readonly Pair[] } | undefined
  const pair = parent?.items?.find(({ key }) => String(key) === String(path.at(-1)))
  return (pair?.key as Placed | undefined)?.range?.[0]
}

/** Where the value at a path begins, or, where nothing is there, what it should be in. */
const valueOffset = (document: Document, path: Path): number =>
  (nodeAt(document, path) as Placed | undefined)?.range?.[0] ??
  (path.length === 0 ? 0 : (keyOffset(document, path) ?? valueOffset(document, path.slice(0, -1))))

const nodeAt = (document: Document, path: Path): unknown =>
  path.length === 0 ? document.contents : document.getIn(path, true)
