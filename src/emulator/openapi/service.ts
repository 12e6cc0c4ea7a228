import type {
  AnyFamily,
  AnyTaskFamily,
  FamilyApi,
  Operation,
  OperationDescription,
} from '../core/contract.js'
import { type JsonSchema, refTo, SCHEMAS, type Schemas } from '../core/json-schema.js'
import { isTaskFamily, type Registry } from '../families/registry.js'
import { samplesOf } from '../media/fixtures.js'
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

/** API description of an operation; `error` is the schema of its family's refusals. */
type OperationDoc = OperationDescription & Pick<FamilyApi, 'error'>

/** API descriptions of all operations, by operation id. */
export const operationDocs = ({ families }: Registry): Readonly<Record<string, OperationDoc>> =>
  Object.fromEntries(
    families.flatMap(({ id, api: { operations, error } }) =>
      Object.entries(operations).map(([verb, description]) => [`${id}.${verb}`, { ...description, error }]),
    ),
  )

interface DocumentedOperation {
  readonly operation: Operation
  readonly doc: OperationDoc
  readonly family: AnyFamily
}

type RouteOperations = readonly [DocumentedOperation, ...DocumentedOperation[]]

/** Paths of the service. `url` is where the emulator answers, for the media of examples. */
export const servicePaths = async (registry: Registry, schemas: Schemas, url: string): Promise<Paths> => {
  const docs = operationDocs(registry)
  const routes = new Map<string, RouteOperations>()
  for (const operation of registry.operations) {
    const route = `${operation.route.method} ${operation.route.path}`
    const documented = {
      operation,
      doc: docs[operation.id] as OperationDoc,
      family: registry.family(operation.family) as AnyFamily,
    }
    routes.set(route, [...(routes.get(route) ?? []), documented])
  }
  const paths: Record<string, Record<string, OperationObject>> = {}
  for (const sharing of routes.values()) {
    const { method, path } = sharing[0].operation.route
    paths[path] = { ...paths[path], [method.toLowerCase()]: await operationObject(sharing, schemas, url) }
  }
  return paths
}

const operationObject = async (
  sharing: RouteOperations,
  schemas: Schemas,
  url: string,
): Promise<OperationObject> => {
  const [{ operation, doc, family }] = sharing
  const query = queryParameters(schemas[doc.query ?? ''] ?? {})
  const parameters = [...pathParameters(operation.route.path), ...query]
  return {
    operationId: operation.id,
    summary: sharing.map(({ doc }) => doc.summary).join('; '),
    description: sharing.map(rulesText).filter(Boolean).join('\n\n') || undefined,
    tags: sharing.map(({ operation }) => tagNameOf(operation)),
    security: operation.needsKey ? eitherSpelling : [],
    parameters: parameters.length === 0 ? undefined : parameters,
    requestBody: await requestBody(sharing, url),
    responses: { 200: accepted(sharing, schemas), ...partsOf(doc.file), ...refused(sharing) },
    callbacks: operation.makes === 'task' && isTaskFamily(family) ? callbacksOf(family) : undefined,
    'x-operations': sharing.length === 1 ? undefined : sharing.map(({ operation }) => operation.id),
  }
}

/** Both spellings of the header are taken (§Authentication). */
const eitherSpelling: Security = [{ bearer: [] }, { bareKey: [] }]

/** A tag by the chapter of the specification. */
export const tagNameOf = ({ section }: Pick<Operation, 'section'>): string => `§${section}`

/** The rules that a call meets once its shape is right, in their order; empty where there are none. */
const rulesText = ({ operation: { id, family: of, form }, family }: DocumentedOperation): string => {
  const rules = id.endsWith('.create') || form !== undefined ? (family.rules ?? []) : []
  if (rules.length === 0) return ''
  const lines = rules.map(({ id, says, place }) => `- ${says} (\`${of}.${id}\`, ${place})`)
  return `\`${id}\` refuses what does not keep these rules, in this order:\n\n${lines.join('\n')}`
}

const requestBody = async (sharing: RouteOperations, url: string): Promise<RequestBody | undefined> => {
  const { form } = sharing[0].operation
  if (form !== undefined) return uploadForm(form.fileField)
  const withBody = sharing.filter(({ doc }) => doc.body !== undefined)
  if (withBody.length === 0) return undefined
  const examples = await Promise.all(
    withBody.map(({ operation, family }) => samplesFor(operation.id, family, url)),
  )
  return { required: true, content: json(bodySchema(withBody), Object.assign({}, ...examples)) }
}

