import type { Operation } from '../core/operation.js'
import { type Catalogue, type CatalogueFamily, RESULTS } from '../core/scenario/check/catalogue.js'
import type { AnyTaskFamily } from '../core/task/family.js'
import { statesOf } from '../core/task/states-of.js'
import { operations, taskFamilies } from './index.js'

const entryOf = (family: AnyTaskFamily): CatalogueFamily => {
  const { id, models, errors, routes, callback } = family
  return {
    id,
    models,
    errors: Object.keys(errors),
    hasLives: routes.read !== undefined,
    states: statesOf(family),
    reports: callback === undefined ? 'never' : callback.handshake ? 'handshake' : 'plainly',
  }
}

const withoutTasks = ({ family, errors }: Pick<Operation, 'family' | 'errors'>): CatalogueFamily => ({
  id: family,
  models: [],
  errors,
  hasLives: false,
  states: [],
  reports: 'never',
})

const isTaskFamily = ({ family }: Operation): boolean => taskFamilies.some(({ id }) => id === family)
const others = operations.filter((operation) => !isTaskFamily(operation))

/** Everything that a scenario may name, read off the table of contents. */
export const catalogue: Catalogue = {
  operations: [...operations.map(({ id }) => id), `${RESULTS}.download`],
  families: [
    ...taskFamilies.map(entryOf),
    ...new Map(others.map((operation) => [operation.family, withoutTasks(operation)])).values(),
    withoutTasks({ family: RESULTS, errors: [] }),
  ],
}
