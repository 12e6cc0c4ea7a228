import { z } from 'zod'
import { type Limits, limitsSchema } from '../../settings.js'
import { duration } from '../selector.js'
import { effectsOn } from './effect.js'

/** What a step changes of its account before the call is decided. A limit of null is no limit (gap Z8). */
interface AccountOverride {
  readonly balance?: number | undefined
  readonly agreementAccepted?: boolean | undefined
  readonly limits?: { readonly [Name in keyof Limits]?: Limits[Name] | undefined } | undefined
}

const account = effectsOn<'account', AccountOverride>('account')
const clock = effectsOn<'clock', number>('clock')

/** Effects on the account of the call. */
export const accountEffects = [
  account({
    key: 'balance',
    schema: z.number(),
    description: 'the new balance',
    apply: (change, balance) => ({ ...change, balance }),
  }),
  account({
    key: 'agreementAccepted',
    schema: z.boolean(),
    description: 'whether the agreement is accepted',
    apply: (change, agreementAccepted) => ({ ...change, agreementAccepted }),
  }),
  account({
    key: 'limits',
    schema: limitsSchema.partial().strict(),
    description: 'of requests, tasks and images; null is no limit',
    apply: (change, limits) => ({ ...change, limits }),
  }),
] as const

/** Effects on the account's clock: by how many milliseconds it moves before the call is decided. */
export const clockEffects = [
  clock({
    key: 'jump',
    schema: duration,
    description: 'how far it moves',
    apply: (ms, jump) => ms + jump,
  }),
] as const
