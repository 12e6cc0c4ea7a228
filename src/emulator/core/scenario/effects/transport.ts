import { z } from 'zod'
import type { SeededRandom } from '../../account/random.js'
import { duration } from '../selector.js'
import { type Delivery, defineEffects } from './effect.js'

/** The delivery of an answer on which no step acts. */
export const completeDelivery: Delivery = { delayMs: 0, end: 'complete' }

const delaySchema = z.union([
  duration,
  z.strictObject({ from: duration, to: duration }),
  z.strictObject({ median: duration, spread: z.number().positive() }),
])

/** Delay in milliseconds: fixed, uniform over a range, or log-normal about its median. */
export const delayMs = (delay: z.output<typeof delaySchema>, random: SeededRandom): number => {
  if (typeof delay === 'number') return delay
  if ('from' in delay) return delay.from + random.fraction('delay') * (delay.to - delay.from)
  return delay.median * Math.exp(delay.spread * normal(random))
}

// The Box-Muller transform: one normal draw from two uniform ones.
const normal = (random: SeededRandom): number =>
  Math.sqrt(-2 * Math.log(1 - random.fraction('delay-radius'))) *
  Math.cos(2 * Math.PI * random.fraction('delay-angle'))

/** Effects on the connection, in the order in which they apply. */
export const transportEffects = defineEffects('transport', {
  delay: {
    schema: delaySchema,
    description: 'before the first byte: fixed, drawn evenly from a range, or from a log-normal',
    problems: (delay) => [
      typeof delay === 'object' &&
        'from' in delay &&
        delay.to < delay.from &&
        'delay.to is less than delay.from',
    ],
    apply: (delivery, delay, random) => ({ ...delivery, delayMs: delayMs(delay, random) }),
  },
  hang: {
    schema: z.literal(true),
    description: 'never answers',
    conflicts: {
      delay: 'nothing is ever sent',
      closeAfterBytes: 'nothing is ever sent',
      bytesPerSecond: 'nothing is ever sent',
      reset: 'the connection either stays or goes',
    },
    apply: (delivery) => ({ ...delivery, end: 'never' }),
  },
  reset: {
    schema: z.literal(true),
    description: 'the connection is reset instead of an answer; what the call did stays done',
    conflicts: {
      closeAfterBytes: 'nothing is sent before a reset',
      bytesPerSecond: 'nothing is sent before a reset',
    },
    apply: (delivery) => ({ ...delivery, end: 'reset' }),
  },
  closeAfterBytes: {
    schema: z.int().min(0),
    description: 'the connection ends in the middle of the body',
    apply: (delivery, bytes) => ({ ...delivery, end: 'cut', bytes }),
  },
  bytesPerSecond: {
    schema: z.int().min(1),
    description: 'the body comes at this pace',
    apply: (delivery, bytesPerSecond) => ({ ...delivery, bytesPerSecond }),
  },
})
