import { z } from 'zod'
import { changeFields, retypeFields, valueTypes } from '../../fields.js'
import { fieldSchema, replacesDecision, withFields } from './answer.js'
import { type CheckedStep, defineEffects, type Values } from './effect.js'

const byPath = <T extends z.ZodType>(value: T) =>
  z.record(fieldSchema, value).refine((paths) => Object.keys(paths).length > 0, {
    error: 'an object with at least one path',
  })

const move = {
  schema: byPath(fieldSchema),
  description: 'fields that stand elsewhere: { id: data.id }',
}
const wrap = {
  schema: z.string().regex(/^[\w$-]+$/, { error: 'the name of a field, without a path' }),
  description: 'the field under which the whole body stands',
}
const set = {
  schema: byPath(z.unknown()),
  description: 'fields with another value, by their paths in the body as it goes out: { code: 0 }',
}
const retype = {
  schema: byPath(z.enum(valueTypes)),
  description: 'values of another type, by their paths in the body as it goes out: { usage.total: decimal }',
}

const NO_JSON = 'a body that is cut cannot be read'

/** What an effect on a field of an answer cannot stand beside: a body that the step writes itself. */
const ofAnswer = (key: string) => ({
  changesFields: true as const,
  conflicts: { cutAt: NO_JSON },
  problems: (_: unknown, { values: { error: _error, ...values } }: { readonly values: Values }) => [
    replacesDecision(values) &&
      `${key} is for the true answer or an error, and this answer has a body of its own`,
  ],
})

const ofMessage = (key: string) => ({
  breaks: 'message' as const,
  conflicts: { brokenBody: NO_JSON },
  problems: (_: unknown, { when }: CheckedStep) => [
    when.callback === 'challenge' && `${key} is for deliveries`,
  ],
})

/** Effects on fields of the true answer, or of an error, in the order in which they apply. */
export const answerFields = defineEffects('answer', {
  move: { ...move, ...ofAnswer('move'), apply: (reply, paths) => withFields(reply, { move: paths }) },
  wrap: { ...wrap, ...ofAnswer('wrap'), apply: (reply, name) => withFields(reply, { wrap: name }) },
  set: { ...set, ...ofAnswer('set'), apply: (reply, values) => withFields(reply, { set: values }) },
  retype: {
    ...retype,
    ...ofAnswer('retype'),
    apply: (reply, types) => {
      if (reply.body === null || typeof reply.body !== 'object') return reply
      const { body, text } = retypeFields(reply.body, types)
      return { ...reply, body, bytes: Buffer.from(text, 'utf8') }
    },
  },
})

/** The same of a message to a receiver. */
export const callbackFields = defineEffects('callback', {
  move: { ...move, ...ofMessage('move'), onBody: (body, paths) => changeFields(body, { move: paths }) },
  wrap: { ...wrap, ...ofMessage('wrap'), onBody: (body, name) => changeFields(body, { wrap: name }) },
  set: { ...set, ...ofMessage('set'), onBody: (body, values) => changeFields(body, { set: values }) },
  retype: {
    ...retype,
    ...ofMessage('retype'),
    onBody: (body, types) => {
      const retyped = retypeFields(body, types)
      // A decimal can only be sent as a text.
      return retyped.text === JSON.stringify(retyped.body) ? retyped.body : retyped.text
    },
  },
})
