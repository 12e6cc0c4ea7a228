import { z } from 'zod'
import { limitsSchema } from '../../settings.js'
import { duration } from '../selector.js'
import { defineEffects } from './effect.js'

/** Effects on the account of the call. */
export const accountEffects = defineEffects('account', {
  balance: {
    schema: z.number(),
    description: 'the new balance',
    apply: (change, balance) => ({ ...change, balance }),
  },
  agreementAccepted: {
    schema: z.boolean(),
    description: 'whether the agreement is accepted',
    apply: (change, agreementAccepted) => ({ ...change, agreementAccepted }),
  },
  limits: {
    schema: limitsSchema.partial().strict(),
    description: 'of requests, tasks and images; null is no limit',
    apply: (change, limits) => ({ ...change, limits }),
  },
})

/** Effects on the account's clock: by how many milliseconds it moves before the call is decided. */
export const clockEffects = defineEffects('clock', {
  jump: { schema: duration, description: 'how far it moves', apply: (ms, jump) => ms + jump },
})
