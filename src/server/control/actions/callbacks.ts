import { z } from 'zod'
import type { CallbackRecord } from '../../../core/callback/callback.js'
import { unknownCallback } from '../../../core/callback/resend.js'
import { EmulatorError } from '../../../core/emulator-error.js'
import { redactedText } from '../../../core/journal/redact.js'
import { states } from '../../../core/task/phase.js'
import { action, type ControlContext } from '../action.js'
import { ControlError } from '../control-error.js'
import { isoOf } from '../iso.js'

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
export type CallbackFilter = z.output<typeof callbackFilterSchema>

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
