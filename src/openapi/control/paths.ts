import type { AnyAction } from '../../server/control/action.js'
import { actions } from '../../server/control/actions/index.js'
import type { Content, OperationObject, Parameter, PathItem, Paths, Security } from '../openapi.js'
import { json } from '../openapi.js'
import { outputSchemaOf } from './answers.js'
import { filePaths } from './files.js'
import { inputOf } from './inputs.js'
import { problem, ROOT } from './problem.js'
import { actionSummaries } from './says.js'

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
