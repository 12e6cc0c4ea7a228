import { z } from 'zod'
import { DAY } from '../../core/time/duration.js'

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
