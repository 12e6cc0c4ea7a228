import { z } from 'zod'
import type { FamilyApi, Operation } from '../../core/contract.js'
import { toJsonSchema } from '../../core/json-schema.js'
import { families } from '../../families/index.js'
import { readSampleRequests, type SampleRequest } from '../../media/fixtures.js'
import { action, itemsOf, nothing, record } from '../action.js'

const sampleRecord = record(
  'SampleRequest',
  'A valid request; `{origin}` in it stands for the address of the emulator.',
  () =>
    z.object({
      name: z.string().describe('`cheapest` is the one that costs least'),
      says: z.string(),
      body: z.unknown().describe('null: a form, or no body'),
      form: z
        .record(z.string(), z.string())
        .nullable()
        .describe('the fields of a form; that of the file has the name of a sample medium. null: no form'),
    }),
)

const schemaField = () => z.looseObject({}).nullable()

const operationRecord = record('OperationRecord', 'Something that clients can do, with what it takes.', () =>
  z.object({
    id: z.string(),
    family: z.string(),
    section: z.string().describe('the chapter of the specification'),
    title: z.string().describe('of the family'),
    summary: z.string(),
    method: z.string(),
    path: z.string().describe('`{name}` is filled in'),
    needsKey: z.boolean(),
    fileField: z.string().nullable().describe('the field of the form that holds the file; null: JSON'),
    body: schemaField().describe('JSON Schema of the body; null: no body, or a form'),
    query: schemaField().describe('JSON Schema of the query; null: no query'),
    samples: z.array(sampleRecord()).describe('valid requests, the cheapest first'),
  }),
)

export const listOperations = action({
  route: { method: 'GET', path: '/operations' },
  summary: 'Everything that clients can do, with its schema and valid requests',
  input: nothing,
  output: () => itemsOf(operationRecord()),
  run: async ({ operations }) => ({ items: await Promise.all(operations.map(shownOperation)) }),
})

const shownOperation = async ({ id, family: of, section, route, needsKey, form }: Operation) => {
  const family = families.find((one) => one.id === of)
  const { summary = id, body, query } = family?.api?.operations[id.slice(of.length + 1)] ?? {}
  const samples = (await readSampleRequests(of)).filter(({ operation }) => operation === id)
  return {
    ...{ id, family: of, section, title: family?.title ?? of, summary },
    ...{ method: route.method, path: route.path, needsKey },
    fileField: form?.fileField ?? null,
    body: schemaOf(family?.api, body),
    query: schemaOf(family?.api, query),
    samples: samples.sort(cheapestFirst).map(({ name, says, body = null, form = null }) => ({
      ...{ name, says, body, form },
    })),
  }
}

const schemaOf = (api: FamilyApi | undefined, name: string | undefined) => {
  const schema = name === undefined ? undefined : api?.requests[name]
  return schema === undefined ? null : { ...toJsonSchema(schema, 'input') }
}

const cheapestFirst = (one: SampleRequest, other: SampleRequest): number =>
  Number(other.name === CHEAPEST) - Number(one.name === CHEAPEST)

const CHEAPEST = 'cheapest'
