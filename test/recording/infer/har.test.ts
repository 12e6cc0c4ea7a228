import { expect, test } from 'vitest'
import { sessionInHar } from '../../../src/recording/infer/har.js'
import { type HarEntry, harSchema } from '../../../src/traffic/har.js'
import { type HarCall, har } from '../../cli/har.js'

const API = 'https://gateway.example.test/team/provB/api/v3/contents/generations/tasks'
const seen = (calls: readonly HarCall[]) => sessionInHar(harSchema.parse(JSON.parse(har(calls))))

const create = (answer: unknown = { id: 'cgt-1' }, status = 200): HarCall => ({
  ...{ method: 'POST', url: API, body: { model: 'videoa-2-0-260128', content: [] } },
  ...{ status, answer },
})

test('hosts and prefixes are dropped, and calls of others passed over', () => {
  const { calls } = seen([
    { url: 'https://cdn.example.test/app.js', status: 200 },
    create(),
    { url: `${API}/cgt-1?x=1`, status: 200, answer: { id: 'cgt-1', status: 'queued' } },
    { url: 'https://analytics.example.test/v1/events', status: 500 },
  ])
  expect(calls.map(({ operation, path, query }) => [operation, path, query])).toEqual([
    ['b-video-task.create', '/provB/api/v3/contents/generations/tasks', undefined],
    ['b-video-task.read', '/provB/api/v3/contents/generations/tasks/cgt-1', 'x=1'],
  ])
})

test('calls are in the order of their times, with what was sent', () => {
  const archive = JSON.parse(
    har([
      { method: 'POST', url: 'https://api.example.test/v1/asset/upload', status: 500 },
      { ...create(), body: { model: 'videoa-2-0-260128', seed: 7 } },
      { url: API, status: 200 },
    ]),
  )
  const { entries } = archive.log
  entries[0].request.postData = {
    mimeType: 'Multipart/Form-Data; boundary=x',
    text: '{"looks":"like JSON"}',
    params: [{ name: 'group_id', value: 'holidays' }, { name: 'note' }, { name: 'file', value: 'PNG' }],
  }
  entries[1].startedDateTime = '2026-04-01T00:00:00.000Z'
  const { calls } = sessionInHar(harSchema.parse(archive))
  expect(calls.map(({ method, operation, json, form }) => [method, operation, json, form])).toEqual([
    ['POST', 'b-video-task.create', { model: 'videoa-2-0-260128', seed: 7 }, undefined],
    ['POST', 'd-assets.upload', undefined, { group_id: 'holidays', note: '' }],
    ['GET', 'b-video-task.list', undefined, undefined],
  ])
})

const upload: HarCall = {
  ...{ method: 'POST', url: 'https://api.example.test/v1/asset/upload', status: 200 },
  answer: { code: 200, data: { task_id: 'task_1' } },
}
const resolved = (answer: object): HarCall => {
  return { url: 'https://api.example.test/v1/asset/jobs/get-asset-id?task_id=task_1', status: 200, answer }
}

test.each([
  [
    { status: 'Failed', error: { code: 'TooSmall', message: 'Small.' } },
    { code: 'TooSmall', message: 'Small.' },
  ],
  [{ status: 'Failed' }, { code: 'Failed', message: 'Bad file.' }],
  [{}, { code: 'Failed', message: 'Bad file.' }],
])('a job of the asset library that failed belongs to its upload: %j', (data, failure) => {
  const answer = { code: 500, msg: 'Bad file.', data: { task_id: 'task_1', ...data } }
  const { failedJobs, ofOtherCalls } = seen([upload, resolved(answer)])
  expect(failedJobs).toMatchObject([{ upload: { operation: 'd-assets.upload' }, ...failure }])
  expect(ofOtherCalls).toEqual([])
})

