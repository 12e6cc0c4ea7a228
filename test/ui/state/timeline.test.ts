import { expect, test } from 'vitest'
import type {
  CallbackRecord,
  RequestRecord,
  TaskRecord,
  TaskStatus,
} from '../../../src/generated/control-api.js'
import { createStore } from '../../../src/ui/state/store.js'
import { BREAK_WIDTH, createTimeScale, factorToFit } from '../../../src/ui/state/time-scale.js'
import {
  futureMoments,
  isProblemRow,
  medianDuration,
  statusAt,
  timelineRows,
} from '../../../src/ui/state/timeline-rows.js'
import { callback, request, task } from './records.js'

const SECOND = 1_000
const DAY = 86_400 * SECOND
const START = Date.parse('2026-01-01T00:00:00Z')

/** What the store has for records that were all read. */
const rowsOf = ({ tasks, requests, callbacks }: Readonly<Loaded>) => {
  const store = createStore({ now: () => START, schedule: (run) => run() })
  store.reset('a1')
  store.load({
    tasks,
    requests: { items: requests, evicted: 0 },
    callbacks: { items: callbacks, evicted: 0 },
  })
  return timelineRows(store.get())
}

interface Loaded {
  readonly tasks: readonly TaskRecord[]
  readonly requests: readonly RequestRecord[]
  readonly callbacks: readonly CallbackRecord[]
}

const scaleOf = (instants: readonly number[], idleMs = 60 * SECOND) =>
  createTimeScale({ rows: [instants], idleMs, pixelsPerMs: 0.01, left: 0, minWidth: 100 })

test('a fortnight of nothing is one break, and what is on both sides of it keeps its length', () => {
  const { x, breaks, right } = scaleOf([0, 10 * SECOND, 14 * DAY, 14 * DAY + 10 * SECOND])
  expect(breaks).toMatchObject([{ from: 10 * SECOND, to: 14 * DAY }])
  expect(x(10 * SECOND) - x(0)).toBeCloseTo(100)
  expect(x(14 * DAY) - x(10 * SECOND)).toBe(BREAK_WIDTH)
  expect(x(14 * DAY + 10 * SECOND) - x(14 * DAY)).toBeCloseTo(100)
  expect(right).toBeLessThan(400)
})

test('rows come in any order, and idle is a time at which none of them has an instant', () => {
  const { breaks, x } = createTimeScale({
    rows: [
      [DAY, DAY + SECOND, 3 * DAY],
      [5 * SECOND, 50 * SECOND, 100 * SECOND],
      [0, 200 * SECOND],
    ],
    idleMs: 60 * SECOND,
    pixelsPerMs: 0.01,
    left: 0,
    minWidth: 100,
  })
  expect(breaks.map(({ from, to }) => [from / SECOND, to / SECOND])).toEqual([
    [100, 200],
    [200, DAY / SECOND],
    [DAY / SECOND + 1, (3 * DAY) / SECOND],
  ])
  expect(x(5 * SECOND) - x(0)).toBeCloseTo(50)
})

test('without collapsing, time is to scale', () => {
  const { x, breaks } = scaleOf([0, SECOND, DAY], Number.POSITIVE_INFINITY)
  expect(breaks).toEqual([])
  expect(x(DAY) - x(0)).toBeCloseTo(DAY * 0.01)
})

test('a pixel leads back to its instant, inside and beside breaks', () => {
  const { x, at } = scaleOf([0, 10 * SECOND, DAY, DAY + SECOND])
  for (const instant of [0, 4 * SECOND, 10 * SECOND, DAY / 2, DAY, DAY + 500])
    expect(at(x(instant))).toBeCloseTo(instant, 3)
})

test('a short time is stretched to the width that there is', () => {
  const { x, right } = createTimeScale({
    rows: [[0], [10]],
    idleMs: 1_000,
    pixelsPerMs: 0.01,
    left: 200,
    minWidth: 1_000,
  })
  expect(right).toBe(1_200)
  expect(x(0)).toBeGreaterThanOrEqual(200)
  expect(x(10) - x(0)).toBeGreaterThan(900)
})

test('a scale is never wider than a browser can draw', () => {
  const { x, right } = createTimeScale({
    rows: [[START, START + 365 * DAY]],
    idleMs: Number.POSITIVE_INFINITY,
    pixelsPerMs: 0.1,
    left: 0,
    minWidth: 1_000,
  })
  expect(right).toBeLessThan(2 ** 24)
  expect(x(START + 365 * DAY)).toBeGreaterThan(1_000)
})

test('labels are as far apart as asked', () => {
  const { x, ticks } = scaleOf(Array.from({ length: 100 }, (_, index) => index * 10 * SECOND))
  const places = ticks(0, 2_000, 90).map(x)
  const distances = places.slice(1).map((place, index) => place - (places[index] as number))
  expect(places.length).toBeGreaterThan(5)
  expect(Math.min(...distances)).toBeGreaterThanOrEqual(90)
})

