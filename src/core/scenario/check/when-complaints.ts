import { states } from '../../task/phase.js'
import { listOf } from '../about.js'
import type { When } from '../when.js'
import { type Catalogue, type CatalogueFamily, familiesOf, operationsOf } from './catalogue.js'

/**
 * Selectors that no occasion can fulfil together.
 * @param catalogue left out where it is not known what the step is about
 */
export const whenComplaints = (when: When, catalogue: Catalogue | undefined): string[] => {
  if (catalogue === undefined) return countless(when)
  if (operationsOf(when, catalogue).length === 0)
    return ['no call is of this operation, this family and this model at once', ...countless(when)]
  return [...silent(when, catalogue), ...countless(when)]
}

const silent = (when: When, catalogue: Catalogue): string[] => {
  if (when.callback === undefined) return []
  const isHandshake = when.callback === 'challenge'
  const creates = operationsOf(when, catalogue)
  const reporting = familiesOf(when, catalogue).filter(
    ({ id, reports }) =>
      creates.includes(`${id}.create`) && (isHandshake ? reports === 'handshake' : reports !== 'never'),
  )
  if (reporting.length > 0) return neverReported(when, reporting)
  const able = catalogue.families.filter(
    ({ reports }) => reports === 'handshake' || (!isHandshake && reports !== 'never'),
  )
  return [
    `${isHandshake ? 'challenges are sent' : 'callbacks are sent'} for tasks of ${able.map(({ id }) => `${id}.create`).join(' and ')} alone`,
  ]
}

/** Statuses that none of the families ever has to report. */
const neverReported = ({ callback }: When, families: readonly CatalogueFamily[]): string[] => {
  const possible = states.filter((state) => families.some((family) => family.states.includes(state)))
  const wanted = typeof callback === 'object' ? listOf(callback.status) : []
  return wanted
    .filter((status) => !possible.includes(status))
    .map(
      (status) =>
        `no callback of ${families.map(({ id }) => id).join(' and ')} says ${status}: possible are ${possible.join(', ')}`,
    )
}

const countless = ({ nth, first, after = 0, from = 0, until }: When): string[] => [
  ...(listOf(nth).length > 0 && listOf(nth).every((n) => n <= after || n > (first ?? n))
    ? [`nth ${listOf(nth).join(', ')} lies outside of first and after`]
    : []),
  ...(first !== undefined && first <= after
    ? [`the first ${first} are none of those after the first ${after}`]
    : []),
  ...(until !== undefined && until <= from ? ['until is not after from'] : []),
]
