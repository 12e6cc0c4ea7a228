import { z } from 'zod'
import { balanceOf, changeAccountSettings, spentOf } from '../../core/account/account.js'
import { limitsSchema } from '../../core/account/limits.js'
import type { Account } from '../../core/model/account.js'
import { readClock } from '../../core/schedule/clock.js'
import { isoOf } from '../../core/schedule/iso.js'
import { action, all, nothing, record } from '../action.js'

const limitsRecord = record('AccountLimits', 'A number is the maximum; null is no limit.', () => limitsSchema)

const accountRecord = record(
  'AccountRecord',
  'What an account is worth, what it is allowed, and how much there is on it.',
  () =>
    z.object({
      tag: z.string().describe('stands for the API key where it must not be shown'),
      balance: z
        .number()
        .describe(
          'what was paid in, less what was spent; in the currency of the setting `prices`, as `spent`',
        ),
      spent: z.number(),
      agreementAccepted: z.boolean(),
      limits: limitsRecord(),
      ordinal: z.number().describe('creates and uploads accepted so far'),
      tasks: z.number(),
      tasksInFlight: z.number(),
      imagesMade: z.number(),
      now: z.string(),
    }),
)

const shownAccount = (account: Account, systemNow: number) => ({
  tag: account.tag,
  balance: balanceOf(account),
  spent: spentOf(account),
  agreementAccepted: account.agreementAccepted,
  limits: account.limits,
  ordinal: account.ordinal,
  tasks: account.tasks.size,
  tasksInFlight: account.open.size,
  imagesMade: account.imagesMade,
  now: isoOf(readClock(account.clock, systemNow)),
})

export const readAccount = action({
  route: { method: 'GET', path: '/account' },
  summary: 'What the account is worth and allowed',
  input: nothing,
  output: accountRecord,
  run: ({ store, systemNow }, key) => store.read(key, (account) => shownAccount(account, systemNow())),
})

export const changeAccount = action({
  route: { method: 'PATCH', path: '/account' },
  summary: 'Change the account; what is not named stays. A limit of null is no limit (gap Z8)',
  input: z.strictObject({
    requests: z
      .int()
      .min(0)
      .optional()
      .describe('how many calls it has made, from which request ids are counted; for a replay'),
    balance: z.number().optional().describe('in the currency of the setting `prices`'),
    agreementAccepted: z.boolean().optional(),
    limits: limitsSchema.partial().strict().optional().describe('those that are undefined stay as they are'),
  }),
  example: { balance: 0, limits: { tasksInFlight: 2 } },
  output: accountRecord,
  run: ({ store, systemNow }, key, { requests, ...change }) =>
    store.transact(key, (account) => {
      changeAccountSettings(account, change)
      if (requests !== undefined) account.requests = requests
      return shownAccount(account, systemNow())
    }),
})

export const reset = action({
  route: { method: 'POST', path: '/reset' },
  summary:
    'The account begins anew: clock, tasks, journal and settings as at the start (gap Z18); with `all`, every account',
  input: z.strictObject({ all }),
  output: () => z.object({ reset: z.string(), accounts: z.number() }),
  recordedAs: 'nothing',
  run: async (context, key, { all }) => {
    const keys = all === undefined ? [key] : await context.store.keys()
    for (const one of keys) await context.forget(one)
    return { reset: all === undefined ? 'account' : 'all', accounts: keys.length }
  },
})
