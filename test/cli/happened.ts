import type { Events } from '../../src/emulator/core/events.js'
import type { CallbackRecord } from '../../src/emulator/core/model/account.js'
import type { Task } from '../../src/emulator/core/model/task.js'

type Request = Events['request'][0]
type AccountEvent = Events['happening'][0]

export const NOON = Date.UTC(2026, 0, 1, 12)

/** A call that was answered with 200, but for what is changed. */
export const request = (change: Partial<Request> = {}): Request => ({
  id: 'req-1',
  account: 'secret-key',
  at: NOON,
  operation: 'c-video.create',
  method: 'POST',
  path: '/v1/videos',
  query: 'token=secret-query',
  headers: { authorization: 'Bearer secret-key' },
  requestBody: undefined,
  requestBytes: 0,
  status: 200,
  responseBody: {},
  refusedBy: [],
  ignored: [],
  warnings: [],
  ...change,
})

const task = { family: 'c-video', model: 'videoa-2-0-260128' } as Task

export const change = (detail: string): AccountEvent => ({
  at: NOON,
  kind: 'task',
  id: 'cgt-1',
  detail,
  task,
  account: 'secret-key',
})

const record: CallbackRecord = {
  id: 'cgt-1-2',
  taskId: 'cgt-1',
  kind: 'delivery',
  status: 'running',
  url: 'https://user:secret-password@hooks.test/in?token=secret-query',
  body: {},
  attempts: [{ at: NOON, durationMs: 3, outcome: 'answered', status: 204 }],
  state: 'delivered',
}

/** What became of a callback, but for what is changed. */
export const callback = (detail: string, changed: Partial<CallbackRecord> = {}): AccountEvent => ({
  at: NOON,
  kind: 'callback',
  id: record.id,
  detail,
  callback: { ...record, ...changed, task, moment: 1 },
  account: 'secret-key',
})
