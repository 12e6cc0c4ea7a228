import { z } from 'zod'
import { type JsonSchema, refTo, type Schemas, schemaSet, toJsonSchema } from '../core/json-schema.js'
import {
  type Content,
  json,
  type OperationObject,
  type Parameter,
  type PathItem,
  type Paths,
  pathParameters,
  queryParameters,
  type ResponseObject,
  type Security,
} from './objects.js'

/** What the document needs to know of a control action. */
interface DocumentedAction {
  readonly route: { readonly method: string; readonly path: string }
  readonly summary: string
  readonly textType?: string
  readonly input: z.ZodType
  readonly document?: () => Promise<z.ZodType>
  readonly example?: Readonly<Record<string, unknown>>
  readonly output: () => z.ZodType
}

export type ActionTable = Readonly<Record<string, DocumentedAction>>

/** The part of the OpenAPI document that is about the control API. */
export const controlDocument = async (
  actions: ActionTable,
): Promise<{ readonly paths: Paths; readonly schemas: Schemas }> => {
  const entries = Object.entries(actions)
  const outputs = schemaSet(
    Object.fromEntries(entries.map(([name, { output }]) => [name, output()])),
    'output',
  )
  const paths: Record<string, PathItem> = {}
  for (const [name, action] of entries) {
    const path = pathOf(action)
    const verb = action.route.method.toLowerCase()
    const operation = await operationOf(name, path, action, outputs.schemas[name] ?? {})
    const sharing = paths[path]?.[verb]
    paths[path] = { ...paths[path], [verb]: sharing === undefined ? operation : shared(sharing, operation) }
  }
  for (const [path, item] of Object.entries(filePaths)) paths[path] = { ...paths[path], ...item }
  return { paths, schemas: { ...outputs.named, ControlProblem: toJsonSchema(controlProblem, 'output') } }
}

const ROOT = '/_backlot'

const controlProblem = z
  .object({
    error: z.object({
      code: z.string().describe('stays the same from version to version'),
      message: z.string(),
      hint: z.string().describe('what to do; may be empty'),
      found: z.unknown().optional().describe('the actual state, when a wait timed out'),
    }),
  })
  .describe('Why the control API could not do it.')

const problem: ResponseObject = {
  description: 'It could not be done.',
  content: json(refTo('ControlProblem')),
}
/** Refusals of the control API, and its answers where something that it needs is away (a store, a disk). */
const problems = { '4XX': problem, '5XX': problem }

/** Default: the account `default`; the token is needed where one is set. */
const security: Security = [{}, { bearer: [] }, { controlToken: [] }, { bearer: [], controlToken: [] }]

/** `{id}` where the router has `:id`. */
const pathOf = ({ route }: DocumentedAction): string => ROOT + route.path.replace(/:(\w+)/g, '{$1}')

const operationOf = async (
  name: string,
  path: string,
  action: DocumentedAction,
  output: JsonSchema,
): Promise<OperationObject> => ({
  operationId: name,
  summary: action.summary,
  tags: ['Control'],
  security,
  ...(await inputOf(path, action)),
  responses: { 200: { description: 'Done.', content: contentOf(output, action.textType) }, ...problems },
})

const contentOf = (schema: JsonSchema, textType = 'application/x-ndjson'): Content =>
  schema.type === 'string' ? { [textType]: { schema } } : json(schema)

/** What an action takes: in its path, in its query, or as a JSON body. `all` is always in the query. */
const inputOf = async (
  path: string,
  { input, document, example }: DocumentedAction,
): Promise<Pick<OperationObject, 'parameters' | 'requestBody'>> => {
  const inPath = pathParameters(path)
  const schema = flattened(schemaSet({ input }, 'input').schemas.input ?? {})
  const inQuery = example === undefined ? () => true : (name: string) => name === 'all'
  const isInPath = (name: string) => inPath.some((parameter) => parameter.name === name)
  const query = queryParameters(picked(schema, (name) => !isInPath(name) && inQuery(name)))
  const parameters = [...inPath, ...query]
  const body = picked(schema, (name) => !isInPath(name) && !inQuery(name))
  const whole = document === undefined ? body : { anyOf: [body, toJsonSchema(await document(), 'input')] }
  return {
    parameters: parameters.length === 0 ? undefined : parameters,
    requestBody: example && { required: true, content: json(whole, { example: { value: example } }) },
  }
}

const picked = (schema: JsonSchema, isPicked: (name: string) => boolean): JsonSchema => ({
  ...schema,
  properties: Object.fromEntries(Object.entries(schema.properties ?? {}).filter(([name]) => isPicked(name))),
  required: (schema.required ?? []).filter(isPicked),
})

/** Variants as one object: a query has each of their fields, and needs those that all of them need. */
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

/** Two actions on one route, told apart by their queries; named after the one that takes all other queries. */
const shared = (first: OperationObject, rest: OperationObject): OperationObject => {
  const parameters = [...optional(rest), ...optional(first)].map((each) => [each.name, each] as const)
  const content = { ...first.responses[200]?.content, ...rest.responses[200]?.content }
  return {
    ...rest,
    summary: `${rest.summary}; ${first.summary}`,
    parameters: [...new Map(parameters).values()],
    responses: { ...rest.responses, 200: { description: 'Done.', content } },
    'x-operations': [rest.operationId, first.operationId],
  }
}

const optional = ({ parameters = [] }: OperationObject): Parameter[] =>
  parameters.map((parameter) => ({ ...parameter, required: parameter.in === 'path' }))

const file: ResponseObject = { description: 'The file.', content: { '*/*': { schema: { type: 'string' } } } }

const fixture: OperationObject = {
  operationId: 'fixtures.download',
  summary: 'A sample medium, under whatever host it is asked for',
  tags: ['Control'],
  security: [],
  parameters: pathParameters('/{name}'),
  responses: { 200: file, ...problems },
}

const inbox: OperationObject = {
  operationId: 'inbox.receive',
  summary: 'The built-in callback receiver: gives a challenge back, and keeps anything else',
  tags: ['Control'],
  security: [],
  parameters: pathParameters('/{name}'),
  requestBody: {
    required: true,
    content: json({ type: 'object' }, { challenge: { value: { challenge: 'abc' } } }),
  },
  responses: {
    200: { description: 'Kept, or the challenge.', content: json({ type: 'object' }) },
    ...problems,
  },
}

const preview: OperationObject = {
  operationId: 'results.preview',
  summary:
    'The file of a result, to be looked at: no scenario acts, the journal has nothing of it, and it can be had after its URL has ended',
  tags: ['Control'],
  security,
  parameters: pathParameters('/{task}/{index}'),
  responses: { 200: file, ...problems },
}

/** What the control API serves that is no action. */
const filePaths: Paths = {
  [`${ROOT}/results/{task}/{index}`]: { get: preview },
  [`${ROOT}/fixtures/{name}`]: { get: fixture },
  [`${ROOT}/inbox/{name}`]: { post: inbox },
}
