/**
 * Writes src/openapi/control/results.json, what the actions of the control API answer, from the types that are published
 * for them: `npx tsx scripts/make-control-results.ts`.
 */
import { writeFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import ts from 'typescript'
import type { JsonSchema, Schemas } from '../src/openapi/json-schema.js'
import { createTypeReader } from './schema-of-type.js'

const at = (path: string): string => resolve(fileURLToPath(new URL('../src/handles/', import.meta.url)), path)

export interface ControlResults {
  /** By the name of the published type. */
  readonly schemas: Schemas
  /** By the name of the action. */
  readonly results: Readonly<Record<string, JsonSchema>>
}

/** The schemas of src/handles/calls.ts and of the records that it speaks of. */
export const controlResults = (): ControlResults => {
  const program = ts.createProgram([at('calls.ts')], {
    target: ts.ScriptTarget.ES2023,
    module: ts.ModuleKind.NodeNext,
    strict: true,
    types: [],
  })
  const checker = program.getTypeChecker()
  const reader = createTypeReader(checker, (declaration) =>
    declaration.getSourceFile().fileName.includes('/handles/records/'),
  )
  const results = callsIn(program, checker).map((call) => {
    const result = checker.getTypeOfSymbol(call).getProperty('result') as ts.Symbol
    return [call.name, reader.schemaOf(checker.getTypeOfSymbol(result))] as const
  })
  return { schemas: reader.named, results: Object.fromEntries(results) }
}

const callsIn = (program: ts.Program, checker: ts.TypeChecker): readonly ts.Symbol[] => {
  const file = program.getSourceFile(at('calls.ts'))
  const module = file === undefined ? undefined : checker.getSymbolAtLocation(file)
  const calls = module && checker.getExportsOfModule(module).find(({ name }) => name === 'Calls')
  if (calls === undefined) throw new Error('src/handles/calls.ts should export the interface Calls.')
  return checker.getDeclaredTypeOfSymbol(calls).getProperties()
}

if (process.argv[1] === fileURLToPath(import.meta.url))
  await writeFile(
    new URL('../src/openapi/control/results.json', import.meta.url),
    `${JSON.stringify(controlResults(), null, 2)}\n`,
  )
