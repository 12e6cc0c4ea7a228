import { z } from 'zod'
import { action } from '../action.js'

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
