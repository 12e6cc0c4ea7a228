import type { CallbackRecord, RequestRecord, TaskRecord } from '../../../src/generated/control-api.js'

/** A record of a call as the control API answers it, with what a test is about. */
export const request = (change: Partial<RequestRecord> = {}): RequestRecord => ({
  id: 'r1',
  account: 'a1',
  at: '2026-01-01T00:00:00.000Z',
  operation: 'b-video-task.create',
  method: 'POST',
  path: '/provB/api/v3/contents/generations/tasks',
  query: '',
  headers: {},
  body: null,
  bytes: 0,
  status: 200,
  answer: null,
  sent: null,
  profile: null,
  refusedBy: [],
  ignored: [],
  warnings: [],
  task: null,
  scenario: null,
  ...change,
})

/** A record of a task that is queued at once, runs after a second and succeeds after three. */
export const task = (change: Partial<TaskRecord> = {}): TaskRecord => ({
  id: 't1',
  family: 'b-video-task',
  model: 'videoa-2-0-260128',
  status: 'queued',
  progress: 0,
  createdAt: '2026-01-01T00:00:00.000Z',
  since: '2026-01-01T00:00:00.000Z',
  requestId: 'r1',
  price: 0.5,
  callbackUrl: null,
  order: { prompt: 'a lighthouse' },
  timeline: [
    { at: '2026-01-01T00:00:00.000Z', status: 'queued' },
    { at: '2026-01-01T00:00:01.000Z', status: 'running' },
    { at: '2026-01-01T00:00:03.000Z', status: 'succeeded', media: 1 },
  ],
  ...change,
})

/** A record of a delivery that was answered with 200. */
export const callback = (change: Partial<CallbackRecord> = {}): CallbackRecord => ({
  id: 't1-1',
  taskId: 't1',
  kind: 'delivery',
  status: 'running',
  url: 'http://127.0.0.1/hook',
  state: 'delivered',
  body: {},
  attempts: [{ at: '2026-01-01T00:00:01.000Z', durationMs: 3, outcome: 'answered', status: 200 }],
  scenario: null,
  ...change,
})
