import { expect, test } from 'vitest'
import type { JournalEntry } from '../../../../src/emulator/core/journal/entry.js'
import { explain } from '../../../../src/emulator/core/journal/explain.js'
import { redactedHeaders } from '../../../../src/emulator/core/journal/redact.js'
import { videoV2 } from '../../../../src/emulator/families/f-video-v2/index.js'
import { contextWith, create, START } from '../../families/context.js'
import { request } from '../../families/f-video-v2/request.js'

const operations = [
  { route: { method: 'POST', path: '/v1/videos' } },
  { route: { method: 'GET', path: '/v1/videos/{task_id}' } },
] as const

const entry = (parts: Partial<JournalEntry> = {}): JournalEntry => ({
  id: 'request-1',
  account: 'test-key',
  at: 0,
  operation: 'b-video-task.create',
  method: 'POST',
  path: '/v1/videos',
  query: '',
  headers: {},
  requestBody: null,
  requestBytes: 0,
  status: 200,
  responseBody: {},
  refusedBy: [],
  ignored: [],
  warnings: [],
  ...parts,
})

test('an accepted call is explained by what it is', () =>
  expect(explain(entry(), operations)).toEqual([
    'The call is b-video-task.create and was answered with 200.',
  ]))

test('the callbacks of a task are said in their order, with their state and why', () => {
  const callback = { url: 'http://hook.test/', status: null, reason: undefined }
  const callbacks = [
    { ...callback, id: 't-0', kind: 'challenge', state: 'delivered' },
    { ...callback, id: 't-1', kind: 'delivery', status: 'queued', state: 'waiting' },
    {
      ...callback,
      id: 't-2',
      kind: 'delivery',
      status: 'running',
      state: 'failed',
      reason: 'It answered 500.',
    },
  ] as const
  expect(explain(entry(), operations, undefined, callbacks).slice(1)).toEqual([
    'The callback t-0 with the challenge to http://hook.test/ is delivered.',
    'The callback t-1 with the status queued to http://hook.test/ is waiting.',
    'The callback t-2 with the status running to http://hook.test/ is failed: It answered 500.',
  ])
})

test('every rule that refused is named with its place, the one that answered first', () => {
  const refusal = { error: 'InvalidParameter', place: 'gap B9', field: 'content[0]' }
  const refusedBy = [
    { ...refusal, rule: 'b-video-task.role-counts', message: 'content[0] is one too many' },
    { ...refusal, rule: 'b-video-task.high-resolution', allowed: '720p' },
  ]
  expect(explain(entry({ status: 400, refusedBy }), operations)).toEqual([
    'The call is b-video-task.create and was answered with 400.',
    'Refused by the rule b-video-task.role-counts (gap B9): content[0] is one too many.',
    'Would also be refused by the rule b-video-task.high-resolution (gap B9): content[0] must be 720p.',
  ])
})

test('a refusal without words of its own says what was found', () => {
  const refusal = { error: 'ModelNotExist', rule: 'a-image.schema.model', place: '§A', field: 'model' }
  const refusedBy = [{ ...refusal, allowed: 'one of one, two', found: 'three' }]
  expect(explain(entry({ status: 400, refusedBy }), operations).at(-1)).toBe(
    'Refused by the rule a-image.schema.model (§A): model must be one of one, two, found "three".',
  )
})

test.each([
  [2, 'the account may make 2 requests a minute, and has made 2 in the last one'],
  [1, 'the account may make 1 request a minute, and has made 1 in the last one'],
  [0, 'the account may make 0 requests a minute, and has made 0 in the last one'],
])('a call over a limit of %i a minute is explained by how many there were', (limit, sentence) => {
  const context = contextWith({ settings: { requestsPerMinute: limit } })
  context.account.recentCreates.push(...[START - 60_000, START - 59_000, START - 1_000].slice(0, limit + 1))
  const { meta: notes } = create(videoV2, request(), context)
  expect(explain(entry({ status: 429, refusedBy: notes.refusedBy }), operations).at(-1)).toBe(
    `Refused by the rule f-video-v2.rate-limit (docs/gaps.md#x6): ${sentence}.`,
  )
})

test('an explanation lists ignored fields and warnings', () =>
  expect(
    explain(entry({ ignored: ['user'], warnings: ['image 1 was not read'] }), operations).slice(1),
  ).toEqual(['user is not a field of this interface and was ignored.', 'image 1 was not read.']))

test('a path that is nearly right is told the right one', () =>
  expect(explain(entry({ operation: undefined, path: '/v1/video', status: 404 }), operations)).toEqual([
    'No operation has the route POST /v1/video. Did you mean POST /v1/videos?',
  ]))

test.each([
  ['POST', '/videos', 'POST /v1/videos'],
  ['POST', '/api/v2/v1/videos', 'POST /v1/videos'],
  ['POST', '//v1/videos', 'POST /v1/videos'],
  ['GET', '/videos/task-1', 'GET /v1/videos/{task_id}'],
  ['GET', '/v1/v1/videos/task-1', 'GET /v1/videos/{task_id}'],
])('a call with a wrong base URL, %s %s, is told %s', (method, path, route) =>
  expect(explain(entry({ operation: undefined, method, path }), operations)).toEqual([
    `No operation has the route ${method} ${path}. Did you mean ${route}?`,
  ]),
)

test.each([
  ['/v3/tasks/', 'GET /api/v3/tasks'],
  ['/tasks', 'GET /api/v3/tasks'],
  ['/v3/tasks/task-1/', 'GET /api/v3/tasks/{id}'],
  ['/v1/videos/', 'GET /v1/videos/{task_id}'],
])('of a task and of a list of tasks, %s is told %s', (path, route) => {
  const reads = ['/api/v3/tasks/{id}', '/api/v3/tasks'].map(
    (path) => ({ route: { method: 'GET', path } }) as const,
  )
  const sentences = explain(entry({ operation: undefined, method: 'GET', path }), [...reads, ...operations])
  expect(sentences).toEqual([`No operation has the route GET ${path}. Did you mean ${route}?`])
})

test.each(['/task-1', '/images/task-1', '/v1/images/task-1'])('%s has another end than any route', (path) =>
  expect(explain(entry({ operation: undefined, method: 'GET', path }), operations)).toEqual([
    expect.stringContaining('The service has: '),
  ]),
)

test('a path that is nothing like any is told them all', () =>
  expect(explain(entry({ operation: undefined, method: 'GET', path: '/' }), operations)).toEqual([
    'No operation has the route GET /. The service has: POST /v1/videos, GET /v1/videos/{task_id}.',
  ]))

test.each(['authorization', 'cookie', 'x-api-key', 'x-backlot-token', 'proxy-authorization'])(
  'the header %s is kept without its secret',
  (name) => {
    const headers = redactedHeaders({ [name]: 'Bearer very-secret', host: 'localhost' })
    expect(JSON.stringify(headers)).not.toContain('very-secret')
    expect(headers[name]).toMatch(/^\(account [0-9a-f]{12}\)$/)
    expect(headers.host).toBe('localhost')
  },
)

test('an empty credential is kept as such', () =>
  expect(redactedHeaders({ authorization: 'Bearer ' })).toEqual({ authorization: '(empty)' }))
