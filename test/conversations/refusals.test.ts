import { expect, test } from 'vitest'
import { bodies, openInProcess, paths } from '../emulator.js'

const { as } = openInProcess()

const text = (words = 'a lighthouse') => ({ type: 'text', text: words })
const refusedWord = '[[moderation]]'
const character = { type: 'character', image: ['asset://asset-20260101000000-abcde'] }

const image = (words: string, change: object = {}) => ({
  ...bodies.image(),
  input: { messages: [{ role: 'user', content: [{ text: words }] }] },
  ...change,
})
const video = (change: object = {}) => ({ model: 'videoa-2-0-260128', media: [text()], ...change })
const reference = (change: object = {}) => ({
  model: 'beta2.7-r2v',
  subject_reference: [character],
  ...change,
})
const second = (change: object = {}) => ({ model: 'gamma-H3', content: [text()], duration: 5, ...change })

const VIDEOS = '/v1/videos'
const SECOND = '/provC/v2/video_generation'

const codeIn = ({ code, error }: { code?: string; error?: { code?: string; type?: string } }) =>
  code ?? error?.code ?? error?.type

test.each<[string, string, string, object, number, string]>([
  ['A: a wrong size', 'k', paths.image, bodies.image({ size: '1024x1024' }), 400, 'InvalidParameter'],
  ['A: an unknown model', 'k', paths.image, image('x', { model: 'beta' }), 400, 'InvalidParameter'],
  ['A: a refused word', 'k', paths.image, image(refusedWord), 400, 'DataInspectionFailed'],
  ['A: an invalid key', 'invalid', paths.image, bodies.image(), 401, 'InvalidApiKey'],
  ['A: no images left', 'no-balance', paths.image, bodies.image(), 429, 'Throttling.AllocationQuota'],
  ['A: too often', 'rate-limited', paths.image, bodies.image(), 429, 'Throttling.RateQuota'],
  ['B: no content', 'k', paths.tasks, bodies.task({ content: undefined }), 400, 'MissingParameter'],
  ['B: 20 seconds', 'k', paths.tasks, bodies.task({ duration: 20 }), 400, 'InvalidParameter'],
  [
    'B: a refused word',
    'k',
    paths.tasks,
    bodies.task({ content: [text(refusedWord)] }),
    400,
    'InputTextSensitiveContentDetected',
  ],
  ['B: an invalid key', 'invalid', paths.tasks, bodies.task(), 401, 'AuthenticationError'],
  ['B: no balance', 'no-balance', paths.tasks, bodies.task(), 403, 'AccountOverdueError'],
  [
    'B: no agreement',
    'no-agreement',
    paths.tasks,
    bodies.task(),
    403,
    'OperationDenied.AgreementNotAccepted',
  ],
  [
    'B: an unknown model',
    'k',
    paths.tasks,
    bodies.task({ model: 'beta' }),
    404,
    'InvalidEndpointOrModel.NotFound',
  ],
  ['B: too often', 'rate-limited', paths.tasks, bodies.task(), 429, 'RateLimitExceeded.EndpointRPMExceeded'],
  ['C: 20 seconds', 'k', VIDEOS, video({ seconds: '20' }), 400, 'invalid_request'],
  ['C: an unknown model', 'k', VIDEOS, video({ model: 'beta' }), 400, 'unsupported_model'],
  ['C: a refused word', 'k', VIDEOS, video({ media: [text(refusedWord)] }), 400, 'content_policy_violation'],
  ['C: an invalid key', 'invalid', VIDEOS, video(), 401, 'invalid_api_key'],
  ['C: no balance', 'no-balance', VIDEOS, video(), 403, 'insufficient_user_quota'],
  ['C: no agreement', 'no-agreement', VIDEOS, video(), 403, 'access_denied'],
  ['C: too often', 'rate-limited', VIDEOS, video(), 429, 'rate_limit_exceeded'],
  ['E: an asset that there is not', 'k', VIDEOS, reference(), 400, 'invalid_request'],
  ['E: an image beside the subjects', 'k', VIDEOS, reference({ images: [] }), 400, 'invalid_request'],
  ['E: an invalid key', 'invalid', VIDEOS, reference(), 401, 'invalid_api_key'],
  ['E: no agreement', 'no-agreement', VIDEOS, reference(), 403, 'access_denied'],
  ['E: too often', 'rate-limited', VIDEOS, reference(), 429, 'rate_limit_exceeded'],
  ['F: no text', 'k', SECOND, second({ content: [] }), 400, 'bad_request_error'],
  ['F: an unknown model', 'k', SECOND, second({ model: 'beta' }), 400, 'bad_request_error'],
  ['F: an invalid key', 'invalid', SECOND, second(), 401, 'authorized_error'],
  ['F: no balance', 'no-balance', SECOND, second(), 402, 'insufficient_balance_error'],
  [
    'F: a refused word',
    'k',
    SECOND,
    second({ content: [text(refusedWord)] }),
    422,
    'unprocessable_entity_error',
  ],
  ['F: too often', 'rate-limited', SECOND, second(), 429, 'rate_limit_error'],
])(
  '%s is refused by its code, in words, and under the id of the call',
  async (_, key, path, body, status, code) => {
    const reply = await as(key).post(path, body)
    expect(reply.status).toBe(status)
    expect(codeIn(reply.body)).toBe(code)
    expect(reply.body.message ?? reply.body.error.message).toEqual(expect.any(String))
    expect(reply.headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/)
    expect(reply.headers['retry-after']).toBe(key === 'rate-limited' ? '60' : undefined)
  },
)

