import type { z } from 'zod'
import type { AnyAction } from '../control/action.js'
import { actions } from '../control/actions/index.js'
import { type JsonSchema, refTo, toJsonSchema } from '../core/json-schema.js'
import { scenarioSchema } from '../core/scenario/schema.js'
import { outputSchemaOf } from './control-results.js'
import {
  type Content,
  json,
  type OperationObject,
  type Parameter,
  type PathItem,
  type Paths,
  pathParameters,
  queryParameters,
  type RequestBody,
  type ResponseObject,
  type Security,
} from './objects.js'

/** What the paths of the control API begin with. */
const ROOT = '/_backlot'

/** Every refusal of the control API. */
const problem: ResponseObject = {
  description: 'It could not be done.',
  content: json(refTo('ControlProblem')),
}

interface Input {
  readonly parameters?: readonly Parameter[]
  readonly requestBody?: RequestBody
}

/** What an action takes: in its path, in its query, or as a JSON body. */
const inputOf = (name: string, method: string, path: string, input: z.ZodType): Input => {
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

const parameters = pathParameters('/{name}')

const fixture: OperationObject = {
  operationId: 'fixtures.download',
  summary: 'A sample medium, under whatever host it is asked for',
  tags: ['Control'],
  security: [],
  parameters,
  responses: {
    200: { description: 'The file.', content: { '*/*': { schema: { type: 'string' } } } },
    '4XX': problem,
  },
}

const inbox: OperationObject = {
  operationId: 'inbox.receive',
  summary: 'The built-in callback receiver: gives a challenge back, and keeps anything else',
  tags: ['Control'],
  security: [],
  parameters,
  requestBody: { required: true, content: json({ type: 'object' }) },
  responses: {
    200: { description: 'Kept, or the challenge.', content: json({ type: 'object' }) },
    '4XX': problem,
  },
}

/** What the control API serves that is no action. */
const filePaths: Paths = {
  [`${ROOT}/fixtures/{name}`]: { get: fixture },
  [`${ROOT}/inbox/{name}`]: { post: inbox },
}

/** What each action of the control API is for. */
export const actionSummaries: Readonly<Record<string, string>> = {
  'health.read': 'Whether the emulator answers; with `full`, every bound and how things stand',
  'doctor.read': 'Whether pictures and videos can be made where it runs, by making one of each',
  'metrics.read': 'What the emulator counts, in the text format of Prometheus',
  'openapi.read': 'This document',
  'clock.read': "The account's clock",
  'clock.change': 'Change the mode or the speed of the clock',
  'clock.advance': 'Move the clock; answers when everything due has happened',
  'recording.read':
    'The calls of the account as a recording, which `backlot replay` runs again; with `all`, of every account',
  'requests.list': 'The calls of the account, newest first',
  'requests.read': 'One call, why it was answered so, and what followed',
  'tasks.list': 'Tasks of every family in one shape, newest first',
  'tasks.read': 'One task with its whole timeline',
  'tasks.force': 'Force what has not happened yet',
  'callbacks.list': 'Challenges and deliveries, newest first',
  'callbacks.read': 'One challenge or delivery with its attempts',
  'callbacks.redeliver': 'Send one again now, once',
  'inbox.read': 'What a box of the built-in receiver has got, oldest first',
  'scenario.read': 'The scenarios that play for the account, and how each step stands',
  'scenario.play': 'Play a scenario: a document, or a name',
  'scenario.stop': 'Stop one scenario by its name, or all',
  'account.read': 'What the account is worth and allowed',
  'account.change': 'Change the account; what is not named stays',
  'timeline.read': 'Everything that has happened, a line each',
  'loose-ends.read': 'What a test should not leave behind',
  wait: 'Answers when it has happened, or with 408 and what there is when it has not',
  'snapshots.take': 'Remembers the account as it is now, in memory; with `all`, every account',
  'snapshots.restore':
    'The account is again as it was, and its journal begins anew; with `all`, every account',
  'state.read': 'The account as a document; with `all`, every account',
  'state.write':
    'Puts the account of a document in the place of this one; with `all`, all of them, and others go',
  finish: 'The end of a test: its loose ends, and the account begins anew; with `all`, every account',
  reset: 'The account begins anew; with `all`, every account',
  'gaps.list': 'What the specification leaves open, and what is answered there',
  'rules.list': 'Every rule of every family',
  'fixtures.list': 'The sample media',
}

/** Whoever names no key speaks of the account `default`; the token is asked for where one is set. */
const security: Security = [{}, { bearer: [] }, { controlToken: [] }, { bearer: [], controlToken: [] }]

/** Every path of the control API. */
export const controlPaths = (): Paths => {
  const paths: Record<string, PathItem> = {}
  for (const [name, action] of Object.entries<AnyAction>(actions)) {
    const path = pathOf(action)
    const verb = action.route.method.toLowerCase()
    const operation = operationOf(name, path, action)
    const sharing = paths[path]?.[verb]
    paths[path] = { ...paths[path], [verb]: sharing === undefined ? operation : shared(sharing, operation) }
  }
  return merged(paths, filePaths)
}

/** `{id}` where the router has `:id`. */
const pathOf = ({ route }: AnyAction): string => ROOT + route.path.replace(/:(\w+)/g, '{$1}')

const operationOf = (name: string, path: string, { route, input, textType }: AnyAction): OperationObject => ({
  operationId: name,
  summary: actionSummaries[name] ?? name,
  tags: ['Control'],
  security,
  ...inputOf(name, route.method, path, input),
  responses: { 200: { description: 'Done.', content: contentOf(name, textType) }, '4XX': problem },
})

const contentOf = (name: string, textType = 'application/x-ndjson'): Content => {
  const schema = outputSchemaOf(name)
  return schema.type === 'string' ? { [textType]: { schema } } : json(schema)
}

/** Two actions on one route, which their queries tell apart; named after the one that takes whatever is left. */
const shared = (first: OperationObject, rest: OperationObject): OperationObject => ({
  ...rest,
  summary: `${rest.summary}; ${first.summary}`,
  parameters: [...optional(rest.parameters), ...optional(first.parameters)],
  responses: {
    ...rest.responses,
    200: {
      description: 'Done.',
      content: { ...first.responses[200]?.content, ...rest.responses[200]?.content },
    },
  },
  'x-operations': [rest.operationId, first.operationId],
})

const optional = (parameters: readonly Parameter[] = []): Parameter[] =>
  parameters.map((parameter) => ({ ...parameter, required: parameter.in === 'path' }))

const merged = (paths: Paths, more: Paths): Paths =>
  Object.fromEntries(
    [...new Set([...Object.keys(paths), ...Object.keys(more)])].map((path) => [
      path,
      { ...paths[path], ...more[path] },
    ]),
  )
