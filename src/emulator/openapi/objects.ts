import type { JsonSchema } from '../core/json-schema.js'
import { paramNames } from '../core/model/path.js'

/** The objects of OpenAPI 3.1, as much of them as is used here. */
export type Paths = Readonly<Record<string, PathItem>>
export type PathItem = Readonly<Record<string, OperationObject>>

export interface OperationObject {
  readonly operationId: string
  readonly summary: string
  readonly description?: string
  readonly tags?: readonly string[]
  readonly security?: Security
  readonly parameters?: readonly Parameter[]
  readonly requestBody?: RequestBody
  readonly responses: Readonly<Record<string, ResponseObject>>
  readonly callbacks?: Readonly<Record<string, Paths>>
  /** The operations that share the route, by which scenarios and the journal name them. */
  readonly 'x-operations'?: readonly string[]
}

/** Schemes that go together stand in one entry; any entry will do. */
export type Security = readonly Readonly<Record<string, readonly string[]>>[]

export interface Parameter {
  readonly name: string
  readonly in: 'path' | 'query'
  readonly required?: boolean
  readonly description?: string
  readonly schema: JsonSchema
}

export interface RequestBody {
  readonly required: boolean
  readonly content: Content
}

export interface ResponseObject {
  readonly description: string
  readonly headers?: Readonly<Record<string, { readonly $ref: string }>>
  readonly content?: Content
}

export type Content = Readonly<Record<string, { readonly schema: JsonSchema; readonly examples?: Examples }>>

export type Examples = Readonly<Record<string, { readonly summary?: string; readonly value: unknown }>>

/** A body that is written as JSON. */
export const json = (schema: JsonSchema, examples: Examples = {}): Content => ({
  'application/json': { schema, examples: Object.keys(examples).length === 0 ? undefined : examples },
})

/** The names in braces of a path, as parameters. */
export const pathParameters = (path: string): Parameter[] =>
  paramNames(path).map((name) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string' },
  }))

/** The fields of an object, as parameters of a query. */
export const queryParameters = ({ properties = {}, required = [] }: JsonSchema): Parameter[] =>
  Object.entries(properties).map(([name, { description, ...schema }]) => ({
    name,
    in: 'query',
    required: required.includes(name) || undefined,
    description,
    schema,
  }))
