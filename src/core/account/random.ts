import { hash } from 'node:crypto'
import { accountIdOf } from './account-id.js'

/**
 * What would be chance elsewhere: numbers that depend on the emulator's seed, the account and its ordinal alone, so
 * that a parallel run draws what a serial run draws. `purpose` tells two draws of one call apart.
 */
export interface SeededRandom {
  /** 0 up to, not including, 1. */
  fraction(purpose: string): number
  /** A whole number from `least` to `most`, both included. */
  integer(purpose: string, least: number, most: number): number
  /** Lower-case hex digits, at most 64. */
  hex(purpose: string, digits: number): string
}

/** `account` is a key or a tag. Draws follow from its tag, so that a key that stands in for another draws what that one drew. */
export const seededRandom = (seed: number, account: string, ordinal: number | string): SeededRandom => {
  // Worked out at the first draw: most calls that could draw do not.
  let tag: string | undefined
  const digest = (purpose: string): string => {
    tag ??= accountIdOf(account)
    return hash('sha256', `${seed}|${tag}|${ordinal}|${purpose}`, 'hex')
  }
  const fraction = (purpose: string) => Number.parseInt(digest(purpose).slice(0, 13), 16) / 2 ** 52
  return {
    fraction,
    integer: (purpose, least, most) => least + Math.floor(fraction(purpose) * (most - least + 1)),
    hex: (purpose, digits) => digest(purpose).slice(0, digits),
  }
}

/**
 * The ordinal in disguise: distinct for every ordinal below `size`, and spread over the whole range, so that ids look
 * drawn and yet never meet within an account.
 */
export const scramble = (ordinal: number, offset: number, size: number): number => {
  const step = stepFor(size)
  const place = ordinal * step + offset
  return Number.isSafeInteger(place)
    ? place % size
    : Number((BigInt(ordinal) * BigInt(step) + BigInt(offset)) % BigInt(size))
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
