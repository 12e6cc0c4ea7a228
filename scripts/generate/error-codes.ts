import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import ts from 'typescript'

/** The text of src/core/error-codes.ts. */
export const errorCodesText = (): string => {
  const files = readdirSync('src', { recursive: true, encoding: 'utf8' }).filter((file) =>
    file.endsWith('.ts'),
  )
  const found = files.flatMap((file) => codesIn(readFileSync(join('src', file), 'utf8')))
  // The first is the one of an error without a code.
  const codes = new Set(['emulator-error', ...found])
  return [
    '// Written by `npm run generate` from the errors that src throws. Change those.\n',
    '/** Code of an `EmulatorError`: the same from version to version. */',
    `export type EmulatorErrorCode =${[...codes]
      .sort()
      .map((code) => `\n  | '${code}'`)
      .join('')}\n`,
  ].join('\n')
}

/**
 * Codes of errors in a source text: what is called `code` where an error is constructed, hyphenated ones elsewhere too (tables
 * of errors, options that several share), and the second argument of a `ControlError`. The compiler refuses one that is missed.
 */
const codesIn = (text: string): string[] => {
  if (!/\b(Emulator|Control)Error\b/.test(text)) return []
  const codes: string[] = []
  const visit = (node: ts.Node, isError: boolean): void => {
    if (ts.isPropertyAssignment(node) && node.name.getText() === 'code')
      codes.push(...textsIn(node.initializer).filter((code) => isError || /^[a-z]+(-[a-z]+)+$/.test(code)))
    const made = ts.isNewExpression(node) ? node.expression.getText() : ''
    if (made === 'ControlError' && ts.isNewExpression(node)) codes.push(...textsIn(node.arguments?.[1]))
    const isWithin = isError || ['EmulatorError', 'ControlError'].includes(made)
    ts.forEachChild(node, (child) => visit(child, isWithin))
  }
  visit(ts.createSourceFile('source.ts', text, ts.ScriptTarget.Latest, true), false)
  return codes
}

const textsIn = (node: ts.Expression | undefined): string[] => {
  if (node === undefined) return []
  if (ts.isStringLiteral(node)) return [node.text]
  return ts.isConditionalExpression(node) ? [...textsIn(node.whenTrue), ...textsIn(node.whenFalse)] : []
}