test('F does not ask for the agreement', async () =>
  expect((await as('no-agreement').post(SECOND, second())).status).toBe(200))

test.each([
  ['A', paths.image, bodies.image({ seed: -1 }), 'parameters.seed'],
  ['B', paths.tasks, bodies.task({ seed: -2 }), 'seed'],
  ['C', VIDEOS, video({ seed: -2 }), 'seed'],
  ['E', VIDEOS, reference({ seed: -1 }), 'seed'],
  ['F', SECOND, second({ ratio: '2:1' }), 'ratio'],
])('%s names the field, what may stand there and what was found', async (_, path, body, field) => {
  const reply = await as('k').post(path, body)
  const message: string = reply.body.message ?? reply.body.error.message
  expect(message).toMatch(new RegExp(`\\b${field} must be (an integer from|one of) .+, found `))
})

// As typed clients write a request of which only the required fields were given.
test.each([
  [
    'A, of a Python client',
    paths.image,
    '{"model": "alpha-image-3.0-pro", "input": {"messages": [{"role": "user", "content": [{"image": null, "text": "a pier"}]}]}, "parameters": {"n": null, "size": "512*512", "negative_prompt": null, "prompt_extend": null, "prompt_extend_mode": null, "seed": null, "watermark": null}}',
    'parameters.seed',
  ],
  [
    'B, of a Python client',
    paths.tasks,
    '{"model": "videoa-2-0-260128", "content": [{"type": "text", "text": "a pier"}], "callback_url": null, "return_last_frame": null, "service_tier": null, "execution_expires_after": null, "generate_audio": null, "draft": null, "camera_fixed": null, "watermark": null, "seed": null, "resolution": null, "ratio": null, "duration": null, "safety_identifier": null, "priority": null}',
    'execution_expires_after',
  ],
  [
    'C, of a Go struct without omitempty',
    VIDEOS,
    '{"model":"videoa-2-0-260128","media":[{"type":"text","text":"a pier","url":null,"asset_id":null}],"seconds":null,"size":null,"ratio":null,"seed":null,"watermark":null,"generate_audio":null,"return_last_frame":null,"safety_identifier":null}',
    'media[0].asset_id',
  ],
  [
    'E, of a Go struct without omitempty',
    VIDEOS,
    '{"model":"beta2.7-r2v","subject_reference":[{"type":"character","image":["https://media.example.test/a.png"]}],"image":null,"images":null,"prompt":"a pier","seconds":null,"size":null,"prompt_extend":null,"watermark":null,"seed":null}',
    'images',
  ],
  [
    'F, of JSON.stringify',
    SECOND,
    '{"model":"gamma-H3","content":[{"type":"text","text":"a pier","role":null}],"resolution":null,"duration":null,"ratio":null,"callback_url":null}',
    'content[0].role',
  ],
])('null counts as not sent: %s', async (_, path, body, field) => {
  const reply = await as('k').post(path, JSON.parse(body))
  expect([reply.status, reply.text]).toEqual([200, expect.any(String)])
  const { warnings } = (await as('k').get(`/_backlot/requests/${reply.headers['x-request-id']}`)).body
  expect(warnings.join()).toContain('null counts as not sent (gap X13): ')
  expect(warnings.join()).toContain(field)
})

test.each([
  ['B', paths.tasks, bodies.task({ content: ['text'] }), 'content[0]'],
  ['C', VIDEOS, video({ media: ['text'] }), 'media[0]'],
  ['E', VIDEOS, reference({ subject_reference: ['text'] }), 'subject_reference[0]'],
  ['F', SECOND, second({ content: ['text'] }), 'content[0]'],
])('%s says of an item that is a text that it must be an object', async (_, path, body, field) => {
  const reply = await as('k').post(path, body)
  const message: string = reply.body.message ?? reply.body.error.message
  expect(message).toContain(`${field} must be an object, found "text"`)
})

const strict = openInProcess({ strict: true }).as
const model = { model: 'beta' }
const colour = { colour: 'red' }

