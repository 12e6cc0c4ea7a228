import { z } from 'zod'
import type { FamilyApi, FamilyDescription, Operation, OperationDescription } from '../../core/contract.js'
import { ControlError } from '../../core/errors.js'
import { explain } from '../../core/journal/explain.js'
import { toJsonSchema } from '../../core/json-schema.js'
import { fillPath } from '../../core/model/path.js'
import { viewAt } from '../../core/model/task.js'
import type { Registry } from '../../families/registry.js'
import { samplesOf } from '../../media/fixtures.js'
import { action, itemsOf, namedObject, noInput, typedText } from '../action.js'
import { validateFilters } from '../rules.js'
import { refusalRecord, requestRecordOf } from './requests.js'
import { scenarioResultRecord } from './scenarios.js'
import { taskRecord, taskRecordOf } from './tasks.js'

const sampleRecord = namedObject(
  'SampleRequest',
  'A valid request; `{origin}` in it stands for the address of the emulator.',
  () => ({
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

const operationRecord = namedObject(
  'OperationRecord',
  'Something that clients can do, with what it takes.',
  () => ({
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
    samples: z
      .array(sampleRecord())
      .describe('valid requests of an operation that makes something, the cheapest first'),
  }),
)

const dryRunRecord = namedObject(
  'DryRun',
  'What a call would be answered and what it would make, had it been sent now.',
  () => ({
    at: z.string().describe('the time of the call; later than now where the call would move the clock'),
    operation: z.string().nullable().describe('null: no operation has such a route'),
    method: z.string(),
    path: z.string(),
    status: z.number(),
    answer: z.unknown().describe('null: the file of a result'),
    refusedBy: z.array(refusalRecord()),
    ignored: z.array(z.string()).describe('fields that the interface does not know'),
    warnings: z.array(z.string()),
    explanation: z.array(z.string()).describe('in sentences'),
    scenario: scenarioResultRecord()
      .nullable()
      .describe('the scenario steps that would act, or could; null: no step is for it'),
    task: taskRecord()
      .nullable()
      .describe('the task that would be made, with its params, timeline and price'),
    asset: z
      .object({ id: z.string(), jobId: z.string() })
      .nullable()
      .describe('the asset that would be made'),
  }),
)

const texts = z.record(z.string(), z.string())

const dryRunInput = z.strictObject({
  operation: typedText('OperationName')
    .optional()
    .describe('`b-video-task.create`, in place of method and path'),
  method: z.string().optional(),
  path: z.string().regex(/^\//, { error: 'a path that begins with /' }).optional().describe('with its query'),
  params: texts.optional().describe('parameters of the path of the operation: `{"id": "cgt-1"}`'),
  query: texts.optional(),
  key: z.string().optional().describe('the API key of the call; default: that of the account; empty: none'),
  headers: texts.optional(),
  body: z.unknown().optional().describe('JSON'),
  text: z.string().optional().describe('the body as text, in place of `body`: it need not be JSON'),
  fields: texts.optional().describe('of a form, for an upload'),
  fixture: z.string().optional().describe('the name of a sample medium, the file of a form'),
  file: z
    .strictObject({
      name: z.string(),
      // JSON Schema has a content encoding for it, and no format.
      base64: z.base64({ error: 'the bytes of the file as Base64' }).meta({ format: undefined }),
    })
    .optional()
    .describe('the file of a form, in place of `fixture`'),
})

export const operationActions = {
  'operations.list': action({
    route: { method: 'GET', path: '/operations' },
    summary: 'Everything that clients can do, with its schema and valid requests',
    input: noInput,
    output: () => itemsOf(operationRecord()),
    run: async ({ registry }) => ({
      items: await Promise.all(
        registry.operations.map((operation) => operationRecordOf(registry, operation)),
      ),
    }),
  }),
  'dry-run': action({
    route: { method: 'POST', path: '/dry-run' },
    summary:
      'Decide a call without applying anything: no task is made, no id used up, no step of a scenario counted, no clock moved, and the journal does not list it',
    input: dryRunInput,
    example: {
      operation: 'b-video-task.create',
      body: { model: 'videoa-2-0-260128', content: [{ type: 'text', text: 'a lighthouse' }] },
    },
    output: dryRunRecord,
    recordedAs: 'nothing',
    run: async (context, key, input) => {
      const { headers = {}, body, text, fields, fixture, file } = input
      const isUnknown = fixture && !(await context.fixtures.list()).some(({ name }) => name === fixture)
      if (isUnknown)
        throw new ControlError(400, 'no-such-fixture', {
          message: `There is no fixture ${JSON.stringify(fixture)}.`,
          hint: 'GET /_backlot/fixtures lists them.',
        })
      const { registry } = context
      const { method, url } = targetOf(registry, input)
      const [path = '', ...queryOfUrl] = url.split('?')
      const queries = [queryOfUrl.join('?'), new URLSearchParams(input.query).toString()]
      const { entry, task, asset } = await context.dryRun({
        method,
        path,
        query: queries.filter((query) => query !== '').join('&'),
        headers: { ...authorization(input.key ?? key), ...inSmallLetters(headers) },
        text: text ?? (body === undefined ? undefined : JSON.stringify(body)),
        ...((fields ?? fixture ?? file) === undefined
          ? {}
          : { form: { fields: fields ?? {}, fixture, file } }),
      })
      const { at, operation, profile, ...record } = requestRecordOf(entry)
      const { status, answer = null } = profile ?? record
      return {
        at,
        operation,
        method: record.method,
        path,
        status,
        answer,
        refusedBy: record.refusedBy,
        ignored: record.ignored,
        warnings: record.warnings,
        explanation: explain(entry, registry.operations),
        scenario: record.scenario,
        task: task === undefined ? null : taskRecordOf(viewAt(task, Date.parse(at))),
        asset: asset === undefined ? null : { id: asset.id, jobId: asset.jobId },
      }
    },
  }),
}

const operationRecordOf = async (
  registry: Registry,
  { id, family: familyId, section, route, needsKey, form }: Operation,
) => {
  const family = registry.family(familyId) as FamilyDescription
  const { title, api } = family
  const { summary, body, query } = api.operations[id.slice(familyId.length + 1)] as OperationDescription
  const samples = (await samplesOf(family)).filter(({ operation }) => operation === id)
  return {
    id,
    family: familyId,
    section,
    title,
    summary,
    method: route.method,
    path: route.path,
    needsKey,
    fileField: form?.fileField ?? null,
    body: schemaOf(api, body),
    query: schemaOf(api, query),
    samples: samples
      .sort((a, b) => Number(b.name === CHEAPEST) - Number(a.name === CHEAPEST))
      .map(({ name, says, body = null, form = null }) => ({ name, says, body, form })),
  }
}

const schemaOf = ({ requests }: FamilyApi, name: string | undefined) => {
  const schema = requests[name ?? '']
  return schema === undefined ? null : { ...toJsonSchema(schema, 'input') }
}

const CHEAPEST = 'cheapest'

/** Method and URL of a call: as they are given, else those of the operation that it names. */
const targetOf = (
  registry: Registry,
  { operation, method, path, params = {} }: z.output<typeof dryRunInput>,
) => {
  if (method === undefined || path === undefined) validateFilters(registry, { operation })
  const route = registry.operations.find(({ id }) => id === operation)?.route
  const url = path ?? (route && fillPath(route.path, params))
  if (url === undefined)
    throw new ControlError(400, 'bad-input', {
      message: 'A dry run names the operation of the call, or its method and path.',
      hint: 'GET /_backlot/operations lists the operations. For results.download, path is that of the result URL.',
    })
  return { method: (method ?? route?.method ?? 'GET').toUpperCase(), url }
}

const authorization = (key: string): Record<string, string> =>
  key === '' ? {} : { authorization: `Bearer ${key}` }

const inSmallLetters = (headers: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))
