import type { z } from 'zod'
import { scenarioSchema } from '../../core/scenario/scenario.js'
import { type JsonSchema, toJsonSchema } from '../json-schema.js'
import { json, type Parameter, pathParameters, queryParameters, type RequestBody } from '../openapi.js'

interface Input {
  readonly parameters?: readonly Parameter[]
  readonly requestBody?: RequestBody
}

/** What an action takes: in its path, in its query, or as a JSON body. */
export const inputOf = (name: string, method: string, path: string, input: z.ZodType): Input => {
  const inPath = pathParameters(path)
  const named = inPath.map((parameter) => parameter.name)
  const rest = without(named, flattened(toJsonSchema(input, 'input')))
  const fields = Object.keys(rest.properties ?? {})
  const hasBody = fields.length > 0 && takesBody(name, method)
  const parameters = hasBody ? inPath : [...inPath, ...queryParameters(rest)]
  return {
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(hasBody ? { requestBody: { required: true, content: json(bodyOf(name, rest)) } } : {}),
  }
}

const takesBody = (name: string, method: string): boolean =>
  ['POST', 'PUT', 'PATCH'].includes(method) && name !== 'reset'

// The action takes a scenario as it comes, so that its mistakes are told with their places.
const bodyOf = (name: string, schema: JsonSchema): JsonSchema =>
  name === 'scenario.play' ? { anyOf: [schema, toJsonSchema(scenarioSchema, 'input')] } : schema

const without = (names: readonly string[], schema: JsonSchema): JsonSchema => ({
  ...schema,
  properties: Object.fromEntries(
    Object.entries(schema.properties ?? {}).filter(([name]) => !names.includes(name)),
  ),
  required: (schema.required ?? []).filter((name) => !names.includes(name)),
})

/** Alternatives as one object: a query has each of their fields, and needs those that all of them need. */
const flattened = (schema: JsonSchema): JsonSchema => {
  const { oneOf: variants } = schema
  if (variants === undefined) return schema
  const names = [...new Set(variants.flatMap(({ properties = {} }) => Object.keys(properties)))]
  const merged = (name: string): JsonSchema => {
    const fields = variants.flatMap(({ properties = {} }) => properties[name] ?? [])
    const words = fields.flatMap((field) => field.const ?? [])
    const distinct = [...new Map(fields.map((field) => [JSON.stringify(field), field])).values()]
    if (words.length > 0) return { type: 'string', enum: words }
    return distinct.length === 1 ? (distinct[0] as JsonSchema) : { anyOf: distinct }
  }
  return {
    type: 'object',
    properties: Object.fromEntries(names.map((name) => [name, merged(name)])),
    required: names.filter((name) => variants.every(({ required = [] }) => required.includes(name))),
  }
}
