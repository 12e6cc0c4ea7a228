import { z } from 'zod'
import { balanceOf, changeAccountSettings, spentOf } from '../../core/account/account.js'
import { limitsSchema } from '../../core/account/limits.js'
import type { Account } from '../../core/model/account.js'
import { readClock } from '../../core/schedule/clock.js'
import { isoOf } from '../../core/schedule/timeline.js'
import { action, all, itemsOf, nothing, record } from '../action.js'
import { clockFields, clockReading } from './clock.js'

const limitsRecord = record('AccountLimits', 'A number is the maximum; null is no limit.', () => limitsSchema)

const accountRecord = record('AccountRecord', 'Balance, agreement, limits and counts of an account.', () =>
  z.object({
    tag: z.string().describe('hash of the API key, shown in its place'),
    balance: z.number().describe('deposits minus `spent`, in the currency of the setting `prices`'),
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

export const shownAccount = (account: Account, systemNow: number) => ({
  tag: account.tag,
  balance: balanceOf(account),
  spent: spentOf(account),
  agreementAccepted: account.agreementAccepted,
  limits: account.limits,
  ordinal: account.ordinal,
  tasks: account.tasks.size,
  tasksInFlight: account.tasks.inFlight,
  imagesMade: account.imagesMade,
  now: isoOf(readClock(account.clock, systemNow)),
})

export const readAccount = action({
  route: { method: 'GET', path: '/account' },
  summary: 'The balance, the agreement, the limits and the counts of the account',
  input: nothing,
  output: accountRecord,
  run: ({ store, systemNow }, key) => store.read(key, (account) => shownAccount(account, systemNow())),
})

export const listAccounts = action({
  route: { method: 'GET', path: '/accounts' },
  summary: 'Every account with its API key and its clock, in the order of their opening',
  input: nothing,
  output: () =>
    itemsOf(
      accountRecord().extend({
        key: z.string().describe('the API key, which selects the account as an Authorization header'),
        name: z.string().describe('the key; only its beginning and its end where it is long'),
        ...clockFields(),
      }),
    ),
  run: async ({ store, systemNow }) => {
    const shown = async (key: string) =>
      store.read(key, (account) => ({
        ...shownAccount(account, systemNow()),
        ...clockReading(account, systemNow()),
        key,
        name: nameOf(key),
      }))
    return { items: await Promise.all((await store.keys()).map(shown)) }
  },
})

/** Keys of real services are longer; those of tests are words that say whose they are. */
const MAX_NAME = 24

const nameOf = (key: string): string => (key.length <= MAX_NAME ? key : `${key.slice(0, 8)}…${key.slice(-4)}`)

export const changeAccount = action({
  route: { method: 'PATCH', path: '/account' },
  summary: 'Change the account; fields that are not given stay. A limit of null is no limit (gap Z8)',
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