test('labels, which are written to the second, are at whole seconds', () => {
  const instants = [START + 766, START + 3_100]
  const { ticks } = createTimeScale({
    rows: [instants],
    idleMs: 60 * SECOND,
    pixelsPerMs: 0.5,
    left: 0,
    minWidth: 100,
  })
  expect(ticks(0, 2_000, 90)).toEqual([START + SECOND, START + 2 * SECOND])
})

test('nothing at all has a scale too', () => expect(scaleOf([]).right).toBe(100))

test('a text of an answer that looks like the end of a URL, in no year of a calendar, is no mark', () => {
  const answer = { content: 'Expires=99999999999999999' }
  const [row] = rowsOf({
    tasks: [task({ status: 'succeeded' })],
    requests: [request({ operation: 'b-video-task.read', task: 't1', answer })],
    callbacks: [],
  })
  expect(row?.marks.map(({ kind }) => kind)).toEqual(['poll'])
})

test('a file that is fetched by the id of its task is a download', () => {
  const requests = [request({ operation: 'c-video.content', task: 't1' })]
  const [row] = rowsOf({ tasks: [task({})], requests, callbacks: [] })
  expect(row?.marks.map(({ kind }) => kind)).toEqual(['download'])
})

test('a task has its bar, and marks for polls, downloads, callbacks and the end of its URL', () => {
  const [row] = rowsOf({
    tasks: [task({ status: 'succeeded' })],
    requests: [
      request({ id: 'r4', operation: 'results.download', task: 't1' }),
      request({
        id: 'r3',
        operation: 'b-video-task.read',
        task: 't1',
        answer: {
          status: 'succeeded',
          content: { video_url: '/results/a/t1/0.mp4?Expires=1768435203&Signature=x' },
        },
      }),
      request({ id: 'r1', task: 't1' }),
    ],
    callbacks: [callback()],
  })
  expect(row?.phases.map(({ status, from, to }) => [status, from - START, to && to - START])).toEqual([
    ['queued', 0, 1_000],
    ['running', 1_000, 3_000],
    ['succeeded', 3_000, undefined],
  ])
  expect(row?.marks.map(({ kind, opens }) => [kind, opens?.id])).toEqual([
    ['download', 'r4'],
    ['poll', 'r3'],
    ['callback', 't1-1'],
    ['expiry', undefined],
  ])
})

test.each([
  ['b-video-task.read', '/provB/api/v3/contents/generations/tasks/t1'],
  ['c-video.content', '/v1/videos/t1/content'],
])('a call of %s is a mark of its task, also when a scenario answered it', (operation, path) => {
  const acted = { scenario: 'one-failed-poll', step: 1, says: null, effects: ['answer.error'] }
  const scenario = { acted, nearMisses: [] }
  const called = request({ id: 'r2', operation, method: 'GET', path, status: 500, scenario })
  const rows = rowsOf({ tasks: [task()], requests: [called], callbacks: [] })
  expect(rows.map(({ id, marks }) => [id, marks.map(({ kind }) => kind)])).toEqual([['t1', ['effect']]])
  expect(rows.map(isProblemRow)).toEqual([true])
})

test('a row is built anew where something about its task has come, and no other is', () => {
  const store = createStore({ now: () => START, schedule: (run) => run() })
  store.reset('a1')
  store.load({ tasks: [task({ id: 't2' }), task({ id: 't1' })] })
  const [second, first] = timelineRows(store.get())
  const record = request({ id: 'r9', operation: 'b-video-task.read', task: 't1' })
  store.apply([{ kind: 'request', account: 'a1', record }])
  const [secondAgain, firstAgain] = timelineRows(store.get())
  expect([second?.id, first?.marks.length, firstAgain?.marks.length]).toEqual(['t2', 0, 1])
  expect(secondAgain).toBe(second)
})

test('tasks and refused calls are in one order, newest first, and some of them are problems', () => {
  const at = (seconds: number) => new Date(START + seconds * SECOND).toISOString()
  const ended = (id: string, seconds: number, status: TaskStatus) =>
    task({ id, status, timeline: [{ at: at(seconds), status }] })
  const rows = rowsOf({
    tasks: [ended('t4', 4, 'succeeded'), ended('t3', 3, 'expired'), ended('t1', 1, 'failed')],
    requests: [
      request({ id: 'r2', at: at(2), status: 401 }),
      request({ id: 'r0', at: at(0), operation: 'b-video-task.list' }),
    ],
    callbacks: [],
  })
  expect(rows.map((row) => [row.id, isProblemRow(row)])).toEqual([
    ['t4', false],
    ['t3', true],
    ['r2', true],
    ['t1', true],
  ])
})

