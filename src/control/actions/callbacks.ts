import { z } from 'zod'
import { shownItem } from '../../callbacks/inbox.js'
import { unknownCallback } from '../../core/callback/queue.js'
import { ControlError } from '../../core/control-error.js'
import { EmulatorError } from '../../core/errors.js'
import { redactedText } from '../../core/journal/redact.js'
import type { CallbackRecord } from '../../core/model/callback.js'
import { states } from '../../core/model/task.js'
import { isoOf } from '../../core/schedule/iso.js'
import { action, type ControlContext } from '../action.js'

/** A message to a receiver and what became of it. */
export const shownCallback = ({ id, taskId, kind, status, url, body, state, ...record }: CallbackRecord) => ({
  id,
  taskId,
  kind,
  status,
  url: redactedText(url),
  state,
  ...(record.reason === undefined ? {} : { reason: record.reason }),
  body,
  attempts: record.attempts.map((attempt) => ({ ...attempt, at: isoOf(attempt.at) })),
  scenario: record.scenario ?? null,
})

export const callbackFilterSchema = z.strictObject({
  taskId: z.string().optional(),
  kind: z.enum(['challenge', 'delivery']).optional(),
  status: z.enum(states).optional(),
  state: z.enum(['waiting', 'delivered', 'failed', 'skipped']).optional(),
})
type CallbackFilter = z.output<typeof callbackFilterSchema>

/** The callback log of an account, newest first. */
export const callbacksOf = async (
  { callbacks }: ControlContext,
  key: string,
  { status, taskId, kind, state }: CallbackFilter = {},
) => {
  const filter = {
    ...(taskId === undefined ? {} : { taskId }),
    ...(kind === undefined ? {} : { kind }),
    ...(state === undefined ? {} : { state }),
  }
  const { items, evicted } = await callbacks.list(key, filter)
  return { items: items.filter((record) => status === undefined || record.status === status), evicted }
}

export const listCallbacks = action({
  route: { method: 'GET', path: '/callbacks' },
  input: callbackFilterSchema.extend({
    limit: z.coerce.number().int().min(1).default(100),
    offset: z.coerce.number().int().min(0).default(0),
  }),
  run: async (emulator, key, { limit, offset, ...filter }) => {
    const { items, evicted } = await callbacksOf(emulator, key, filter)
    return { items: items.slice(offset, offset + limit).map(shownCallback), total: items.length, evicted }
  },
})

const named = z.strictObject({ id: z.string().min(1) })

export const readCallback = action({
  route: { method: 'GET', path: '/callbacks/:id' },
  input: named,
  run: async ({ callbacks }, key, { id }) => {
    const record = await callbacks.get(key, id)
    if (record === undefined) throw asControlError(unknownCallback(id))
    return shownCallback(record)
  },
})

/** Sends one again now, once, whatever became of it; answers when the receiver has, or has not. */
export const redeliverCallback = action({
  route: { method: 'POST', path: '/callbacks/:id/redeliver' },
  input: named,
  run: async ({ callbacks }, key, { id }) =>
    shownCallback(
      await callbacks.redeliver(key, id).catch((error) => {
        throw error instanceof EmulatorError ? asControlError(error) : error
      }),
    ),
})

const asControlError = ({ code, message, hint }: EmulatorError): ControlError =>
  new ControlError(code === 'unknown-callback' ? 404 : 409, code, message, hint)

/** What a box of the built-in receiver has got, first come first (gap Z11). */
export const readInbox = action({
  route: { method: 'GET', path: '/inbox/:name' },
  input: z.strictObject({ name: z.string().min(1) }),
  run: async ({ inbox }, key, { name }) => {
    const { items, evicted } = inbox.list(key, name)
    return { name, items: items.map(shownItem), evicted }
  },
})
