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
 * Random request id of an answer that is in no account's journal: of a protocol error, a CORS preflight or the control API.
 * No account counts it, so that the ids of an account repeat whatever else was requested.
 */
export const randomRequestId = (): string => randomUUID()

const drawOf = (seed: number, accountId: string, count: number): SeededRandom =>
  seededRandom(seed, accountId, `request-${count}`)
