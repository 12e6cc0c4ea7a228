import { z } from 'zod'
import type { Instant } from '../../schedule/timeline.js'
import type { CallbackTiming } from './callback.js'
import { effectsOn } from './effect.js'

const effect = effectsOn<'callback', CallbackTiming, Instant>('callback')

/** A status in a delivery that a query does not confirm. */
export const callbackStatus = effect({
  key: 'status',
  schema: z.string().min(1),
  description: 'the status that the body says; a query says another',
  conflicts: { brokenBody: 'a body that is broken says nothing' },
  problems: (_, { when }) => [when.callback === 'challenge' && 'status is for deliveries'],
  onBody: (body, status) => withStatus(body, status),
})

const withStatus = (body: unknown, status: string): unknown => {
  if (body === null || typeof body !== 'object' || Array.isArray(body)) return body
  return Object.fromEntries(
    Object.entries(body).map(([key, value]) => [
      key,
      key === 'status' ? status : key === 'task' ? withStatus(value, status) : value,
    ]),
  )
}
