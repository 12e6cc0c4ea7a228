import type { AnyTaskFamily, FamilyApi, Operation, OperationDescription, Rule } from '../core/contract.js'
import { EmulatorError } from '../core/errors.js'
import { type JsonSchema, refTo, SCHEMAS, type Schemas } from '../core/json-schema.js'
import type { ErrorSpec } from '../core/model/call.js'
import { assetLibrary } from '../families/d-assets/index.js'
import { families, operations, taskFamilies } from '../families/index.js'
import { readSampleRequests } from '../media/fixtures.js'
import {
  type Examples,
  json,
  type OperationObject,
  type Paths,
  pathParameters,
  queryParameters,
  type RequestBody,
  type ResponseObject,
  type Security,
} from './objects.js'

const none: FamilyApi = { requests: {}, responses: {}, error: '', operations: {} }

/** Published schemas of every family, by its id: schemas of the OpenAPI document and types of the package. */
export const publishedSchemas = Object.fromEntries(
  families.map(({ id, api = none }) => [id, { requests: api.requests, answers: api.responses }]),
)

/** API description of an operation, with the schema of its family's refusals. */
type Exchange = OperationDescription & Pick<FamilyApi, 'error'>

/** API descriptions of all operations, by operation id. */
export const operationDocs: Readonly<Record<string, Exchange>> = Object.fromEntries(
  families.flatMap(({ id, api = none }) =>
    Object.entries(api.operations).map(([verb, description]) => [
      `${id}.${verb}`,
      { ...description, error: api.error },
    ]),
  ),
)

/** An operation with all that is known of it. */
interface Described {
  readonly operation: Operation
  readonly exchange: Exchange
  /** Undefined: the asset library, which makes no tasks. */
  readonly family?: AnyTaskFamily
}

/** Paths of the service. `url` is where the emulator answers, for the media of examples. */
export const servicePaths = async (schemas: Schemas, url: string): Promise<Paths> => {
  const routes = new Map<string, Described[]>()
  for (const operation of operations) {
    const key = `${operation.route.method} ${operation.route.path}`
    routes.set(key, [...(routes.get(key) ?? []), describe(operation)])
  }
  const paths: Record<string, Record<string, OperationObject>> = {}
  for (const [route, sharing] of routes) {
    const [method = '', path = ''] = route.split(' ')
    paths[path] = { ...paths[path], [method.toLowerCase()]: await operationObject(sharing, schemas, url) }
  }
  return paths
}

const describe = (operation: Operation): Described => {
  const exchange = operationDocs[operation.id]
  if (exchange === undefined)
    throw new EmulatorError(`The OpenAPI document knows nothing of ${operation.id}.`, {
      code: 'unknown-exchange',
      hint: 'Describe it in the `api` of its family.',
    })
  return { operation, exchange, family: taskFamilies.find(({ id }) => id === operation.family) }
}

const operationObject = async (
  sharing: readonly Described[],
  schemas: Schemas,
  url: string,
): Promise<OperationObject> => {
  const [{ operation, exchange, family }] = sharing as readonly [Described, ...Described[]]
  const isCreate = operation.id.endsWith('.create')
  const query = queryParameters(schemas[exchange.query ?? ''] ?? {})
  const parameters = [...pathParameters(operation.route.path), ...query]
  return {
    operationId: operation.id,
    summary: sharing.map((one) => one.exchange.summary).join('; '),
    description: sharing.map(rulesText).filter(Boolean).join('\n\n') || undefined,
    tags: sharing.map((one) => tagNameOf(one.operation)),
    security: operation.needsKey ? eitherSpelling : [],
    parameters: parameters.length === 0 ? undefined : parameters,
    requestBody: await requestBody(sharing, url),
    responses: {
      200: acceptedBy(sharing, schemas),
      ...refused(sharing.flatMap(refusalsOf), exchange.error),
    },
    callbacks: isCreate && family !== undefined ? callbacksOf(family) : undefined,
    'x-operations': sharing.length === 1 ? undefined : sharing.map((one) => one.operation.id),
  }
}

