import type { Instant } from '../../schedule/timeline.js'
import { duration } from '../selector.js'
import type { CallbackTiming } from './callback.js'
import { effectsOn } from './effect.js'

const effect = effectsOn<'callback', CallbackTiming, Instant>('callback')

/** Deliveries that are held back and sent together, at every full interval of the account's clock. */
export const inBatches = effect({
  key: 'inBatches',
  schema: duration.refine((ms) => ms > 0, { error: 'longer than 0s' }),
  description:
    'held back until the next full interval of the clock, such as 10m, and sent with all others then',
  conflicts: { late: 'one of them says when it is sent', beforeAnswer: 'it comes too early or too late' },
  apply: (timing, every, now) => ({ ...timing, notBefore: (Math.floor(now / every) + 1) * every }),
})
