import { z } from 'zod'
import { asList, duration } from '../selector.js'
import { type CheckedStep, defineEffects } from './effect.js'

const literalTrue = z.literal(true)

const deliveriesOnly =
  (key: string) =>
  (_: unknown, { when }: CheckedStep) => [when.callback === 'challenge' && `${key} is for deliveries`]

/** Effects on a message to a receiver. The callback queue asks for those that change its order. */
export const callbackEffects = defineEffects('callback', {
  challenge: {
    schema: z.enum(['wrong', 'missing']),
    description: 'what the verification request carries',
    breaks: 'message',
    problems: (_, { when }) => [when.callback !== 'challenge' && 'challenge is for when.callback: challenge'],
    onBody: (body, value) =>
      value === 'missing'
        ? {}
        : { challenge: [...(body as { readonly challenge: string }).challenge].reverse().join('') },
  },
  late: {
    schema: duration,
    description: 'sent so long after it is due',
    apply: (timing, late, now) => ({ ...timing, notBefore: now + late }),
  },
  copies: {
    schema: z.int().min(2).max(10),
    description: 'how many are sent in all under one delivery id, each once the one before was accepted',
    problems: deliveriesOnly('copies'),
    apply: (timing, copies) => ({ ...timing, copiesLeft: copies - 1 }),
  },
  afterNext: {
    schema: literalTrue,
    description: 'overtaken by the next one of the task',
    problems: deliveriesOnly('afterNext'),
  },
  never: {
    schema: literalTrue,
    description: 'not sent at all',
    problems: (_, { values }) =>
      Object.keys(values)
        .filter((key) => key !== 'never')
        .map((other) => `never and ${other} cannot be together: nothing is sent`),
  },
  evenIfDeleted: {
    schema: literalTrue,
    description: 'also when the task was deleted meanwhile',
    problems: (_, { values }) => [
      values.late === undefined &&
        'evenIfDeleted is for late deliveries, since a task can only be deleted before those',
    ],
  },
  brokenBody: {
    schema: literalTrue,
    description: 'only the first half of the body is sent',
    breaks: 'message',
    problems: deliveriesOnly('brokenBody'),
    onBody: (body) => {
      const text = JSON.stringify(body)
      return text.slice(0, Math.ceil(text.length / 2))
    },
  },
  beforeAnswer: {
    schema: literalTrue,
    description: 'sent before the create has answered',
    conflicts: { late: 'it comes too early or too late', afterNext: 'it comes too early or too late' },
    problems: (_, { when }) => [
      typeof when.callback === 'object' &&
        !asList(when.callback.status).some((status) => status === 'queued' || status === 'pending') &&
        'beforeAnswer is for what is sent when a task is made: the challenge, or the status queued',
    ],
  },
  atOnce: {
    schema: literalTrue,
    description: 'the copies are sent at the same time, with the first attempt, not one after the other',
    problems: (_, { values }) => [values.copies === undefined && 'atOnce is for copies'],
    apply: ({ copiesLeft: _, ...timing }) => timing,
  },
  status: {
    schema: z.string().min(1),
    description: 'the status that the body says; a query says another',
    conflicts: { brokenBody: 'a body that is broken says nothing' },
    problems: (_, { when }) => [when.callback === 'challenge' && 'status is for deliveries'],
    onBody: (body, status) => withStatus(body, status),
  },
  inBatches: {
    schema: duration.refine((ms) => ms > 0, { error: 'longer than 0s' }),
    description:
      'held back until the next full interval of the clock, such as 10m, and sent with all others then',
    conflicts: { late: 'one of them says when it is sent', beforeAnswer: 'it comes too early or too late' },
    apply: (timing, every, now) => ({ ...timing, notBefore: (Math.floor(now / every) + 1) * every }),
  },
})

const withStatus = (body: unknown, status: string): unknown => {
  if (body === null || typeof body !== 'object' || Array.isArray(body)) return body
  return Object.fromEntries(
    Object.entries(body).map(([key, value]) => {
      if (key === 'status') return [key, status]
      return [key, key === 'task' ? withStatus(value, status) : value]
    }),
  )
}