/** Both spellings of the header are taken (§Authentication). */
const eitherSpelling: Security = [{ bearer: [] }, { bareKey: [] }]

/** A tag by the chapter of the specification. */
export const tagNameOf = ({ section }: Pick<Operation, 'section'>): string => `§${section}`

const acceptedBy = (sharing: readonly Described[], schemas: Schemas) => {
  const file = sharing[0]?.exchange.file
  if (file !== undefined) return acceptedFile(file, 'The file.')
  const answers = sharing.flatMap(({ exchange }) => exchange.response ?? [])
  return accepted(answers, answers.map((name) => schemas[name]?.description ?? name).join(' '))
}

const requestBody = async (sharing: readonly Described[], url: string): Promise<RequestBody | undefined> => {
  const form = sharing[0]?.operation.form
  if (form !== undefined) return uploadForm(form.fileField)
  const taking = sharing.filter(({ exchange }) => exchange.body !== undefined)
  if (taking.length === 0) return undefined
  const examples = await Promise.all(taking.map(({ operation }) => samplesFor(operation.id, url)))
  return { required: true, content: json(bodySchema(taking), Object.assign({}, ...examples)) }
}

/** Schema of a JSON body: where operations share a route, the model says which one is meant. */
const bodySchema = (taking: readonly Described[]): JsonSchema => {
  const schemas = taking.map(({ exchange: { body = '' }, family }) => ({
    body,
    models: family?.models ?? [],
  }))
  const oneOf = schemas.map(({ body }) => refTo(body))
  if (oneOf.length === 1) return oneOf[0] as JsonSchema
  const mapping = schemas.flatMap(({ body, models }) => models.map((model) => [model, SCHEMAS + body]))
  return { oneOf, discriminator: { propertyName: 'model', mapping: Object.fromEntries(mapping) } }
}

/** The form of an upload (§D upload, gap D2). */
const uploadForm = (fileField: string): RequestBody => ({
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
      examples: {
        image: { value: { [fileField]: 'the bytes of a file such as landscape.jpg', group_id: 'group-1' } },
      },
    },
  },
})

