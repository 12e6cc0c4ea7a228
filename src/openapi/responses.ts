import type { AnyTaskFamily, Operation } from '../core/contract.js'
import type { ErrorSpec, Refusal } from '../core/errors.js'
import { refTo } from '../core/json-schema.js'
import { states, type TaskView } from '../core/model/task.js'
import {
  type AssetError,
  errors as assetErrors,
  errorBody as assetProblem,
} from '../families/d-assets/errors.js'
import { json, type ResponseObject } from './objects.js'

/** A refusal of an operation: its name in the family's table, its status, and a body that tells it. */
interface RefusalDoc {
  readonly name: string
  readonly status: number
  readonly says: string
  readonly body: unknown
}

const EXAMPLE_ID = '01234567-89ab-cdef-0123-456789abcdef'

/** What an operation of a task family can refuse; each row of the family's table where it can be met. */
export const refusalsOf = ({ id }: Operation, family: AnyTaskFamily): RefusalDoc[] => {
  const verb = id.slice(family.id.length + 1)
  const names = new Set(namesFor[verb]?.(family) ?? Object.keys(family.errors))
  return Object.entries<ErrorSpec>(family.errors)
    .filter(([name]) => names.has(name))
    .map(([name, { status, message }]) => ({
      name,
      status,
      says: message,
      body: family.respond.error({ error: name }, EXAMPLE_ID),
    }))
}

type NamesFor = (family: AnyTaskFamily) => readonly string[]

const commonErrors: NamesFor = ({ wellKnownErrors: standing }) => [
  standing.unauthenticated,
  standing.internal,
]
const ofTask: NamesFor = (family) => [...commonErrors(family), ...notFoundOf(family)]

const namesFor: Readonly<Record<string, NamesFor>> = {
  // All that the other operations do not have to themselves.
  create: (family) => {
    const own = new Set<string>(Object.values(family.wellKnownErrors))
    const elsewhere = [...notFoundOf(family), ...cancellingOf(family)].filter((name) => !own.has(name))
    return Object.keys(family.errors).filter((name) => !elsewhere.includes(name))
  },
  read: ofTask,
  content: (family) => [...ofTask(family), family.wellKnownErrors.invalid],
  list: (family) => [...commonErrors(family), family.wellKnownErrors.invalid],
  cancel: (family) => [...ofTask(family), ...cancellingOf(family)],
}

const notFoundOf: NamesFor = ({ notFound }) => (notFound === undefined ? [] : [notFound('').error])

const cancellingOf: NamesFor = ({ cancelOutcome: cancelling }) =>
  states
    .map((state) => cancelling?.({ phase: { state }, task: { id: '' } } as TaskView))
    .flatMap((outcome) => (typeof outcome === 'object' ? [(outcome as Refusal).error] : []))

/** The same for the asset library. */
export const assetRefusalsOf = ({ id }: Operation): RefusalDoc[] => {
  const names = assetNames[id] ?? []
  return names.map((name) => ({
    name,
    status: assetErrors[name].status,
    says: assetErrors[name].message,
    body: assetProblem({ error: name }),
  }))
}

const everyAssetError = Object.keys(assetErrors) as AssetError[]

const assetNames: Readonly<Record<string, readonly AssetError[]>> = {
  'd-assets.upload': everyAssetError.filter((name) => name !== 'TaskNotFound'),
  'd-assets.resolve': ['InvalidParameter', 'TaskNotFound', 'InternalError'],
}

const requestId = { 'X-Request-Id': { $ref: '#/components/headers/X-Request-Id' } }
const retryAfter = { 'Retry-After': { $ref: '#/components/headers/Retry-After' } }

/** The answer when all is well: one schema for each operation that shares the route. */
export const accepted = (answers: readonly string[], says: string): ResponseObject => {
  const names = [...new Set(answers)]
  const schema = names.length === 1 ? refTo(names[0] as string) : { anyOf: names.map(refTo) }
  return { description: says, headers: requestId, content: json(schema) }
}

export const acceptedFile = (type: string, says: string): ResponseObject => ({
  description: says,
  headers: requestId,
  content: { [type]: { schema: { type: 'string', contentMediaType: type } } },
})

/** The refusals by status, each with what it looks like. */
export const refused = (
  refusals: readonly RefusalDoc[],
  problem: string,
): Readonly<Record<string, ResponseObject>> => {
  const statuses = [...new Set(refusals.map(({ status }) => status))].sort((a, b) => a - b)
  return Object.fromEntries(
    statuses.map((status) => [
      status,
      refusedWith(
        refusals.filter((one) => one.status === status),
        problem,
      ),
    ]),
  )
}

const refusedWith = (refusals: readonly RefusalDoc[], problem: string): ResponseObject => ({
  description: [...new Set(refusals.map(({ name, says }) => `\`${name}\`: ${says}.`))].join('\n\n'),
  headers: { ...requestId, ...(refusals.some(({ status }) => status === 429) ? retryAfter : {}) },
  content: json(
    refTo(problem),
    Object.fromEntries(refusals.map(({ name, says, body }) => [name, { summary: says, value: body }])),
  ),
})
