import { expect, test } from 'vitest'
import {
  countOf,
  dateAndTime,
  formatDuration,
  formatNumber,
  relativeTime,
  shortId,
} from '../../../src/ui/state/format.js'
import { gapsMet } from '../../../src/ui/state/gaps-met.js'
import { foldPolls, matchesSearch, sentenceOf } from '../../../src/ui/state/request-rows.js'
import { request } from './records.js'

const poll = (id: string, task: string, status: string) =>
  request({ id, method: 'GET', operation: 'b-video-task.read', task, answer: { status } })

test('polls of one task become one row until its status changes or something else comes', () => {
  const rows = foldPolls([
    poll('r7', 't1', 'succeeded'),
    poll('r6', 't1', 'running'),
    poll('r5', 't2', 'running'),
    poll('r4', 't1', 'running'),
    request({ id: 'r3', task: 't2' }),
    poll('r2', 't1', 'running'),
    poll('r1', 't1', 'running'),
  ])
  expect(rows.map(({ request: { id }, count }) => [id, count])).toEqual([
    ['r7', 1],
    ['r6', 2],
    ['r5', 1],
    ['r3', 1],
    ['r2', 2],
  ])
})

test('polls of the job of an asset become one row, those of another job do not', () => {
  const resolve = (id: string, job: string) =>
    request({
      id,
      method: 'GET',
      operation: 'd-assets.resolve',
      path: '/v1/asset/jobs/get-asset-id',
      query: `task_id=${job}`,
      answer: { code: 202, data: { task_id: job, status: 'Processing' }, msg: 'processing' },
    })
  const rows = foldPolls([resolve('r3', 'task_2'), resolve('r2', 'task_1'), resolve('r1', 'task_1')])
  expect(rows.map(({ request: { id }, count }) => [id, count])).toEqual([
    ['r3', 1],
    ['r2', 2],
  ])
})

test.each([
  [
    'a refusal says why',
    request({
      status: 400,
      refusedBy: [{ rule: 'x', place: '', error: 'E', message: 'duration must be 4' }],
    }),
    'duration must be 4',
  ],
  [
    'a route that there is not',
    request({ operation: null, path: '/v1/videoss' }),
    'No operation has the route /v1/videoss.',
  ],
  [
    'a create names prompt and task',
    request({ body: { content: [{ type: 'text', text: 'a lighthouse' }] }, task: 't1' }),
    '\u2068a lighthouse\u2069 · t1',
  ],
  ['a poll names the status', poll('r1', 't1', 'running'), 't1 running'],
  [
    'a list names the status of none of its tasks',
    request({
      operation: 'b-video-task.list',
      path: '/tasks',
      answer: { items: [{ id: 't1', status: 'queued' }], total: 1 },
    }),
    '/tasks',
  ],
  [
    'a scenario that acted',
    request({
      scenario: { acted: { scenario: 'burst', step: 2, says: 'Too many', effects: [] }, nearMisses: [] },
    }),
    'Too many, by burst, step 2',
  ],
  [
    'an error of a scenario',
    request({
      status: 429,
      answer: { error: { code: 'ServerOverloaded', message: 'Later.' } },
      scenario: {
        acted: { scenario: 'fail-next', step: 1, says: null, effects: ['answer.error'] },
        nearMisses: [],
      },
    }),
    'ServerOverloaded, by fail-next, step 1',
  ],
  [
    'an error of a scenario that has words for it',
    request({
      status: 429,
      answer: { code: 'ServerOverloaded' },
      scenario: {
        acted: { scenario: 'burst', step: 2, says: 'Too many', effects: ['answer.error'] },
        nearMisses: [],
      },
    }),
    'Too many (ServerOverloaded), by burst, step 2',
  ],
  [
    'a connection that a scenario has reset',
    request({
      connection: 'reset',
      scenario: {
        acted: { scenario: 'cut', step: 1, says: null, effects: ['transport.reset'] },
        nearMisses: [],
      },
    }),
    'the connection was reset, by cut, step 1',
  ],
  ['a call without an answer', request({ connection: 'no-answer' }), 'No answer was sent.'],
  ['an answer that was cut off', request({ connection: 'cut-off' }), 'The connection was cut off.'],
  [
    'an effect that has no error',
    request({
      scenario: {
        acted: { scenario: 'slow', step: 1, says: null, effects: ['transport.delay'] },
        nearMisses: [],
      },
    }),
    'transport.delay, by slow, step 1',
  ],
])('the sentence of %s', (_, record, sentence) => expect(sentenceOf(record)).toBe(sentence))

test.each(['LIGHTHOUSE', 'r1', '/provb/', 'b-video-task', 'invalidparameter', ''])(
  'a search finds %j',
  (search) =>
    expect(
      matchesSearch(
        request({ body: { prompt: 'a lighthouse' }, answer: { error: { code: 'InvalidParameter' } } }),
        search,
      ),
    ).toBe(true),
)

test('a search does not find what is not there', () =>
  expect(matchesSearch(request({ body: { prompt: 'a lighthouse' } }), 'harbour')).toBe(false))

test('a gap is met by a rule that names it, by a warning, or by its family', () => {
  const met = gapsMet(
    ['B2', 'B3', 'Z5', 'Z1', 'F1', 'X9'],
    [
      request({
        id: 'r2',
        refusedBy: [{ rule: 'x', place: 'docs/families/b.md#a, docs/gaps.md#z5', error: 'E' }],
      }),
      request({ id: 'r1', warnings: ['The picture was not fetched (gap Z1).'] }),
    ],
  )
  expect(Object.fromEntries(met)).toEqual({
    B2: { requestId: 'r2', by: 'family' },
    B3: { requestId: 'r2', by: 'family' },
    Z5: { requestId: 'r2', by: 'rule' },
    Z1: { requestId: 'r1', by: 'rule' },
  })
})

test.each([
  [0, '0 ms'],
  [250, '250 ms'],
  [1_250, '1.3 s'],
  [59_600, '1 m'],
  [85_200_000, '23 h 40 m'],
  [14 * 86_400_000, '14 d'],
])('%d milliseconds are %s', (ms, text) => expect(formatDuration(ms)).toBe(text))

test('times are told by the clock and by how long ago they are', () => {
  const now = Date.parse('2026-01-01T00:00:10Z')
  expect(dateAndTime('2026-01-01T00:00:07.900Z')).toBe('2026-01-01 00:00:07')
  expect(relativeTime('2026-01-01T00:00:07Z', now)).toBe('3 s ago')
  expect(relativeTime('2026-01-01T00:00:28Z', now)).toBe('in 18 s')
  expect(relativeTime('2026-01-01T00:00:10.400Z', now)).toBe('now')
})

test('an id is shortened where ids are alike', () => {
  expect(shortId('cgt-20260101000000-kr3ae')).toBe('cgt-…0-kr3ae')
  expect(shortId('40933363')).toBe('40933363')
})

test.each([
  [0, '0'],
  [999, '999'],
  [1_234_567.891, '1,234,567.89'],
  [-1_000.5, '-1,000.5'],
])('%d is written as %s', (value, text) => expect(formatNumber(value)).toBe(text))

test.each([
  [0, '0 calls'],
  [1, '1 call'],
  [10_000, '10,000 calls'],
])('%d of a noun are written as %s', (count, text) => expect(countOf(count, 'call')).toBe(text))

test('an formatNumber keeps as many digits as asked', () =>
  expect(formatNumber(12_345.123_46, 4)).toBe('12,345.1235'))
