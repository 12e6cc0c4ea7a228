import type { FamilyApi } from '../core/contract.js'
import { namedSchemas, type Schemas, withNullableFields } from '../core/json-schema.js'

/** JSON Schemas of what clients send and get, by published name. A query is no JSON, so that only bodies have nulls. */
export const wireSchemas = (
  apis: readonly FamilyApi[],
): { readonly requests: Schemas; readonly responses: Schemas } => {
  const queries = apis.flatMap(({ operations }) => Object.values(operations).map(({ query }) => query))
  const requests = namedSchemas(Object.assign({}, ...apis.map((api) => api.requests)), 'input')
  return {
    requests: Object.fromEntries(
      Object.entries(requests).map(([name, schema]) => [
        name,
        queries.includes(name) ? schema : withNullableFields(schema),
      ]),
    ),
    responses: namedSchemas(Object.assign({}, ...apis.map((api) => api.responses)), 'output'),
  }
}
