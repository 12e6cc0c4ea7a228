import { z } from 'zod'
import { type JsonSchema, refTo, type Schemas, toJsonSchema } from '../core/json-schema.js'
import written from './control/results.json' with { type: 'json' }

const { schemas, results } = written as unknown as { schemas: Schemas; results: Schemas }

/** The schemas that answers of the control API name: those of the published types, and that of its errors. */
export const controlSchemas: Schemas = {
  ...schemas,
  ControlProblem: toJsonSchema(
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

const bound = z.object({
  name: z.string(),
  of: z.string().describe('what is counted'),
  settings: z.array(z.string()),
  most: z.number(),
  per: z
    .enum(['account', 'emulator', 'call'])
    .describe('`account`: the size is that of the account with most'),
  size: z.number().nullable(),
  peak: z.number().nullable().describe('the largest size that was seen'),
  hits: z.number().describe('how often there was no room for one more'),
  refused: z.number().describe('in how many of these cases somebody was refused'),
  kind: z.enum(['forgets', 'waits', 'refuses']),
  atBound: z.string().describe('what happens then'),
})

/** What `GET /_backlot/health?full` says besides. */
const fullHealth = z.object({
  clock: z.object({ mode: z.enum(['live', 'paused', 'on-poll']), speed: z.number(), now: z.string() }),
  bounds: z.array(bound),
  callbacks: z.record(z.string(), z.number()).describe('since the start, by what became of them'),
  renders: z.record(z.string(), z.number()),
  troubles: z.array(z.object({ need: z.string(), says: z.string(), hint: z.string() }).catchall(z.unknown())),
  errors: z.number().describe('what failed in the emulator itself and should not have'),
  memoryBytes: z.number(),
  logFile: z.string().nullable(),
  stateFile: z.string().nullable(),
})

/** Of the actions that handles have no use for; `results.json` has the others. */
const plain: Readonly<Record<string, z.ZodType>> = {
  'health.read': z.object({
    status: z.literal('ok'),
    version: z.string(),
    uptime_ms: z.number(),
    pid: z.number(),
    instance: z.string(),
    ...fullHealth.partial().shape,
  }),
  'doctor.read': items(
    z.object({
      what: z.string(),
      isFine: z.boolean(),
      detail: z.string().describe('what was found, or why it does not work'),
      hint: z.string().optional().describe('what to do; left out where nothing is known'),
    }),
  ),
  'state.read': z
    .object({
      backlot: z.literal('state'),
      version: z.int(),
      seed: z.int(),
      accounts: z.array(z.object({ key: z.string() }).catchall(z.unknown())),
    })
    .catchall(z.unknown()),
  'state.write': z.object({
    accounts: z.int(),
    tasks: z.int(),
    missing: z.array(z.string()).describe('assets whose files were neither sent nor there already'),
  }),
  'metrics.read': z.string().describe('the text format of Prometheus, version 0.0.4'),
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
export const outputSchemaOf = (action: string): JsonSchema => {
  if (action === 'wait') return waitedFor
  const schema = plain[action]
  return schema === undefined ? (results[action] ?? {}) : toJsonSchema(schema, 'output')
}
