import { scramble } from '../../core/account/draw.js'
import type { DecisionContext } from '../../core/world.js'
import { timestampDigits, uniqueSuffix } from '../shared/stamps.js'

/** `asset-YYYYMMDDHHMMSS-xxxxx`, in UTC of the account's clock (gap D3). */
export const newAssetId = (world: DecisionContext): string =>
  `asset-${timestampDigits(world.now)}-${uniqueSuffix(world)}`

/** How many ids one second has: four digits. */
const IDS = 10_000

/**
 * `task_YYMMDDHHMMSSdddd` (gap D1). Whoever asks for a job has no key, and four digits cannot name an account:
 * the store knows whose an id is, so that no two accounts may have the same one. The digits are spread by the ordinal,
 * and never repeat within an account; where another account was first, the next that are free are taken.
 *
 * An account whose every free id is another's takes one of those all the same: its own key still leads to it.
 */
export const newJobId = (world: DecisionContext): string => {
  const { account, settings, ordinal, now, isFree } = world
  const start = scramble(ordinal, Number.parseInt(account.tag.slice(0, 7), 16) + settings.seed, IDS)
  const second = `task_${timestampDigits(now).slice(2)}`
  const isNew = (id: string) => !account.jobs.has(id)
  return firstOf(second, start, (id) => isNew(id) && isFree(id)) ?? (firstOf(second, start, isNew) as string)
}

const firstOf = (second: string, start: number, fits: (id: string) => boolean): string | undefined => {
  for (let step = 0; step < IDS; step += 1) {
    const id = second + String((start + step) % IDS).padStart(4, '0')
    if (fits(id)) return id
  }
  return undefined
}
