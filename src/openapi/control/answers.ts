import { z } from 'zod'
import { type JsonSchema, plainSchema, refTo, type Schemas } from '../json-schema.js'
import written from './results.json' with { type: 'json' }

const { schemas, results } = written as unknown as { schemas: Schemas; results: Schemas }

/** The schemas that answers of the control API name: those of the published types, and that of its errors. */
export const controlSchemas: Schemas = {
  ...schemas,
  ControlProblem: plainSchema(
    z
      .object({
        error: z.object({
          code: z.string().describe('stays the same from version to version'),
          message: z.string(),
          hint: z.string().describe('what to do; may be empty'),
          found: z.unknown().optional().describe('what there is, for whoever waited for something else'),
        }),
      })
      .describe('Why the control API could not do it.'),
    'output',
  ),
}

const items = <T extends z.ZodType>(item: T) => z.object({ items: z.array(item) })

/** Of the actions that handles have no use for; `results.json` has the others. */
const plain: Readonly<Record<string, z.ZodType>> = {
  'health.read': z.object({ status: z.literal('ok'), version: z.string(), uptime_ms: z.number() }),
  'openapi.read': z.object({ openapi: z.string() }).catchall(z.unknown()),
  'gaps.list': items(
    z.object({
      id: z.string().describe('`X1`, `A3`'),
      place: z.string(),
      grade: z.enum(['spec', 'seen', 'assumed']).describe('how sure the answer is'),
      answer: z.string(),
      settings: z
        .record(z.string(), z.unknown())
        .describe('the settings that change it, as they stand; null where nothing is set'),
    }),
  ),
  'rules.list': items(
    z.object({
      id: z.string(),
      family: z.string(),
      sentence: z.string(),
      place: z.string().describe('where the specification says so'),
    }),
  ),
  'fixtures.list': items(
    z.object({
      name: z.string(),
      kind: z.enum(['image', 'video', 'audio', 'unreadable']),
      facts: z.object({ kind: z.string() }).catchall(z.unknown()),
      note: z.string(),
      breaks: z.string().optional().describe('the limit that it breaks; left out where it breaks none'),
    }),
  ),
}

const found = (item: string): JsonSchema => ({
  type: 'object',
  properties: { items: { type: 'array', items: refTo(item) }, total: { type: 'integer' } },
  required: ['items', 'total'],
})

const waitedFor: JsonSchema = {
  anyOf: [
    refTo('TaskRecord'),
    ...['RequestRecord', 'CallbackRecord', 'InboxMessage'].map(found),
    {
      type: 'object',
      properties: { next: { type: ['string', 'null'] }, callbacks: { type: 'integer' } },
      required: ['next', 'callbacks'],
    },
  ],
}

/** What an action answers. */
export const answerOf = (action: string): JsonSchema => {
  if (action === 'wait') return waitedFor
  const schema = plain[action]
  return schema === undefined ? (results[action] ?? {}) : plainSchema(schema, 'output')
}
