import { scramble } from '../../core/account/random.js'
import type { DecisionContext } from '../../core/contract.js'
import { SECOND } from '../../core/schedule/duration.js'
import type { Instant } from '../../core/schedule/timeline.js'

/** Whole Unix seconds (gap X12). */
export const unixSeconds = (at: Instant): number => Math.floor(at / SECOND)

/** `YYYYMMDDHHMMSS` in UTC, as ids carry it. */
export const timestampDigits = (at: Instant): string => {
  const date = new Date(at)
  const day = date.getUTCFullYear() * 10_000 + (date.getUTCMonth() + 1) * 100 + date.getUTCDate()
  const time = date.getUTCHours() * 10_000 + date.getUTCMinutes() * 100 + date.getUTCSeconds()
  return String(day * 1_000_000 + time).padStart(14, '0')
}

const LETTERS = 'abcdefghijklmnopqrstuvwxyz0123456789'
const FIVE_LETTERS = LETTERS.length ** 5

/** Five of a-z0-9 that look drawn and never repeat within an account. */
export const uniqueSuffix = (world: DecisionContext): string => {
  const offset = Number.parseInt(world.account.tag.slice(0, 7), 16) + world.settings.seed
  let rest = scramble(world.sequence, offset, FIVE_LETTERS)
  let letters = ''
  while (letters.length < 5) {
    letters += LETTERS.charAt(rest % LETTERS.length)
    rest = Math.floor(rest / LETTERS.length)
  }
  return letters
}
