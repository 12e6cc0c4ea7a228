import { z } from 'zod'
import { type Account, balanceOf } from '../../../core/account/account.js'
import { limitsSchema } from '../../../core/settings.js'
import { readClock } from '../../../core/time/clock.js'
import { action } from '../action.js'
import { isoOf } from '../iso.js'

const shownAccount = (account: Account, wall: number) => ({
  tag: account.tag,
  balance: balanceOf(account),
  spent: account.spent,
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
  input: z.object({}),
  run: async ({ store, wall }, key) => store.run(key, (account) => shownAccount(account, wall())),
})

/** What is not named stays as it is; a limit of null is no limit (defaults Z8). */
export const changeAccount = action({
  route: { method: 'PATCH', path: '/account' },
  input: z.strictObject({
    balance: z.number().optional(),
    agreementAccepted: z.boolean().optional(),
    limits: limitsSchema.partial().strict().optional(),
  }),
  run: async ({ store, wall }, key, { balance, agreementAccepted, limits }) =>
    store.run(key, (account) => {
      // The balance is what was paid in less what was spent, so setting it sets what was paid in.
      if (balance !== undefined) account.credit = balance + account.spent
      if (agreementAccepted !== undefined) account.agreementAccepted = agreementAccepted
      account.limits = { ...account.limits, ...limits }
      return shownAccount(account, wall())
    }),
})
