import { z } from 'zod'
import { changeAccountSettings } from '../../core/account/account.js'
import { type Account, balanceOf, spentOf } from '../../core/model/account.js'
import { readClock } from '../../core/schedule/clock.js'
import { isoOf } from '../../core/schedule/iso.js'
import { limitsSchema } from '../../core/settings.js'
import { action } from '../action.js'

const shownAccount = (account: Account, wall: number) => ({
  tag: account.tag,
  balance: balanceOf(account),
  spent: spentOf(account),
  agreementAccepted: account.agreementAccepted,
  limits: account.limits,
  ordinal: account.ordinal,
  tasks: account.tasks.size,
  tasksInFlight: account.open.size,
  imagesMade: account.imagesMade,
  now: isoOf(readClock(account.clock, wall)),
})

export const readAccount = action({
  route: { method: 'GET', path: '/account' },
  input: z.strictObject({}),
  run: async ({ store, wall }, key) => store.run(key, (account) => shownAccount(account, wall())),
})

/** What is not named stays as it is; a limit of null is no limit (gap Z8). */
export const changeAccount = action({
  route: { method: 'PATCH', path: '/account' },
  input: z.strictObject({
    balance: z.number().optional(),
    agreementAccepted: z.boolean().optional(),
    limits: limitsSchema.partial().strict().optional(),
    requests: z.int().min(0).optional(),
  }),
  run: async ({ store, wall }, key, { requests, ...change }) =>
    store.run(key, (account) => {
      changeAccountSettings(account, change)
      if (requests !== undefined) account.requests = requests
      return shownAccount(account, wall())
    }),
})

/** This account begins anew: clock, tasks, journal and terms as at the start (gap Z18). With `all`, every account. */
export const reset = action({
  route: { method: 'POST', path: '/reset' },
  input: z.strictObject({ all: z.string().optional() }),
  run: async (emulator, key, { all }) => {
    const keys = all === undefined ? [key] : await emulator.store.keys()
    for (const one of keys) await emulator.forget(one)
    return { reset: all === undefined ? 'account' : 'all', accounts: keys.length }
  },
})