/** What is posted to the `callback_url` of a request (§Callbacks, gap F8, F10, B17). */
const callbacksOf = ({ callback, id }: AnyTaskFamily): OperationObject['callbacks'] => {
  const answer = operationDocs[`${id}.read`]?.response
  if (callback === undefined || answer === undefined) return undefined
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

/** The sample requests of the package for an operation; their media are those that the emulator at `url` serves. */
const samplesFor = async (operation: string, url: string): Promise<Examples> => {
  const [family = ''] = operation.split('.')
  const samples = (await readSampleRequests(family)).filter(({ operation: of }) => of === operation)
  return Object.fromEntries(
    samples.map(({ name, says, body }) => [
      `${family}.${name}`,
      { summary: says, value: JSON.parse(JSON.stringify(body ?? null).replaceAll('{origin}', url)) },
    ]),
  )
}

/** The rules that a call meets once its shape is right, in their order; empty where there are none. */
const rulesText = ({ operation, family }: Described): string => {
  const rules = rulesOf(operation, family)
  if (rules.length === 0) return ''
  const lines = rules.map(({ id, says, place }) => `- ${says} (\`${operation.family}.${id}\`, ${place})`)
  return `\`${operation.id}\` refuses what does not keep these rules, in this order:\n\n${lines.join('\n')}`
}

const rulesOf = (
  { id, form }: Operation,
  family: AnyTaskFamily | undefined,
): readonly Pick<Rule<never>, 'id' | 'says' | 'place'>[] => {
  if (form !== undefined) return assetLibrary.rules
  return id.endsWith('.create') ? (family?.rules ?? []) : []
}

const EXAMPLE_ID = '01234567-89ab-cdef-0123-456789abcdef'

/** Refusals that an operation can answer with: their names in the family's table, their statuses, and bodies that tell them. */
const refusalsOf = ({ operation, family }: Described) => {
  const errors: Readonly<Record<string, ErrorSpec>> = (family ?? assetLibrary).errors
  return operation.possibleErrors.flatMap((name) => {
    const spec = errors[name]
    const { status, body } = operation.raise(name, {}, EXAMPLE_ID)
    return spec === undefined ? [] : [{ name, status, says: spec.message, body }]
  })
}

type RefusalDocs = ReturnType<typeof refusalsOf>

const requestId = { 'X-Request-Id': { $ref: '#/components/headers/X-Request-Id' } }
const retryAfter = { 'Retry-After': { $ref: '#/components/headers/Retry-After' } }

/** The answer when all is well: one schema for each operation that shares the route. */
const accepted = (answers: readonly string[], says: string): ResponseObject => {
  const names = [...new Set(answers)]
  const schema = names.length === 1 ? refTo(names[0] as string) : { anyOf: names.map(refTo) }
  return { description: says, headers: requestId, content: json(schema) }
}

const acceptedFile = (type: string, says: string): ResponseObject => ({
  description: says,
  headers: requestId,
  content: { [type]: { schema: { type: 'string', contentMediaType: type } } },
})

/** The refusals by status, each with what it looks like. */
const refused = (refusals: RefusalDocs, problem: string): Readonly<Record<string, ResponseObject>> => {
  const statuses = [...new Set(refusals.map(({ status }) => status))].sort((a, b) => a - b)
  return Object.fromEntries(
    statuses.map((status) => {
      const alike = refusals.filter((one) => one.status === status)
      return [status, refusedWith(alike, problem)]
    }),
  )
}

const refusedWith = (refusals: RefusalDocs, problem: string): ResponseObject => ({
  description: [...new Set(refusals.map(({ name, says }) => `\`${name}\`: ${says}.`))].join('\n\n'),
  headers: { ...requestId, ...(refusals.some(({ status }) => status === 429) ? retryAfter : {}) },
  content: json(
    refTo(problem),
    Object.fromEntries(refusals.map(({ name, says, body }) => [name, { summary: says, value: body }])),
  ),
})

const PATH = '/results/{account}/{task_id}/{file}'

const query = queryParameters({
  properties: { Expires: { type: 'integer', description: 'Unix seconds' }, Signature: { type: 'string' } },
  required: ['Expires', 'Signature'],
})

const bytes: ResponseObject['content'] = Object.fromEntries(
  ['image/png', 'video/mp4'].map((type) => [type, { schema: { type: 'string', contentMediaType: type } }]),
)

const xml = (description: string): ResponseObject => ({
  description,
  content: { 'application/xml': { schema: { type: 'string' } } },
})

const download = {
  description: 'The address is used as it is: the signature is over all of it.',
  tags: ['Results'],
  security: [],
  parameters: [...pathParameters(PATH), ...query],
}

const notSent: OperationObject['responses'] = {
  304: { description: 'The file still has the ETag of If-None-Match.' },
  416: { description: 'There is no such range.' },
}

/** The result files, whose whole address answers name (gap X9). */
export const resultPaths: Paths = {
  [PATH]: {
    get: {
      ...download,
      operationId: 'results.download',
      summary: 'Get a result by the address that an answer named',
      responses: {
        200: { description: 'The picture or the video, with an ETag.', content: bytes },
        206: { description: 'The range of it that was asked for.', content: bytes },
        403: xml('`AccessDenied`: the address has expired, or its signature is wrong.'),
        404: xml('`NoSuchKey`: the task was removed.'),
        ...notSent,
      },
    },
    head: {
      ...download,
      operationId: 'results.download.head',
      summary: 'The headers of a result, without its bytes',
      responses: {
        200: { description: 'The length, the type and the ETag of the picture or the video.' },
        206: { description: 'The headers of a range.' },
        403: { description: 'The address has expired, or its signature is wrong.' },
        404: { description: 'The task was removed.' },
        ...notSent,
      },
    },
  },
}
