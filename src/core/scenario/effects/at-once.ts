import { z } from 'zod'
import type { Instant } from '../../schedule/timeline.js'
import type { CallbackTiming } from './callback.js'
import { effectsOn } from './effect.js'

const effect = effectsOn<'callback', CallbackTiming, Instant>('callback')

/** Copies of a delivery that are sent at the same time. The callback queue makes a job for each. */
export const atOnce = effect({
  key: 'atOnce',
  schema: z.literal(true),
  description: 'the copies are sent at the same time, not one after the other',
  problems: (_, { values }) => [values.copies === undefined && 'atOnce is for copies'],
  apply: ({ copiesLeft: _, ...timing }) => timing,
})