/** Schema of a JSON body: where operations share a route, the model says which one is meant. */
const bodySchema = (withBody: readonly DocumentedOperation[]): JsonSchema => {
  const oneOf = withBody.map(({ doc }) => refTo(doc.body as string))
  if (oneOf.length === 1) return oneOf[0] as JsonSchema
  const mapping = withBody.flatMap(({ doc, family }) =>
    (isTaskFamily(family) ? family.models : []).map((model) => [model, `${SCHEMAS}${doc.body}`]),
  )
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
const callbacksOf = ({ callback, id, api }: AnyTaskFamily): OperationObject['callbacks'] => {
  const answer = api.operations.read?.response
  if (callback === undefined || answer === undefined) return undefined
  const schema: JsonSchema =
    callback.handshake && callback.challenge !== undefined
      ? { anyOf: [refTo(callback.challenge), refTo(answer)] }
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
const samplesFor = async (operation: string, family: AnyFamily, url: string): Promise<Examples> => {
  const samples = (await samplesOf(family)).filter(({ operation: of }) => of === operation)
  return Object.fromEntries(
    samples.map(({ name, says, body }) => [
      `${family.id}.${name}`,
      { summary: says, value: JSON.parse(JSON.stringify(body ?? null).replaceAll('{origin}', url)) },
    ]),
  )
}

const requestId = { 'X-Request-Id': { $ref: '#/components/headers/X-Request-Id' } }
const retryAfter = { 'Retry-After': { $ref: '#/components/headers/Retry-After' } }

const fileContent = (...types: readonly string[]): ResponseObject['content'] =>
  Object.fromEntries(types.map((type) => [type, { schema: { type: 'string', contentMediaType: type } }]))

/** The answer when all is well: a file, or one schema for each operation that shares the route. */
const accepted = (sharing: RouteOperations, schemas: Schemas): ResponseObject => {
  const { file } = sharing[0].doc
  if (file !== undefined) return { description: 'The file.', headers: requestId, content: fileContent(file) }
  const names = sharing.flatMap(({ doc }) => doc.response ?? [])
  const anyOf = [...new Set(names)].map(refTo)
  return {
    description: names.map((name) => schemas[name]?.description ?? name).join(' '),
    headers: requestId,
    content: json(anyOf.length === 1 ? (anyOf[0] as JsonSchema) : { anyOf }),
  }
}

/** The answers that only files have: to a Range and to conditions. */
const partsOf = (file: OperationDoc['file']): OperationObject['responses'] =>
  file === undefined
    ? {}
    : { 206: { description: 'The range of it that was asked for.', content: fileContent(file) }, ...notSent }

/** The refusals by status, each with what it looks like. */
const refused = (sharing: RouteOperations): Readonly<Record<string, ResponseObject>> => {
  const refusals = sharing.flatMap(refusalsOf)
  const statuses = [...new Set(refusals.map(({ status }) => status))]
  return Object.fromEntries(
    statuses.map((status) => {
      const ofStatus = refusals.filter((refusal) => refusal.status === status)
      const examples = ofStatus.map(({ name, says, body }) => [name, { summary: says, value: body }])
      const refusal: ResponseObject = {
        description: [...new Set(ofStatus.map(({ name, says }) => `\`${name}\`: ${says}.`))].join('\n\n'),
        headers: { ...requestId, ...(status === 429 ? retryAfter : {}) },
        content: json(refTo(sharing[0].doc.error), Object.fromEntries(examples)),
      }
      return [status, refusal]
    }),
  )
}

const EXAMPLE_ID = '01234567-89ab-cdef-0123-456789abcdef'

/** Refusals that an operation can answer with: their names in the family's table, their statuses, and bodies that tell them. */
const refusalsOf = ({ operation, family }: DocumentedOperation) => {
  const { errors } = family
  return operation.possibleErrors.map((name) => ({
    ...operation.raise(name, {}, EXAMPLE_ID),
    name,
    says: errors[name]?.message,
  }))
}

const PATH = '/results/{account}/{task_id}/{file}'

const query = queryParameters({
  properties: { Expires: { type: 'integer', description: 'Unix seconds' }, Signature: { type: 'string' } },
  required: ['Expires', 'Signature'],
})

const files = fileContent('image/png', 'video/mp4')

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
  412: { description: 'The file has another ETag than If-Match.' },
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
        200: { description: 'The picture or the video, with an ETag.', content: files },
        206: { description: 'The range of it that was asked for.', content: files },
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