test('a callback that a scenario drops stands, as its effect, at the change that it would have reported', () => {
  const acted = { scenario: 'callback-lost', step: 1, says: null, effects: ['callback.never'] }
  const lost = { state: 'skipped', attempts: [], scenario: { acted, nearMisses: [] } } as const
  const [row] = rowsOf({
    tasks: [task()],
    requests: [],
    callbacks: [
      callback({ ...lost, status: 'running', reason: 'Dropped.' }),
      callback({ ...lost, id: 't1-0', kind: 'challenge', status: null }),
    ],
  })
  expect(row?.marks.map(({ at, kind, label }) => [at - START, kind, label()])).toEqual([
    [0, 'effect', 'callback challenge: not sent'],
    [SECOND, 'effect', 'callback running: Dropped.'],
  ])
})

test('refusals of one operation are one row, at the newest of them, with a mark for each', () => {
  const at = (seconds: number) => new Date(START + seconds * SECOND).toISOString()
  const refused = (id: string, seconds: number, operation = 'b-video-task.create') =>
    request({ id, at: at(seconds), operation, status: 400, refusedBy: [refusal(`found ${id}`)] })
  const rows = rowsOf({
    tasks: [task({ id: 't1', timeline: [{ at: at(2), status: 'queued' }] })],
    requests: [refused('r4', 4), refused('r3', 3, 'a-image.create'), refused('r2', 1), refused('r1', 1)],
    callbacks: [],
  })
  expect(rows.map(({ id, subtitle, marks }) => [id, subtitle, marks.map(({ opens }) => opens?.id)])).toEqual([
    ['r4', '×3 · found r4', ['r1', 'r2', 'r4']],
    ['r3', 'found r3', ['r3']],
    ['t1', 't1', []],
  ])
})

const refusal = (message: string) => ({
  rule: 'b-video-task.schema.duration',
  place: '',
  error: 'InvalidParameter',
  message,
})

test('a row ends with the last of it that is no end of a URL', () => {
  const expiring = {
    status: 'succeeded',
    content: { video_url: '/results/a/t1/0.mp4?Expires=1768435203&Signature=x' },
  }
  const read = request({ id: 'r3', operation: 'b-video-task.read', task: 't1', answer: expiring })
  const [row] = rowsOf({ tasks: [task({ status: 'succeeded' })], requests: [read], callbacks: [] })
  expect([(row?.to ?? 0) - START, row?.marks.at(-1)?.kind]).toEqual([3 * SECOND, 'expiry'])
})

test('a callback that was answered with an error, or not at all, is none that was delivered', () => {
  const attempt = { at: '2026-01-01T00:00:03.000Z', durationMs: 1, outcome: 'answered' } as const
  const attempts = [
    { ...attempt, status: 500 },
    { ...attempt, outcome: 'timeout' as const, error: 'No answer.' },
    { ...attempt, status: 204 },
  ]
  const [row] = rowsOf({ tasks: [task()], requests: [], callbacks: [callback({ attempts })] })
  expect(row?.marks.map(({ isDelivered }) => isDelivered)).toEqual([false, false, true])
})

test('a stretch of time fills a width, with the collapsed idle time in it', () => {
  const instants = [0, 10 * SECOND, DAY, DAY + 10 * SECOND]
  const factor = factorToFit(scaleOf(instants), 0, DAY + 10 * SECOND, 1_000) ?? 0
  const { x } = createTimeScale({
    rows: [instants],
    idleMs: 60 * SECOND,
    pixelsPerMs: factor,
    left: 0,
    minWidth: 100,
  })
  expect(x(DAY + 10 * SECOND) - x(0)).toBeCloseTo(1_000)
  expect(factorToFit(scaleOf(instants), 20 * SECOND, DAY, 1_000)).toBeUndefined()
})

test('future moments are in order, and name events without a row', () => {
  const moments = futureMoments([task()], START, '2026-01-01T00:00:02.000Z')
  expect(moments.map(({ at, text }) => [at - START, text])).toEqual([
    [1_000, 't1 running'],
    [2_000, 'a callback or an asset is due'],
    [3_000, 't1 succeeded'],
  ])
  expect(futureMoments([task()], START, '2026-01-01T00:00:01.000Z')).toHaveLength(2)
})

test('a usual task is as long as the median one of those that take time', () => {
  expect(medianDuration([task(), task(), task()])).toBe(3 * SECOND)
  const picture = { ...task(), timeline: task().timeline.slice(0, 1) }
  expect(medianDuration([picture, picture, task()])).toBe(3 * SECOND)
  expect(medianDuration([picture])).toBe(60 * SECOND)
})

test('the state of a task at a time is the one that began last', () => {
  expect(statusAt(task(), START - 1)).toBeUndefined()
  expect(statusAt(task(), START + 2_999)).toBe('running')
  expect(statusAt(task(), START + 3_000)).toBe('succeeded')
})
