import { randomUUID } from 'node:crypto'
import { seededRandom } from '../core/account/random.js'

/** A request id in the form of a UUID, counted per account (gap Z19). */
export const requestIdOf = (seed: number, accountId: string, count: number): string => {
  const digits = seededRandom(seed, accountId, `request-${count}`).hex('request', 32)
  const part = (from: number, to: number): string => digits.slice(from, to)
  return `${part(0, 8)}-${part(8, 12)}-4${part(13, 16)}-8${part(17, 20)}-${part(20, 32)}`
}

/**
 * Random request id of an answer that is in no account's journal: of a protocol error, a CORS preflight or the control API.
 * No account counts it, so that the ids of an account repeat whatever else was requested.
 */
export const randomRequestId = (): string => randomUUID()
