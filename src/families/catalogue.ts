import { type Catalogue, type CatalogueFamily, RESULTS } from '../core/scenario/check/catalogue.js'
import type { AnyTaskFamily } from '../core/task/family.js'
import { operations, taskFamilies } from './index.js'

const entryOf = ({ id, models, errors, routes, deadline, callback }: AnyTaskFamily): CatalogueFamily => ({
  id,
  models,
  errors: Object.keys(errors),
  hasLives: routes.read !== undefined,
  expires: deadline !== undefined,
  reports: callback === undefined ? 'never' : callback.handshake ? 'handshake' : 'plainly',
})

const withoutTasks = (id: string, errors: readonly string[]): CatalogueFamily => ({
  id,
  models: [],
  errors,
  hasLives: false,
  expires: false,
  reports: 'never',
})

/** Everything that a scenario may name, read off the table of contents. */
export const catalogue: Catalogue = {
  operations: [...operations.map(({ id }) => id), `${RESULTS}.download`],
  families: [...taskFamilies.map(entryOf), withoutTasks(RESULTS, [])],
}