test.each([
  { code: 202, data: { task_id: 'task_1' } },
  { code: 500, data: { task_id: 'task_1', status: 'Processing' } },
  { code: 500, data: null },
])('a job that did not fail: %j', (answer) => {
  const { failedJobs, ofOtherCalls } = seen([upload, resolved(answer)])
  expect([failedJobs, ofOtherCalls]).toEqual([[], []])
})

test('bodies that are nested without measure are texts', () => {
  const deep = '['.repeat(50_000) + ']'.repeat(50_000)
  const archive = JSON.parse(har([create(deep, 500)]))
  archive.log.entries[0].request.postData.text = deep
  const [call] = sessionInHar(harSchema.parse(archive)).calls
  expect(call).toMatchObject({ operation: 'b-video-task.create', json: undefined })
  expect(call?.answer).toMatchObject({ status: 500, json: undefined, text: deep })
})

test('what failed of calls before the first one is named', () => {
  const failed = { id: 'cgt-1', status: 'failed' }
  const { failedTasks, failedJobs, ofOtherCalls } = seen([
    { url: `${API}/cgt-1`, status: 200, answer: failed },
    { url: API, status: 200, answer: { items: [{ id: 'cgt-2', status: 'expired' }, { id: 'cgt-3' }] } },
    resolved({ code: 500, data: { task_id: 'task_1', status: 'Failed' } }),
  ])
  expect({ failedTasks, failedJobs }).toEqual({ failedTasks: [], failedJobs: [] })
  expect(ofOtherCalls).toEqual(['the task cgt-1', 'the task cgt-2', 'the asset job task_1'])
})

test('a task that a list alone shows as failed', () => {
  const items = [
    { id: 'cgt-0', status: 'succeeded' },
    { id: 'cgt-1', status: 'failed', error: { code: 'InternalServiceError' } },
  ]
  const { failedTasks } = seen([create(), { url: API, status: 200, answer: { items, total: 2 } }])
  expect(failedTasks).toMatchObject([{ state: 'failed', error: 'InternalServiceError', afterMs: 1_000 }])
})

test('on a shared route the model decides on the way in, the task on the way out', () => {
  const videos = 'https://api.example.test/v1/videos'
  const { calls } = seen([
    { method: 'POST', url: videos, body: { model: 'beta2.7-r2v' }, status: 200, answer: { id: 'v-1' } },
    { method: 'POST', url: videos, body: { model: 'videoa-2-0-260128' }, status: 200, answer: { id: 'v-2' } },
    { url: `${videos}/v-1`, status: 200 },
    { url: `${videos}/v-2`, status: 200 },
  ])
  expect(calls.map(({ operation }) => operation)).toEqual([
    'e-video-reference.create',
    'c-video.create',
    'e-video-reference.read',
    'c-video.read',
  ])
})

test('a URL that an answer named is a download', () => {
  const url = 'https://store.example.test/bucket/a.mp4?Expires=1&Signature=2'
  const { calls } = seen([
    {
      url: `${API}/cgt-1`,
      status: 200,
      answer: { id: 'cgt-1', status: 'succeeded', content: { video_url: url } },
    },
    { url, status: 403, answer: '<Error/>' },
    { method: 'HEAD', url, status: 403 },
    { method: 'PUT', url, status: 403 },
  ])
  expect(calls.map(({ method, operation }) => [method, operation])).toEqual([
    ['GET', 'b-video-task.read'],
    ['GET', 'results.download'],
    ['HEAD', 'results.download'],
  ])
})

test('a URL with escaped slashes, as some services write them, is a download too', () => {
  const url = 'https://store.example.test/bucket/a.mp4'
  const escaped = `{"id":"cgt-1","content":{"video_url":"${url.replaceAll('/', '\\/')}"}}`
  const { calls } = seen([
    { url: `${API}/cgt-1`, status: 200, answer: escaped },
    { url, status: 403 },
  ])
  expect(calls.map(({ operation }) => operation)).toEqual(['b-video-task.read', 'results.download'])
})

