import { expect, test } from 'vitest'
import type { JournalEntry } from '../../../../src/emulator/core/journal/entry.js'
import { buildTimeline } from '../../../../src/emulator/core/journal/timeline.js'
import type { CallbackRecord } from '../../../../src/emulator/core/model/account.js'
import type { Task } from '../../../../src/emulator/core/model/task.js'

const call = (id: string, at: number, change: Partial<JournalEntry> = {}): JournalEntry => ({
  ...{ id, at, account: 'key', operation: 'b-video-task.read', method: 'GET', path: `/${id}`, query: '' },
  ...{ headers: {}, requestBody: undefined, requestBytes: 0, status: 200, responseBody: {} },
  ...{ refusedBy: [], ignored: [], warnings: [], ...change },
})

const task = (id: string, requestId: string, timeline: Task['timeline']): Task => ({
  ...{
    id,
    requestId,
    timeline,
    family: 'b-video-task',
    account: 'key',
    model: 'm',
    params: {},
    price: 0,
  },
  createdAt: timeline[0]?.at ?? 0,
})

const linesOf = (happenings: Partial<Parameters<typeof buildTimeline>[0]>) =>
  buildTimeline({ entries: [], tasks: [], assets: [], callbacks: [], now: 100, ...happenings }).map(
    ({ at, says }) => `${at} ${says}`,
  )

test('a call, with what it was and why it was refused', () => {
  const refusal = { rule: 'a.b', place: '§A', error: 'InvalidParameter', message: 'n must be 1 to 6' }
  expect(
    linesOf({
      entries: [
        call('one', 1, { query: 'page_num=2', task: 'T' }),
        call('two', 2, { status: 400, refusedBy: [refusal] }),
        { ...call('three', 3, { status: 404 }), operation: undefined } as unknown as JournalEntry,
      ],
    }),
  ).toEqual([
    '1 GET /one?page_num=2 → 200 (b-video-task.read T)',
    '2 GET /two → 400 (b-video-task.read; refused by a.b: n must be 1 to 6)',
    '3 GET /three → 404 (no such operation)',
  ])
})

test('moments of a task stand between the calls in order of time, and later ones are omitted', () => {
  const timeline: Task['timeline'] = [
    { at: 0, value: { state: 'queued' } },
    { at: 10, value: { state: 'running' } },
    { at: 20, value: { state: 'failed', error: 'InternalServiceError' } },
    { at: 200, value: { state: 'expired' } },
  ]
  expect(
    linesOf({
      entries: [call('create', 0), call('early', 5), call('late', 20)],
      tasks: [task('T', 'create', timeline)],
    }),
  ).toEqual([
    '0 GET /create → 200 (b-video-task.read)',
    '0 task T queued',
    '5 GET /early → 200 (b-video-task.read)',
    '10 task T running',
    '20 task T failed (InternalServiceError)',
    '20 GET /late → 200 (b-video-task.read)',
  ])
})

test('on a paused clock, the moments of a task come after the call that made it', () => {
  const queued: Task['timeline'] = [{ at: 0, value: { state: 'queued' } }]
  expect(
    linesOf({
      entries: [call('one', 0), call('two', 0), call('three', 0)],
      tasks: [task('A', 'one', queued), task('B', 'three', queued)],
    }).map((line) => line.split(' ').slice(1, 3).join(' ')),
  ).toEqual(['GET /one', 'task A', 'GET /two', 'GET /three', 'task B'])
})

test('moments of several tasks between two calls stand in order of time', () => {
  const timeline = (at: number): Task['timeline'] => [
    { at: 0, value: { state: 'queued' } },
    { at, value: { state: 'running' } },
    { at: 2 * at, value: { state: 'succeeded', media: [] } },
  ]
  expect(
    linesOf({
      entries: [call('one', 0), call('two', 0), call('late', 50)],
      tasks: [task('A', 'one', timeline(10)), task('B', 'two', timeline(15))],
    }).slice(4, -1),
  ).toEqual(['10 task A running', '15 task B running', '20 task A succeeded', '30 task B succeeded'])
})

test('a task whose call is not kept any more stands first', () => {
  const timeline: Task['timeline'] = [{ at: 0, value: { state: 'queued' } }]
  expect(linesOf({ entries: [call('later', 1)], tasks: [task('T', 'gone', timeline)] })[0]).toBe(
    '0 task T queued',
  )
})

test('callbacks: each attempt, and how a delivery without an accepting receiver ended', () => {
  const callback: CallbackRecord = {
    ...{ id: 'T-1', taskId: 'T', kind: 'delivery', status: 'queued', url: 'http://r/', body: null },
    attempts: [
      { at: 1, durationMs: 5, outcome: 'answered', status: 500 },
      { at: 2, durationMs: 5, outcome: 'failed', error: 'ECONNREFUSED' },
    ],
    state: 'waiting',
  }
  expect(linesOf({ callbacks: [callback] })).toEqual([
    '1 callback queued to http://r/ → 500',
    '2 callback queued to http://r/ → failed (ECONNREFUSED)',
    '2 callback queued to http://r/: still to be delivered',
  ])
  const skipped: CallbackRecord = {
    ...callback,
    kind: 'challenge',
    status: null,
    attempts: [],
    state: 'skipped',
    reason: 'No.',
  }
  expect(linesOf({ callbacks: [skipped] })).toEqual(['100 callback challenge to http://r/: not sent (No.)'])
})

test('a callback that was never sent stands at the moment that it reports, wherever the clock is', () => {
  const timeline: Task['timeline'] = [
    { at: 3, value: { state: 'queued' } },
    { at: 10, value: { state: 'running' } },
    { at: 20, value: { state: 'queued' } },
  ]
  const skipped: CallbackRecord = {
    ...{ id: 'T-3', taskId: 'T', kind: 'delivery', status: 'queued', url: 'http://r/', body: null },
    ...{ attempts: [], state: 'skipped', reason: 'No.' },
  }
  const challenge: CallbackRecord = { ...skipped, id: 'T-0', kind: 'challenge', status: null }
  const lines = (now: number) =>
    linesOf({
      ...{ now, entries: [call('create', 3), call('late', 30)], tasks: [task('T', 'create', timeline)] },
      callbacks: [challenge, skipped],
    }).filter((line) => /callback|GET/.test(line))
  expect(lines(40)).toEqual([
    '3 GET /create → 200 (b-video-task.read)',
    '3 callback challenge to http://r/: not sent (No.)',
    '20 callback queued to http://r/: not sent (No.)',
    '30 GET /late → 200 (b-video-task.read)',
  ])
  expect(lines(4_000)).toEqual(lines(40))
})

test('the key of the account is not shown in the URL of a callback', () => {
  const callback: CallbackRecord = {
    ...{ id: 'T-1', taskId: 'T', kind: 'delivery', status: 'queued', url: 'http://r/my-own-key', body: null },
    ...{ attempts: [], state: 'waiting' },
  }
  const own = { ...task('T', 'gone', [{ at: 0, value: { state: 'queued' } }]), account: 'my-own-key' }
  const line = '100 callback queued to http://r/(key): still to be delivered'
  expect(linesOf({ tasks: [own], callbacks: [callback] })).toContain(line)
  expect(linesOf({ entries: [call('a', 0, { account: 'my-own-key' })], callbacks: [callback] })).toContain(
    line,
  )
})
