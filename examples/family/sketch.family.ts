import {
  type DecisionContext,
  defineFamily,
  type FamilyApi,
  HOUR,
  mustBe,
  paceOf,
  plainTimeline,
  type Rule,
  SECOND,
  type TaskView,
  tasksInFlightAreFew,
  timestampedId,
  visibleWhileRecent,
  z,
} from 'backlot/family'

/** What a request looks like. */
const schema = z.object({
  model: z.enum(['delta-sketch-1', 'delta-sketch-2']),
  prompt: z.string({ error: 'a text' }),
  size: z.enum(['small', 'large']).default('small'),
  palette: z.array(z.string()).max(8).default([]),
})
type Input = z.output<typeof schema>

/** Everything that the request left open, resolved. It is stored with the task. */
const params = (input: Input, context: DecisionContext) => ({
  ...input,
  seed: context.random.integer('seed', 0, 99_999),
})
type Params = ReturnType<typeof params>

/** Every refusal, and every failure of a task. */
const errors = {
  bad_request: { status: 400, message: 'The request is not valid' },
  bad_key: { status: 401, message: 'The API key is missing or invalid' },
  not_found: { status: 404, message: 'There is no such sketch' },
  too_large: { status: 413, message: 'The request body is too large' },
  too_many: { status: 429, message: 'There are too many requests' },
  broken: { status: 500, message: 'The service broke' },
}
type SketchError = keyof typeof errors

/** What a schema cannot say. */
const promptIsShort: Rule<Input, SketchError> = {
  id: 'prompt-length',
  says: '`prompt` has at most 80 characters.',
  place: 'https://example.com/sketches#prompt',
  check: ({ prompt }) =>
    prompt.length <= 80 ? undefined : mustBe('prompt', 'at most 80 characters long', prompt.length),
}

const settings = z.strictObject({ secondsToDraw: z.number().min(0).default(5) })

/** Queued for a second, and drawn for as long as the setting says. */
const timeline = (order: Params, context: DecisionContext, id: string) => {
  const own = settings.parse(context.settings.familySettings['acme-sketch'] ?? {})
  const workload = { queuedMs: SECOND, runningMs: own.secondsToDraw * SECOND }
  const pace = paceOf(context.settings.timing, workload, context.random)
  const { prompt, model, size, seed } = order
  const side = size === 'small' ? 256 : 1024
  const card = { prompt, model, size, seed, id }
  const picture = {
    kind: 'picture' as const,
    width: side,
    height: side,
    seed,
    card,
    hasWatermark: false,
    inputs: [],
  }
  return plainTimeline<never>(context.now, pace, [picture])
}

const created = ({ task }: TaskView) => ({ id: task.id })

const read = ({ task, phase, since }: TaskView, context: DecisionContext) => ({
  id: task.id,
  status: phase.state,
  ...(phase.state === 'succeeded' ? { url: context.resultUrl(task, 0, since + HOUR) } : {}),
  ...(phase.state === 'failed' ? { error: { code: phase.error, message: 'The sketch was not drawn.' } } : {}),
})

const api = {
  requests: { AcmeSketchRequest: schema.describe('A request for a sketch.') },
  responses: {
    AcmeSketchCreated: z.object({ id: z.string() }).describe('What a create answers.'),
    AcmeSketch: z
      .object({
        id: z.string(),
        status: z.enum(['queued', 'running', 'succeeded', 'failed', 'cancelled']),
        url: z.string().optional().describe('only once succeeded'),
        error: z.object({ code: z.string(), message: z.string() }).optional().describe('only once failed'),
      })
      .describe('A sketch, as a query answers it.'),
    AcmeSketchProblem: z.object({ error: z.string(), message: z.string() }).describe('A refusal.'),
  },
  error: 'AcmeSketchProblem',
  operations: {
    create: { summary: 'Make a sketch', body: 'AcmeSketchRequest', response: 'AcmeSketchCreated' },
    read: { summary: 'Query a sketch', response: 'AcmeSketch' },
  },
} satisfies FamilyApi

/** Sketches: `POST /acme/v1/sketches` and `GET /acme/v1/sketches/{id}`. */
const sketch = defineFamily({
  id: 'acme-sketch',
  section: 'Acme',
  title: 'Sketches',
  page: 'https://example.com/sketches',
  gaps: [{ id: 'ACME1', grade: 'assumed', place: 'Lifetime of a URL', answer: 'one hour' }],
  reliesOn: { read: ['ACME1'] },
  api,
  settings,
  models: ['delta-sketch-1', 'delta-sketch-2'],
  samples: [
    {
      name: 'cheapest',
      operation: 'acme-sketch.create',
      says: 'A small sketch of a lighthouse',
      body: { model: 'delta-sketch-1', prompt: 'a lighthouse' },
    },
    {
      name: 'second-model',
      operation: 'acme-sketch.create',
      says: 'A large sketch by the second model',
      body: { model: 'delta-sketch-2', prompt: 'a lighthouse', size: 'large', palette: ['ink', 'chalk'] },
    },
  ],
  routes: {
    create: { method: 'POST', path: '/acme/v1/sketches' },
    read: { method: 'GET', path: '/acme/v1/sketches/{id}' },
  },
  maxBodyBytes: () => 2 * 1024 * 1024,
  schema,
  rules: [promptIsShort, tasksInFlightAreFew('too_many')],
  errors,
  wellKnownErrors: {
    unauthenticated: 'bad_key',
    unreadable: 'bad_request',
    unsupported: 'bad_request',
    'too-large': 'too_large',
    'rate-limited': 'too_many',
    internal: 'broken',
    missing: 'bad_request',
    invalid: 'bad_request',
    'unknown-model': 'bad_request',
  },
  params,
  newId: (context) => timestampedId('sketch', context),
  timeline,
  visibleUntil: visibleWhileRecent,
  notFound: (id) => ({ error: 'not_found', field: 'id', found: id, message: `There is no sketch ${id}` }),
  resultTtlMs: HOUR,
  respond: {
    created,
    read,
    error: ({ error, message }, _requestId, row) => ({ error, message: `${message ?? row.message}.` }),
  },
})

export default sketch

declare global {
  interface BacklotFamilies {
    'acme-sketch': typeof sketch
  }
}
