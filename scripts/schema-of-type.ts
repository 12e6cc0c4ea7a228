import ts from 'typescript'
import { type JsonSchema, refTo } from '../src/openapi/json-schema.js'

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
