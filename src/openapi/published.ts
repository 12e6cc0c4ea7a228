import type { FamilyApi, OperationDescription } from '../core/contract.js'
import { families } from '../families/index.js'

const none: FamilyApi = { requests: {}, responses: {}, operations: {} }

/** Published schemas of every family, by its id: schemas of the OpenAPI document and types of the package. */
export const publishedSchemas = Object.fromEntries(
  families.map(({ id, api = none }) => [id, { requests: api.requests, answers: api.responses }]),
)

/** API descriptions of all operations, by operation id. */
export const operationDocs: Readonly<Record<string, OperationDescription>> = Object.fromEntries(
  families.flatMap(({ id, api = none }) =>
    Object.entries(api.operations).map(([verb, description]) => [`${id}.${verb}`, description]),
  ),
)
