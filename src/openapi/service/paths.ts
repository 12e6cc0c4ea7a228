import { EmulatorError } from '../../core/emulator-error.js'
import type { Operation } from '../../core/operation.js'
import type { AnyTaskFamily } from '../../core/task/family.js'
import { operations, taskFamilies } from '../../families/index.js'
import type { Schemas } from '../json-schema.js'
import {
  type OperationObject,
  type Paths,
  pathParameters,
  queryParameters,
  type Security,
} from '../openapi.js'
import { callbacksOf, jsonBody, uploadForm } from './bodies.js'
import { type OperationDoc, operationDocs } from './exchanges.js'
import { assetRefusalsOf, refusalsOf } from './refusals.js'
import { accepted, acceptedFile, refused } from './responses.js'
import { rulesText } from './rules-text.js'

/** An operation with all that is known of it. */
interface Described {
  readonly operation: Operation
  readonly exchange: OperationDoc
  /** Left out for the asset library, which makes no tasks. */
  readonly family?: AnyTaskFamily
}

/** Every path of the service. `url` is where the emulator answers, for the media of examples. */
export const servicePaths = async (schemas: Schemas, url: string): Promise<Paths> => {
  const paths: Record<string, Record<string, OperationObject>> = {}
  for (const sharing of sharedRoutes()) {
    const { method, path } = (sharing[0] as Described).operation.route
    paths[path] = { ...paths[path], [method.toLowerCase()]: await operationObject(sharing, schemas, url) }
  }
  return paths
}

const sharedRoutes = (): Described[][] => {
  const routes = new Map<string, Described[]>()
  for (const operation of operations) {
    const key = `${operation.route.method} ${operation.route.path}`
    routes.set(key, [...(routes.get(key) ?? []), describe(operation)])
  }
  return [...routes.values()]
}

const describe = (operation: Operation): Described => {
  const exchange = operationDocs[operation.id]
  if (exchange === undefined)
    throw new EmulatorError(`The OpenAPI document knows nothing of ${operation.id}.`, {
      code: 'unknown-exchange',
      hint: 'Say in src/openapi/service/exchanges.ts what it takes and answers.',
    })
  const family = taskFamilies.find(({ id }) => id === operation.family)
  return { operation, exchange, ...(family === undefined ? {} : { family }) }
}

const operationObject = async (
  sharing: readonly Described[],
  schemas: Schemas,
  url: string,
): Promise<OperationObject> => {
  const [{ operation, exchange, family }] = sharing as readonly [Described, ...Described[]]
  const isCreate = operation.id.endsWith('.create')
  const callbacks = isCreate && family !== undefined ? callbacksOf(family) : {}
  return {
    operationId: operation.id,
    summary: sharing.map((one) => one.exchange.says).join('; '),
    ...described(sharing),
    tags: sharing.map((one) => accountIdOf(one.operation)),
    security: operation.needsKey ? eitherSpelling : [],
    ...parameters(operation, exchange, schemas),
    ...(await requestBody(sharing, url)),
    responses: {
      200: acceptedBy(sharing, schemas),
      ...refused(sharing.flatMap(refusalsIn), exchange.refuses),
    },
    ...(Object.keys(callbacks).length === 0 ? {} : { callbacks }),
    ...(sharing.length === 1 ? {} : { 'x-operations': sharing.map((one) => one.operation.id) }),
  }
}

/** Both spellings of the header are taken (§Authentication 2). */
const eitherSpelling: Security = [{ bearer: [] }, { bareKey: [] }]

/** A tag by the chapter of the specification. */
export const accountIdOf = ({ section }: Pick<Operation, 'section'>): string => `§${section}`

const refusalsIn = ({ operation, family }: Described) =>
  family === undefined ? assetRefusalsOf(operation) : refusalsOf(operation, family)

const acceptedBy = (sharing: readonly Described[], schemas: Schemas) => {
  const file = sharing[0]?.exchange.file
  if (file !== undefined) return acceptedFile(file, 'The file.')
  const answers = sharing.flatMap(({ exchange }) => exchange.answers ?? [])
  return accepted(answers, answers.map((name) => schemas[name]?.description ?? name).join(' '))
}

const parameters = ({ route }: Operation, { asks }: OperationDoc, schemas: Schemas) => {
  const query = asks === undefined ? [] : queryParameters(schemas[asks] ?? {})
  const all = [...pathParameters(route.path), ...query]
  return all.length === 0 ? {} : { parameters: all }
}

const requestBody = async (sharing: readonly Described[], url: string) => {
  const form = sharing[0]?.operation.form
  if (form !== undefined) return { requestBody: uploadForm(form.fileField) }
  const taken = sharing.flatMap(({ operation, exchange, family }) =>
    exchange.takes === undefined
      ? []
      : [{ operation: operation.id, schema: exchange.takes, models: family?.models ?? [] }],
  )
  return taken.length === 0 ? {} : { requestBody: await jsonBody(taken, url) }
}

const described = (sharing: readonly Described[]): { description?: string } => {
  const texts = sharing
    .map(({ operation, family }) => rulesText(operation, family))
    .filter((text) => text !== '')
  return texts.length === 0 ? {} : { description: texts.join('\n\n') }
}