/** Mistakes of one call in the order in which they are answered: the code and, where others share it, a word of the answer. */
test.each<[string, string, (words: string, fields: object) => object, Record<string, object>, string[][]]>([
  [
    'A',
    paths.image,
    (words, { model, ...parameters }: { model?: string }) =>
      image(words, { ...(model && { model }), parameters }),
    { model, schema: { n: 7 }, strict: colour, rule: { size: '100*100' } },
    [
      ['rate', 'Throttling.RateQuota'],
      ['body', 'InvalidParameter', 'JSON'],
      ['model', 'InvalidParameter', 'Model'],
      ['schema', 'InvalidParameter', 'parameters.n'],
      ['strict', 'InvalidParameter', 'colour'],
      ['rule', 'InvalidParameter', 'parameters.size'],
      ['moderation', 'DataInspectionFailed'],
      ['money', 'Throttling.AllocationQuota'],
    ],
  ],
  [
    'B',
    paths.tasks,
    (words, fields) => bodies.task({ content: [text(words)], ...fields }),
    { model, schema: { seed: 'x' }, strict: colour, rule: { resolution: '1080p' } },
    [
      ['rate', 'RateLimitExceeded.EndpointRPMExceeded'],
      ['body', 'InvalidParameter', 'JSON'],
      ['model', 'InvalidEndpointOrModel.NotFound'],
      ['schema', 'InvalidParameter', 'seed'],
      ['strict', 'InvalidParameter', 'colour'],
      ['agreement', 'OperationDenied.AgreementNotAccepted'],
      ['rule', 'InvalidParameter', 'resolution'],
      ['moderation', 'InputTextSensitiveContentDetected'],
      ['money', 'AccountOverdueError'],
      ['inFlight', 'SetLimitExceeded'],
    ],
  ],
  [
    'C',
    VIDEOS,
    (words, fields) => video({ media: [text(words)], ...fields }),
    { model, schema: { seed: 'x' }, strict: colour, rule: { size: '1080p' } },
    [
      ['rate', 'rate_limit_exceeded', 'later'],
      ['body', 'invalid_request', 'JSON'],
      ['model', 'unsupported_model'],
      ['schema', 'invalid_request', 'seed'],
      ['strict', 'invalid_request', 'colour'],
      ['agreement', 'access_denied'],
      ['rule', 'invalid_request', 'size'],
      ['moderation', 'content_policy_violation'],
      ['money', 'insufficient_user_quota'],
      ['inFlight', 'rate_limit_exceeded', 'in flight'],
    ],
  ],
  [
    'F',
    SECOND,
    (words, fields) => second({ content: [text(words)], ...fields }),
    { model, schema: { duration: 3 }, strict: colour, rule: { resolution: '480P' } },
    [
      ['rate', 'rate_limit_error'],
      ['body', 'bad_request_error', 'JSON'],
      ['model', 'bad_request_error', 'model'],
      ['schema', 'bad_request_error', 'duration'],
      ['strict', 'bad_request_error', 'colour'],
      ['rule', 'bad_request_error', 'resolution'],
      ['moderation', 'unprocessable_entity_error'],
      ['money', 'insufficient_balance_error'],
      ['inFlight', 'rate_limit_error', 'in flight'],
    ],
  ],
])(
  '%s answers the first check that fails, in the order of the gaps (N23)',
  async (family, path, make, fields, checks) => {
    const account = strict(`order-${family}`)
    const change = (to: object = {}) => account.patch('/_backlot/account', to)
    const changes: Readonly<Record<string, object>> = {
      rate: { limits: { requestsPerMinute: null } },
      agreement: { agreementAccepted: true },
      money: { balance: 1, limits: { imageQuota: null } },
      inFlight: { limits: { tasksInFlight: null } },
    }
    await change({
      balance: 0,
      agreementAccepted: false,
      limits: { requestsPerMinute: 0, tasksInFlight: 0, imageQuota: 0 },
    })
    const mended = new Set<string>()
    const send = () => {
      const left = Object.entries(fields).flatMap(([check, field]) => (mended.has(check) ? [] : [field]))
      const body = make(mended.has('moderation') ? 'x' : refusedWord, Object.assign({}, ...left))
      return account.post(path, mended.has('body') ? body : '{')
    }
    for (const [check = '', code, word = ''] of checks) {
      const { body } = await send()
      const message: string = body.message ?? body.error.message
      expect([check, codeIn(body), message]).toEqual([check, code, expect.stringContaining(word)])
      mended.add(check)
      await change(changes[check])
    }
    expect((await send()).status).toBe(200)
    const { items } = (await account.get('/_backlot/gaps')).body
    expect(items).toContainEqual(expect.objectContaining({ id: 'N23', grade: 'assumed' }))
  },
)
