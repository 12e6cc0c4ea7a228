import { writeFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import ts from 'typescript'
import { type JsonSchema, refTo, type Schemas } from '../../src/core/json-schema.js'

/**
 * Writes src/openapi/control/results.json, what the actions of the control API answer, from the types that are published
 * for them: `npx tsx scripts/make-control-results.ts`.
 */

const at = (path: string): string =>
  resolve(fileURLToPath(new URL('../../src/handles/', import.meta.url)), path)

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
    new URL('../../src/openapi/control/results.json', import.meta.url),
    `${JSON.stringify(controlResults(), null, 2)}\n`,
  )

/** JSON Schemas of TypeScript types. Interfaces that a file exports become schemas of their own. */
export interface TypeReader {
  readonly schemaOf: (type: ts.Type) => JsonSchema
  /** The interfaces that were met so far, by name. */
  readonly named: Readonly<Record<string, JsonSchema>>
}

/** Reads types of a program; `isNamed` says which interfaces keep their names. */
export const createTypeReader = (
  checker: ts.TypeChecker,
  isNamed: (declaration: ts.Declaration) => boolean,
): TypeReader => {
  const named: Record<string, JsonSchema> = {}

  const schemaOf = (type: ts.Type): JsonSchema => {
    const name = nameOf(type)
    if (name === undefined) return shapeOf(type)
    if (named[name] === undefined) {
      // Entered before it is read, since types can hold themselves.
      named[name] = {}
      named[name] = described(shapeOf(type), type.symbol)
    }
    return refTo(name)
  }

  const nameOf = ({ symbol }: ts.Type): string | undefined => {
    const declaration = symbol?.declarations?.find(ts.isInterfaceDeclaration)
    return declaration !== undefined && isNamed(declaration) ? symbol.name : undefined
  }

  const shapeOf = (type: ts.Type): JsonSchema => {
    if (type.isUnion() && !(type.flags & ts.TypeFlags.Boolean)) return unionOf(type.types)
    if (type.isStringLiteral() || type.isNumberLiteral()) return { const: type.value }
    const plain = plainOf(type.flags)
    if (plain !== undefined) return plain
    if (checker.isArrayType(type)) {
      const [item] = checker.getTypeArguments(type as ts.TypeReference)
      return { type: 'array', items: schemaOf(item as ts.Type) }
    }
    return objectOf(type)
  }

  const unionOf = (types: readonly ts.Type[]): JsonSchema => {
    const literals = types.filter((one) => one.isStringLiteral())
    const isNullable = types.some(({ flags }) => flags & ts.TypeFlags.Null)
    const words: JsonSchema[] =
      literals.length === 0 ? [] : [{ type: 'string', enum: literals.map(({ value }) => value) }]
    const others = types.filter((one) => !one.isStringLiteral() && !(one.flags & NOTHING)).map(schemaOf)
    return joined([...words, ...others, ...(isNullable ? [{ type: 'null' }] : [])])
  }

  const objectOf = (type: ts.Type): JsonSchema => {
    const index = checker.getIndexInfosOfType(type)[0]
    if (index !== undefined) return { type: 'object', additionalProperties: schemaOf(index.type) }
    const properties = type.getProperties()
    // What is unknown may be undefined, and JSON leaves that out.
    const isRequired = (property: ts.Symbol) =>
      !(property.flags & ts.SymbolFlags.Optional) &&
      !(checker.getTypeOfSymbol(property).flags & ts.TypeFlags.Unknown)
    return {
      type: 'object',
      properties: Object.fromEntries(
        properties.map((property) => [
          property.name,
          described(schemaOf(checker.getTypeOfSymbol(property)), property),
        ]),
      ),
      required: properties.filter(isRequired).map(({ name }) => name),
    }
  }

  const described = (schema: JsonSchema, symbol: ts.Symbol): JsonSchema => {
    const description = ts.displayPartsToString(symbol.getDocumentationComment(checker))
    return description === '' ? schema : { ...schema, description }
  }

  return { schemaOf, named }
}

const NOTHING = ts.TypeFlags.Undefined | ts.TypeFlags.Null

const joined = (variants: readonly JsonSchema[]): JsonSchema => {
  if (variants.length === 1) return variants[0] as JsonSchema
  const isPlain = variants.every((one) => typeof one.type === 'string' && Object.keys(one).length === 1)
  return isPlain ? { type: variants.map(({ type }) => type as string) } : { anyOf: variants }
}

const plainOf = (flags: ts.TypeFlags): JsonSchema | undefined => {
  if (flags & ts.TypeFlags.Unknown) return {}
  if (flags & ts.TypeFlags.String) return { type: 'string' }
  if (flags & ts.TypeFlags.Number) return { type: 'number' }
  if (flags & ts.TypeFlags.Boolean) return { type: 'boolean' }
  return flags & ts.TypeFlags.Null ? { type: 'null' } : undefined
}
