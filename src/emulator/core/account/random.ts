import { hash } from '../hash.js'
import { accountIdOf } from './account-id.js'

/**
 * Seeded random numbers: they depend on the emulator's seed, the account and a sequence number alone, so
 * that a parallel run draws what a serial run draws. `purpose` tells two draws of one call apart.
 */
export class SeededRandom {
  readonly #source: string

  /**
   * @param accountId of the account: twelve hex digits, so that a key that carries the id of another has the same numbers. Where
   * no account draws, that of a name in the place of a key
   */
  constructor(seed: number, accountId: string, sequence: number | string) {
    this.#source = `${seed}|${accountId}|${sequence}|`
  }

  /** 0 up to, not including, 1. */
  fraction(purpose: string): number {
    return Number.parseInt(this.hex(purpose, 13), 16) / 2 ** 52
  }

  /** A whole number from `min` to `max`, both included. */
  integer(purpose: string, min: number, max: number): number {
    return min + Math.floor(this.fraction(purpose) * (max - min + 1))
  }

  /** Lower-case hex digits, at most 64. */
  hex(purpose: string, digits: number): string {
    return hash('sha256', this.#source + purpose, 'hex').slice(0, digits)
  }
}

/** Permutation of a sequence number: distinct below `size`, without visible order. */
export const scramble = (sequence: number, offset: number, size: number): number => {
  const step = stepFor(size)
  const position = sequence * step + offset
  return Number.isSafeInteger(position)
    ? position % size
    : Number((BigInt(sequence) * BigInt(step) + BigInt(offset)) % BigInt(size))
}

// Looked for once a size: there are as many sizes as there are kinds of ids.
const steps = new Map<number, number>()

const stepFor = (size: number): number => {
  const step = steps.get(size) ?? coprimeNear(Math.floor(size * 0.618), size)
  steps.set(size, step)
  return step
}

const coprimeNear = (start: number, size: number): number => {
  let candidate = start
  while (greatestCommonDivisor(candidate, size) !== 1) candidate += 1
  return candidate
}

const greatestCommonDivisor = (a: number, b: number): number =>
  b === 0 ? a : greatestCommonDivisor(b, a % b)

/** A request id in the form of a UUID, counted per account (gap Z19). */
export const requestIdOf = (seed: number, accountId: string, count: number): string => {
  // The id stands in the place of a key here; recordings have the ids that follow.
  const source = `${seed}|${accountIdOf(accountId)}|request-${count}|request`
  const digits = hash('sha256', source, 'hex')
  return `${digits.slice(0, 8)}-${digits.slice(8, 12)}-4${digits.slice(13, 16)}-8${digits.slice(17, 20)}-${digits.slice(20, 32)}`
}
