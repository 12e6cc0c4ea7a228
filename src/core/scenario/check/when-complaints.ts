import { listOf } from '../about.js'
import type { When } from '../when.js'
import { type Catalogue, familiesOf, operationsOf } from './catalogue.js'

/** Selectors that no occasion can fulfil together. */
export const whenComplaints = (when: When, catalogue: Catalogue): string[] => {
  if (operationsOf(when, catalogue).length === 0)
    return ['no call is of this operation, this family and this model at once']
  return [...silent(when, catalogue), ...countless(when)]
}

const silent = (when: When, catalogue: Catalogue): string[] => {
  if (when.callback === undefined) return []
  const isHandshake = when.callback === 'challenge'
  const reporting = familiesOf(when, catalogue).filter(({ reports }) =>
    isHandshake ? reports === 'handshake' : reports !== 'never',
  )
  const creates = operationsOf(when, catalogue)
  if (reporting.some(({ id }) => creates.includes(`${id}.create`))) return []
  const able = catalogue.families.filter(
    ({ reports }) => reports === 'handshake' || (!isHandshake && reports !== 'never'),
  )
  return [
    `${isHandshake ? 'challenges are sent' : 'callbacks are sent'} for tasks of ${able.map(({ id }) => `${id}.create`).join(' and ')} alone`,
  ]
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
