import type { State } from '../model/task.js'
import { isNamed, listOf } from './match.js'
import type { When } from './schema.js'

/** What a family lets a scenario do. */
export interface CatalogueFamily {
  readonly id: string
  readonly models: readonly string[]
  /** The names of its error table. */
  readonly errors: readonly string[]
  /** Whether its creates make tasks that have a life to be twisted. */
  readonly hasLives: boolean
  /** What its tasks can be; of no use where none has a life. */
  readonly states: readonly State[]
  /** `handshake`: a challenge comes before anything is reported (§Events). */
  readonly reports: 'never' | 'plainly' | 'handshake'
}

/** What a scenario may name. */
export interface Catalogue {
  readonly operations: readonly string[]
  readonly families: readonly CatalogueFamily[]
}

/** The operations that the calls of a step can be of. */
export const operationsOf = (when: When, catalogue: Catalogue): readonly string[] => {
  const ids = familiesOf(when, catalogue).map(({ id }) => id)
  return catalogue.operations.filter(
    (operation) =>
      ids.some((id) => operation.startsWith(`${id}.`)) &&
      (when.operation === undefined || listOf(when.operation).some((name) => isNamed(name, operation))),
  )
}

/** The families whose calls a step can act on. */
export const familiesOf = (when: When, { operations, families }: Catalogue): readonly CatalogueFamily[] => {
  const named = listOf(when.operation).flatMap((name) => operations.filter((one) => isNamed(name, one)))
  return families.filter(
    ({ id, models }) =>
      (when.operation === undefined || named.some((operation) => operation.startsWith(`${id}.`))) &&
      (when.family === undefined || listOf(when.family).includes(id)) &&
      (when.model === undefined || isAnyOf(listOf(when.model), models, id)),
  )
}

// Results carry the models of their tasks, whichever family made them.
const isAnyOf = (wanted: readonly string[], models: readonly string[], id: string): boolean =>
  id === RESULTS || wanted.some((model) => models.includes(model))

/** The family, so to speak, of `results.download`. */
export const RESULTS = 'results'
