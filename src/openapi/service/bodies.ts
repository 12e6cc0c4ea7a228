import type { AnyTaskFamily } from '../../core/task/family.js'
import { type JsonSchema, refTo, SCHEMAS } from '../json-schema.js'
import { json, type Paths, type RequestBody } from '../openapi.js'
import { operationDocs } from './exchanges.js'
import { samplesFor } from './samples.js'

/** What one of the operations of a route takes. */
export interface Taken {
  readonly operation: string
  readonly schema: string
  readonly models: readonly string[]
}

/** A JSON body: where operations share a route, the model says which schema is meant. */
export const jsonBody = async (taken: readonly Taken[], url: string): Promise<RequestBody> => {
  const examples = await Promise.all(taken.map(({ operation }) => samplesFor(operation, url)))
  return { required: true, content: json(bodySchema(taken), Object.assign({}, ...examples)) }
}

const bodySchema = (taken: readonly Taken[]): JsonSchema => {
  const [only] = taken
  if (only !== undefined && taken.length === 1) return refTo(only.schema)
  const mapping = taken.flatMap(({ schema, models }) => models.map((model) => [model, `${SCHEMAS}${schema}`]))
  return {
    oneOf: taken.map(({ schema }) => refTo(schema)),
    discriminator: { propertyName: 'model', mapping: Object.fromEntries(mapping) },
  }
}

/** The form of an upload (§D Upload, gap D2). */
export const uploadForm = (fileField: string): RequestBody => ({
  required: true,
  content: {
    'multipart/form-data': {
      schema: {
        type: 'object',
        required: [fileField],
        properties: {
          [fileField]: { type: 'string', contentMediaType: 'application/octet-stream' },
          group_id: { type: 'string', description: 'any value, unless the setting `groups` names some' },
        },
      },
    },
  },
})

/** What is posted to the `callback_url` of a request (§Events, gap F8, F10, B17). */
export const callbacksOf = (family: AnyTaskFamily): Readonly<Record<string, Paths>> => {
  const { callback, id } = family
  const answer = operationDocs[`${id}.read`]?.answers
  if (callback === undefined || answer === undefined) return {}
  const schema: JsonSchema = callback.handshake
    ? { anyOf: [refTo('VideoV2Challenge'), refTo(answer)] }
    : refTo(answer)
  const post = {
    operationId: `${id}.report`,
    summary: callback.handshake ? 'A challenge first, then every change of status' : 'Every change of status',
    security: [],
    requestBody: { required: true, content: json(schema) },
    responses: {
      '2XX': { description: 'Accepted.' },
      '4XX': { description: 'Tried again, up to three times, as after anything else that is not 2xx.' },
    },
  }
  return { statusChange: { '{$request.body#/callback_url}': { post } } }
}
