import { z } from 'zod'
import { ControlError } from '../../core/errors.js'
import { explain } from '../../core/journal/explain.js'
import { viewAt } from '../../core/task/timeline.js'
import { action, record } from '../action.js'
import type { ControlContext } from '../context.js'
import { validateFilters } from '../rules.js'
import { refusalRecord, shownEntry } from './requests.js'
import { scenarioResultRecord } from './scenario.js'
import { shownTask, taskRecord } from './tasks.js'

const dryRunRecord = record(
  'DryRun',
  'What a call would be answered and what it would make, had it been sent now.',
  () =>
    z.object({
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

export const dryRun = action({
  route: { method: 'POST', path: '/dry-run' },
  summary:
    'Decide a call without applying anything: no task is made, no id used up, no step of a scenario counted, no clock moved, and the journal does not list it',
  input: z.strictObject({
    operation: z
      .string()
      .meta({ 'x-type': 'OperationName' })
      .optional()
      .describe('`b-video-task.create`, in place of method and path'),
    method: z.string().optional(),
    path: z.string().startsWith('/').optional().describe('with its query'),
    params: texts.optional().describe('parameters of the path of the operation: `{"id": "cgt-1"}`'),
    query: texts.optional(),
    key: z.string().optional().describe('the API key of the call; default: that of the account; empty: none'),
    headers: texts.optional(),
    body: z.unknown().optional().describe('JSON'),
    text: z.string().optional().describe('the body as text, in place of `body`: it need not be JSON'),
    fields: texts.optional().describe('of a form, for an upload'),
    fixture: z.string().optional().describe('the name of a sample medium, the file of a form'),
  }),
  example: {
    operation: 'b-video-task.create',
    body: { model: 'videoa-2-0-260128', content: [{ type: 'text', text: 'a lighthouse' }] },
  },
  output: dryRunRecord,
  recordedAs: 'nothing',
  run: async (context, key, input) => {
    const { headers = {}, body, text, fields, fixture } = input
    const [path = '', query = ''] = split(pathOf(context, input))
    const more = new URLSearchParams(input.query).toString()
    const { entry, task, asset } = await context.dryRun({
      method: methodOf(context, input),
      path,
      query: [query, more].filter((part) => part !== '').join('&'),
      headers: { ...authorization(input.key ?? key), ...inSmallLetters(headers) },
      text: text ?? (body === undefined ? undefined : JSON.stringify(body)),
      ...(fields === undefined && fixture === undefined ? {} : { form: { fields: fields ?? {}, fixture } }),
    })
    const { at, operation, method, status, answer = null, refusedBy, ...shown } = shownEntry(entry)
    return {
      ...{ at, operation, method, path, status, answer, refusedBy },
      ...{ ignored: shown.ignored, warnings: shown.warnings },
      explanation: explain(entry, context.routes),
      scenario: shown.scenario,
      task: task === undefined ? null : shownTask(viewAt(task, Date.parse(at))),
      asset: asset === undefined ? null : { id: asset.id, jobId: asset.jobId },
    }
  },
})

interface Addressed {
  readonly operation?: string | undefined
  readonly method?: string | undefined
  readonly path?: string | undefined
  readonly params?: Readonly<Record<string, string>> | undefined
}

const operationOf = (context: ControlContext, name: string) => {
  validateFilters(context, { operation: name })
  return context.operations.find(({ id }) => id === name)
}

const methodOf = (context: ControlContext, { operation, method }: Addressed): string =>
  method?.toUpperCase() ??
  (operation === undefined ? 'GET' : operationOf(context, operation)?.route.method) ??
  'GET'

const pathOf = (context: ControlContext, { operation, path, params = {} }: Addressed): string => {
  if (path !== undefined) return path
  const named = operation === undefined ? undefined : operationOf(context, operation)
  if (named === undefined)
    throw new ControlError(
      400,
      'bad-input',
      'A dry run names the operation of the call, or its method and path.',
      'GET /_backlot/operations lists the operations.',
    )
  return named.route.path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? name))
}

const split = (path: string): [string, string] => {
  const mark = path.indexOf('?')
  return mark < 0 ? [path, ''] : [path.slice(0, mark), path.slice(mark + 1)]
}

const authorization = (key: string): Record<string, string> =>
  key === '' ? {} : { authorization: `Bearer ${key}` }

const inSmallLetters = (headers: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))
