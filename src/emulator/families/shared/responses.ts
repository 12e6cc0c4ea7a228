import { z } from 'zod'
import { scramble } from '../../core/account/random.js'
import type { DecisionContext, ErrorTable } from '../../core/contract.js'
import type { Phase, VisibleUntil } from '../../core/model/task.js'
import { DAY, HOUR, type Instant, SECOND } from '../../core/schedule/time.js'

/** An instant as answers give it (gap X12). */
export const unixTime = z.int().describe("Unix seconds of the account's clock")

/** The id that the answer also carries as `X-Request-Id` (gap X3). */
export const requestId = z.string().describe('the id of the call, as in the header `X-Request-Id`')

/** The address of a result, with an expiry and a signature (gap X9). */
export const resultUrl = (lifeMs: number) =>
  z.string().describe(`signed, and valid for ${lifeMs === DAY ? '24 hours' : `${lifeMs / DAY} days`}`)

/** Why a task brought no result; null where nothing went wrong (gap B4). */
export const failure = z
  .object({ code: z.string(), message: z.string() })
  .nullable()
  .describe('why there is no result; null unless the task failed or expired')

/** `error` of a task query: a name of the family's table and its sentence. */
export type Failure = NonNullable<z.output<typeof failure>>

/**
 * Why a task did not succeed; null unless it failed or expired (gap B4). A task that another family made can have
 * failed with a name that only that family's table has: a family that shows such tasks hands those rows in as `others`.
 */
export const failureOf = (phase: Phase, errors: ErrorTable, others: ErrorTable = {}): Failure | null => {
  if (phase.state !== 'expired' && phase.state !== 'failed') return null
  const name = phase.state === 'failed' ? phase.error : 'TaskExpired'
  const spec = errors[name] ?? others[name]
  return { code: spec?.code ?? name, message: `${spec?.message ?? 'The task did not succeed'}.` }
}

const QUERYABLE_MS = 7 * DAY
const CANCELLED_MS = 24 * HOUR

/** A task can be queried for 7 days after its create (§B query). */
export const visibleWhileRecent: VisibleUntil = ({ createdAt }) => createdAt + QUERYABLE_MS

/** The same, and a cancelled task is deleted 24 hours after it was cancelled (§Task states). */
export const visibleUntilDeleted: VisibleUntil = (task, moment) => {
  const recent = visibleWhileRecent(task, moment)
  return moment.value.state === 'cancelled' ? Math.min(recent, moment.at + CANCELLED_MS - 1) : recent
}

/** Whole Unix seconds (gap X12). */
export const unixSeconds = (at: Instant): number => Math.floor(at / SECOND)

// Memo of one entry: many ids are made within a second, and a date takes as long as the rest of an id.
let lastSecond = { second: Number.NaN, digits: '' }

/** `YYYYMMDDHHMMSS` in UTC, as ids carry it. */
export const timestampDigits = (at: Instant): string => {
  const second = unixSeconds(at)
  if (second !== lastSecond.second)
    lastSecond = { second, digits: new Date(at).toISOString().replace(/\D/g, '').slice(0, 14) }
  return lastSecond.digits
}

const LETTERS = 'abcdefghijklmnopqrstuvwxyz0123456789'
const FIVE_LETTERS = LETTERS.length ** 5

/** Unique suffix of ids: five of a-z0-9 that look random and never repeat within an account. */
export const uniqueSuffix = (context: DecisionContext): string => {
  const offset = Number.parseInt(context.account.id.slice(0, 7), 16) + context.settings.seed
  let rest = scramble(context.sequence, offset, FIVE_LETTERS)
  let letters = ''
  while (letters.length < 5) {
    letters += LETTERS.charAt(rest % LETTERS.length)
    rest = Math.floor(rest / LETTERS.length)
  }
  return letters
}

/** Id of a task or an asset: `cgt-YYYYMMDDHHMMSS-xxxxx` for the prefix `cgt`. */
export const timestampedId = (prefix: string, context: DecisionContext): string =>
  `${prefix}-${timestampDigits(context.now)}-${uniqueSuffix(context)}`
