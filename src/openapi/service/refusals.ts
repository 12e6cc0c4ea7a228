import type { Operation } from '../../core/operation.js'
import type { ErrorSpec, Refusal } from '../../core/problem.js'
import type { AnyTaskFamily } from '../../core/task/family.js'
import { states } from '../../core/task/phase.js'
import type { TaskView } from '../../core/task/task.js'
import {
  type AssetError,
  errors as assetErrors,
  problem as assetProblem,
} from '../../families/d-assets/errors.js'

/** A refusal of an operation: its name in the family's table, its status, and a body that tells it. */
export interface RefusalDoc {
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
      body: family.render.problem({ error: name }, EXAMPLE_ID),
    }))
}

type NamesFor = (family: AnyTaskFamily) => readonly string[]

const whoeverAsks: NamesFor = ({ standing }) => [standing.unauthenticated, standing.internal]
const ofOneTask: NamesFor = (family) => [...whoeverAsks(family), ...notFoundOf(family)]

const namesFor: Readonly<Record<string, NamesFor>> = {
  // All that the other operations do not have to themselves.
  create: (family) => {
    const own = new Set<string>(Object.values(family.standing))
    const elsewhere = [...notFoundOf(family), ...cancellingOf(family)].filter((name) => !own.has(name))
    return Object.keys(family.errors).filter((name) => !elsewhere.includes(name))
  },
  read: ofOneTask,
  content: (family) => [...ofOneTask(family), family.standing.invalid],
  list: (family) => [...whoeverAsks(family), family.standing.invalid],
  cancel: (family) => [...ofOneTask(family), ...cancellingOf(family)],
}

const notFoundOf: NamesFor = ({ notFound }) => (notFound === undefined ? [] : [notFound('').error])

const cancellingOf: NamesFor = ({ cancelling }) =>
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
