import { z } from 'zod'
import { type AnswerContext, type OutgoingReply, replacesDecision } from './answer.js'
import { effectsOn } from './effect.js'

const effect = effectsOn<'answer', OutgoingReply, AnswerContext>('answer')

/** Fields and items that are missing in the true answer, by their paths in its JSON. */
export const without = effect({
  key: 'without',
  schema: z
    .array(z.string().regex(/^[\w-]+(\.[\w-]+|\[\d+\])*$/, { error: 'a path such as usage or data[1].url' }))
    .min(1),
  description: 'paths of fields and items that the body does not have: usage, data[1].url',
  conflicts: { cutAt: 'a body that is cut cannot be read' },
  problems: (_, { values }) => [
    replacesDecision(values) && 'without is for the true answer, and this one takes its place',
  ],
  apply: (reply, paths) => {
    if (reply.body === null || typeof reply.body !== 'object') return reply
    const body = structuredClone(reply.body)
    for (const path of paths) drop(body, path)
    return { ...reply, body, bytes: Buffer.from(JSON.stringify(body), 'utf8') }
  },
})

/** Drops what stands at a path, if there is anything; the items behind a dropped one move up. */
const drop = (body: object, path: string): void => {
  const keys = path.match(/[\w-]+/g) ?? []
  const last = keys.pop() ?? ''
  const parent = keys.reduce<unknown>(
    (inner, key) => (inner as Record<string, unknown> | undefined)?.[key],
    body,
  )
  if (Array.isArray(parent)) parent.splice(Number(last), 1)
  else if (parent !== null && typeof parent === 'object') delete (parent as Record<string, unknown>)[last]
}
