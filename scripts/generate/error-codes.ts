import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import ts from 'typescript'

/** Every code of an error that src constructs, and that of an error without one. */
export const errorCodes = (): string[] => {
  const files = readdirSync('src', { recursive: true, encoding: 'utf8' }).filter((file) =>
    file.endsWith('.ts'),
  )
  const found = files.flatMap((file) => codesIn(readFileSync(join('src', file), 'utf8')))
  return [...new Set(['emulator-error', ...found])].sort()
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