test('of an answer that is no JSON its text is kept, with its type and when to try again', () => {
  const headers = { 'Content-Type': 'text/html', 'Retry-After': '7', 'X-Served-By': 'cache-1' }
  const { calls } = seen([{ url: API, status: 503, answer: '<html>', headers }])
  expect(calls[0]?.answer).toEqual({
    ...{ status: 503, json: undefined, text: '<html>' },
    headers: { 'content-type': 'text/html', 'retry-after': '7' },
  })
})

test.each([200, 201, 202])(
  'a task that failed did so at the first query that shows it, created by %i',
  (status) => {
    const failed = { url: `${API}/cgt-1`, status: 200, answer: { id: 'cgt-1', status: 'failed' } }
    const { failedTasks } = seen([create(undefined, status), failed, failed])
    expect(failedTasks.map(({ afterMs }) => afterMs)).toEqual([1_000])
  },
)

const RESULT = 'https://store.example.test/a.mp4?Signature=2'
const read = (url = RESULT): HarCall => {
  return { url: `${API}/cgt-1`, status: 200, answer: { id: 'cgt-1', content: { video_url: url } } }
}

test('calls that the service did not answer are not counted: cached ones, preflights and redirects', () => {
  const { calls } = seen([
    { ...create(''), url: API.replace('https', 'http'), status: 307, response: { redirectURL: API } },
    { ...create(''), url: API.replace('https', 'http'), status: 307, headers: { location: API } },
    create(),
    read(),
    { url: RESULT, status: 200, entry: { _fromCache: 'disk' } },
    { url: RESULT, status: 200, entry: { _fromCache: true } },
    { method: 'OPTIONS', url: RESULT, status: 204 },
    { url: RESULT, status: 403, entry: { _fromCache: false } },
  ])
  expect(calls.map(({ operation, answer: { status } }) => [operation, status])).toEqual([
    ['b-video-task.create', 200],
    ['b-video-task.read', 200],
    ['results.download', 403],
  ])
})

test('where a result leads to another URL, the call of that one is the download', () => {
  const { calls } = seen([
    read(),
    { url: RESULT, status: 302, response: { redirectURL: '/b.mp4?Signature=3' } },
    { url: 'https://store.example.test/b.mp4?Signature=3', status: 404 },
  ])
  expect(calls.slice(1).map(({ operation, path }) => [operation, path])).toEqual([
    ['results.download', '/b.mp4'],
  ])
})

test.each(['', 'http://', API])(
  'a redirect to %j is counted, since no other call is the one',
  (redirectURL) => {
    const { calls } = seen([{ ...create(undefined, 302), response: { redirectURL } }, create()])
    expect(calls.map(({ answer }) => answer.status)).toEqual([302, 200])
  },
)

test('a download that is redirected without a URL is counted', () => {
  const url = 'https://cdn.example.test/a.mp4'
  const answer = { id: 'cgt-1', status: 'succeeded', content: { video_url: url } }
  const { calls } = seen([create(), { url: `${API}/cgt-1`, status: 200, answer }, { url, status: 302 }])
  expect(calls.map(({ operation }) => operation)).toContain('results.download')
})

test('a redirect to another call of the service is not counted, and one to a store of files is', () => {
  const content = { url: 'https://gateway.example.test/v1/videos/task_1/content', status: 302 }
  const { calls } = seen([
    { ...content, response: { redirectURL: 'https://other.example.test/v1/videos/task_1/content' } },
    { ...content, response: { redirectURL: 'https://store.example.test/b.mp4' } },
    { ...content, status: 500 },
  ])
  expect(calls.map(({ operation, answer: { status } }) => [operation, status])).toEqual([
    ['c-video.content', 302],
    ['c-video.content', 500],
  ])
})

