import { z } from 'zod'
import type { Instant } from '../../schedule/time.js'
import { asList, duration } from '../selector.js'
import { type CheckedStep, effectsOn } from './effect.js'

/** When and how often a callback is sent, where a step changes it. */
interface CallbackTiming {
  /** The earliest instant at which it is sent. Undefined: as soon as it is its turn. */
  readonly notBefore?: Instant
  /** How often it is still to be sent once it has arrived. Undefined: not again. */
  readonly copiesLeft?: number
}

const effect = effectsOn<'callback', CallbackTiming, Instant>('callback')

const literalTrue = z.literal(true)

const deliveriesOnly =
  (key: string) =>
  (_: unknown, { when }: CheckedStep) => [when.callback === 'challenge' && `${key} is for deliveries`]

/** Effects on a message to a receiver. The callback queue asks for those that change its order. */
export const callbackEffects = [
  effect({
    key: 'challenge',
    schema: z.enum(['wrong', 'missing']),
    description: 'what the verification request carries',
    problems: (_, { when }) => [when.callback !== 'challenge' && 'challenge is for when.callback: challenge'],
    onBody: (body, value) =>
      value === 'missing'
        ? {}
        : { challenge: [...(body as { readonly challenge: string }).challenge].reverse().join('') },
  }),
  effect({
    key: 'late',
    schema: duration,
    description: 'sent so long after it is due',
    apply: (timing, late, now) => ({ ...timing, notBefore: now + late }),
  }),
  effect({
    key: 'copies',
    schema: z.int().min(2).max(10),
    description: 'sent so often, under one delivery id; 2 to 10',
    problems: deliveriesOnly('copies'),
    apply: (timing, copies) => ({ ...timing, copiesLeft: copies - 1 }),
  }),
  effect({
    key: 'afterNext',
    schema: literalTrue,
    description: 'overtaken by the next one of the task',
    problems: deliveriesOnly('afterNext'),
  }),
  effect({
    key: 'never',
    schema: literalTrue,
    description: 'not sent at all',
    problems: (_, { values }) =>
      Object.keys(values)
        .filter((key) => key !== 'never')
        .map((other) => `never and ${other} cannot be together: nothing is sent`),
  }),
  effect({
    key: 'evenIfDeleted',
    schema: literalTrue,
    description: 'also when the task was deleted meanwhile',
    problems: (_, { values }) => [
      values.late === undefined &&
        'evenIfDeleted is for late deliveries, since a task can only be deleted before those',
    ],
  }),
  effect({
    key: 'brokenBody',
    schema: literalTrue,
    description: 'only the first half of the body is sent',
    problems: deliveriesOnly('brokenBody'),
    onBody: (body) => {
      const text = JSON.stringify(body)
      return text.slice(0, Math.ceil(text.length / 2))
    },
  }),
  effect({
    key: 'beforeAnswer',
    schema: literalTrue,
    description: 'sent before the create has answered',
    conflicts: { late: 'it comes too early or too late', afterNext: 'it comes too early or too late' },
    problems: (_, { when }) => [
      typeof when.callback === 'object' &&
        !asList(when.callback.status).some((status) => status === 'queued' || status === 'pending') &&
        'beforeAnswer is for what is sent when a task is made: the challenge, or the status queued',
    ],
  }),
  effect({
    key: 'atOnce',
    schema: literalTrue,
    description: 'the copies are sent at the same time, not one after the other',
    problems: (_, { values }) => [values.copies === undefined && 'atOnce is for copies'],
    apply: ({ copiesLeft: _, ...timing }) => timing,
  }),
  effect({
    key: 'status',
    schema: z.string().min(1),
    description: 'the status that the body says; a query says another',
    conflicts: { brokenBody: 'a body that is broken says nothing' },
    problems: (_, { when }) => [when.callback === 'challenge' && 'status is for deliveries'],
    onBody: (body, status) => withStatus(body, status),
  }),
  effect({
    key: 'inBatches',
    schema: duration.refine((ms) => ms > 0, { error: 'longer than 0s' }),
    description:
      'held back until the next full interval of the clock, such as 10m, and sent with all others then',
    conflicts: { late: 'one of them says when it is sent', beforeAnswer: 'it comes too early or too late' },
    apply: (timing, every, now) => ({ ...timing, notBefore: (Math.floor(now / every) + 1) * every }),
  }),
] as const

const withStatus = (body: unknown, status: string): unknown => {
  if (body === null || typeof body !== 'object' || Array.isArray(body)) return body
  return Object.fromEntries(
    Object.entries(body).map(([key, value]) => {
      if (key === 'status') return [key, status]
      return [key, key === 'task' ? withStatus(value, status) : value]
    }),
  )
}
