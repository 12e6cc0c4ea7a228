import { randomUUID } from 'node:crypto'
import { type SeededRandom, seededRandom } from '../core/account/random.js'

/** A request id in the form of a UUID, counted per account (gap Z19). */
export const requestIdOf = (seed: number, accountId: string, count: number): string => {
  const digits = drawOf(seed, accountId, count).hex('request', 32)
  const first = digits.slice(0, 8)
  const second = digits.slice(8, 12)
  const last = digits.slice(20)
  return `${first}-${second}-4${digits.slice(13, 16)}-8${digits.slice(17, 20)}-${last}`
}

/**
 * The id of an answer that no account's journal holds: to what is wrong as HTTP, to a page that asks whether it may ask,
 * of the control API. It is in no account's count, so that those ids repeat whatever else was asked.
 */
export const randomRequestId = (): string => randomUUID()

const drawOf = (seed: number, accountId: string, count: number): SeededRandom =>
  seededRandom(seed, accountId, `request-${count}`)