test.each([
  ['net::ERR_TIMED_OUT', 'silent'],
  ['net::ERR_CONNECTION_RESET', 'reset'],
] as const)('an answer that never came, as Playwright writes it: %s', (_failureText, broken) => {
  const { calls } = seen([{ url: API, status: -1, response: { _failureText } }])
  expect(calls[0]?.answer).toEqual({ headers: {}, broken })
})

test('a null is a field that is missing, and a header may have no value', () => {
  const archive = JSON.parse(har([{ url: API, status: 429 }]))
  Object.assign(archive.log.entries[0].request, { postData: null, headers: [{ name: 'Accept' }] })
  Object.assign(archive.log.entries[0].response, { content: null, _error: null })
  expect(sessionInHar(harSchema.parse(archive)).calls[0]?.answer).toMatchObject({ status: 429 })
})

test.each([
  ['net::ERR_TIMED_OUT', 'silent'],
  ['net::ERR_CONNECTION_RESET', 'reset'],
  [undefined, 'reset'],
] as const)('an answer that never came: %s', (error, broken) => {
  const { calls } = seen([{ url: API, status: 0, ...(error === undefined ? {} : { error }) }])
  expect(calls[0]?.answer).toEqual({ headers: {}, broken })
})

test.each([
  [
    { status: 'failed', error: { code: 'OutputVideoSensitiveContentDetected', message: 'x' } },
    'OutputVideoSensitiveContentDetected',
  ],
  [{ status: 'failed', error: { code: 'NobodyKnows' } }, undefined],
  [{ status: 'expired' }, undefined],
])('a task that ended badly: %j', (end, error) => {
  const { failedTasks } = seen([
    create(),
    { url: `${API}/cgt-1`, status: 200, answer: { id: 'cgt-1', ...end } },
  ])
  expect(failedTasks).toMatchObject([
    { state: end.status, afterMs: 1_000, ...(error === undefined ? {} : { error }) },
  ])
})

test.each([
  ['1026', 'unprocessable_entity_error'],
  ['529', 'overloaded_error'],
])('a task of second-generation video that failed with code %s', (code, error) => {
  const url = 'https://api.example.test/provC/v2'
  const { failedTasks } = seen([
    { method: 'POST', url: `${url}/video_generation`, status: 200, answer: { output: { task_id: '12' } } },
    {
      url: `${url}/query/video_generation/12`,
      status: 200,
      answer: { task: { id: '12', status: 'failed', error: { code, message: 'x' } } },
    },
  ])
  expect(failedTasks).toMatchObject([{ state: 'failed', error }])
})

test('answers that a proxy wrote in Base64 are read, and files are not', () => {
  const archive = JSON.parse(har([create({ error: { code: 'ServerOverloaded' } }, 429), create('JPEG', 502)]))
  const [refused, page] = archive.log.entries.map(({ response }: HarEntry) => response.content)
  for (const content of [refused, page])
    Object.assign(content, { encoding: 'base64', text: Buffer.from(content.text).toString('base64') })
  page.mimeType = 'image/jpeg'
  const { calls } = sessionInHar(harSchema.parse(archive))
  expect(calls.map(({ answer: { json, text } }) => [json, text])).toEqual([
    [{ error: { code: 'ServerOverloaded' } }, undefined],
    [undefined, undefined],
  ])
})

test('no credential is left', () => {
  const { calls } = seen([
    {
      ...create({ error: { message: 'bad key production-secret' } }, 401),
      url: `${API}?access_token=query-secret`,
    },
  ])
  const { query, ...kept } = calls[0] ?? {}
  expect(JSON.stringify(kept)).not.toMatch(/secret/)
  expect(query).toBe('access_token=secret-1')
})

test('no signature of a URL is left', () => {
  const events = { ...create(`data: {"url":"${RESULT}"}`), url: `${API}?X-Signature=secret&limit=3` }
  const { calls } = seen([events, { url: RESULT, status: 500 }])
  expect(calls.map(({ query }) => query)).toEqual(['X-Signature=secret-1&limit=3', 'Signature=secret-2'])
})
