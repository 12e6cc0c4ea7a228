import { z } from 'zod'
import { signatureVerdicts } from '../../core/callback/delivery.js'
import { unknownCallback } from '../../core/callback/queue.js'
import { redactedText } from '../../core/journal/redact.js'
import { attemptOutcomes, type CallbackRecord, callbackStates } from '../../core/model/account.js'
import { isoOf } from '../../core/schedule/time.js'
import {
  action,
  brief,
  type ControlContext,
  itemsWith,
  logOf,
  namedObject,
  noInput,
  page,
} from '../action.js'
import { scenarioResultRecord } from './scenarios.js'
import { statusInput, taskStatus } from './tasks.js'

const attemptRecord = namedObject('CallbackAttempt', 'An attempt to reach a receiver.', () => ({
  at: z.string().describe('ISO time, by the clock of the account'),
  durationMs: z.number().describe('milliseconds of real time'),
  outcome: z
    .enum(attemptOutcomes)
    .describe('`refused-address`: the emulator does not send there, and nothing was sent'),
  status: z.number().optional().describe('undefined: no answer came'),
  answer: z.string().optional().describe('the beginning of the text of the answer'),
  error: z.string().optional().describe('undefined: an answer came in time'),
}))

const callbackKind = z.enum(['challenge', 'delivery'])
const callbackState = z.enum(callbackStates)

export const callbackRecord = namedObject(
  'CallbackRecord',
  'A message to a receiver and what became of it.',
  () => ({
    id: z.string().describe("the task's id and a number; sent along as `X-Backlot-Delivery-Id`"),
    taskId: z.string().describe('the task that it reports'),
    kind: callbackKind,
    status: taskStatus.nullable().describe('the status that is reported; null for a challenge'),
    url: z.string().describe('the receiver'),
    state: callbackState.describe(
      '`waiting`: still to be sent, or between two attempts. `skipped`: never sent, for the reason given',
    ),
    reason: z.string().optional().describe('why it was skipped or has failed'),
    body: z.unknown().describe('the body that was sent; null before the first attempt has ended'),
    attempts: z.array(attemptRecord()).describe('in order, those of a redelivery too'),
    scenario: scenarioResultRecord()
      .nullable()
      .describe('the scenario steps that acted, or could have; null: no step was for it'),
  }),
)

/** Records of the callbacks of one account, whose URLs may have its key in them. */
export const callbackRecordFor = (key: string) => (callback: CallbackRecord) => ({
  id: callback.id,
  taskId: callback.taskId,
  kind: callback.kind,
  status: callback.status,
  url: redactedText(callback.url, key),
  state: callback.state,
  ...(callback.reason === undefined ? {} : { reason: callback.reason }),
  body: callback.body,
  attempts: callback.attempts.map((attempt) => ({ ...attempt, at: isoOf(attempt.at) })),
  scenario: callback.scenario ?? null,
})

/** Records for a brief list and for events: without what was sent, and without the texts of the answers. */
export const briefCallbackFor = (key: string) => (callback: CallbackRecord) => ({
  ...callbackRecordFor(key)({ ...callback, body: null }),
  attempts: callback.attempts.map(({ answer: _, ...attempt }) => ({ ...attempt, at: isoOf(attempt.at) })),
})

export const callbackFilter = z.strictObject({
  taskId: z.string().optional().describe('the task that it reports'),
  kind: callbackKind.optional().describe('`challenge`: the verification of the receiver'),
  status: statusInput.optional().describe('the status that it reports'),
  state: callbackState.optional().describe('what became of it'),
})

const byId = z.strictObject({ id: z.string().min(1) })

export const messageRecord = namedObject(
  'InboxMessage',
  'A message in a box of the built-in receiver.',
  () => ({
    receivedAt: z.string().describe('ISO time, by the clock of the account'),
    deliveryId: z.string().nullable().describe('null: the message did not come from the emulator'),
    headers: z.record(z.string(), z.string()),
    body: z.unknown(),
    signature: z
      .enum(signatureVerdicts)
      .optional()
      .describe(
        'whether it was signed as the profile says; absent where the profile has no signature for it',
      ),
  }),
)

export const callbackActions = {
  'callbacks.list': action({
    route: { method: 'GET', path: '/callbacks' },
    summary: 'Challenges and deliveries with every attempt, newest first',
    input: callbackFilter.extend({
      ...page,
      brief: brief('the body of a message and the texts of its answers'),
    }),
    output: () => logOf(callbackRecord()),
    run: async ({ callbacks }, key, { limit, offset, brief, ...filter }) => {
      const { items, evicted } = await callbacks.list(key, filter)
      return {
        items: items.slice(offset, offset + limit).map((brief ? briefCallbackFor : callbackRecordFor)(key)),
        total: items.length,
        evicted,
      }
    },
  }),
  'callbacks.read': action({
    route: { method: 'GET', path: '/callbacks/:id' },
    summary: 'One challenge or delivery with its attempts',
    input: byId,
    output: callbackRecord,
    run: async ({ callbacks }, key, { id }) => {
      const callback = await callbacks.get(key, id)
      if (callback === undefined) throw unknownCallback(id)
      return callbackRecordFor(key)(callback)
    },
  }),
  'callbacks.redeliver': action({
    route: { method: 'POST', path: '/callbacks/:id/redeliver' },
    summary: 'Send a callback again, now and once; answers when the attempt has ended',
    input: byId,
    output: callbackRecord,
    run: async ({ callbacks }, key, { id }) => callbackRecordFor(key)(await callbacks.redeliver(key, id)),
  }),
  'inbox.list': action({
    route: { method: 'GET', path: '/inbox' },
    summary: 'The boxes of the built-in receiver that have messages of the account',
    input: noInput,
    output: () => itemsWith({ name: z.string(), messages: z.number() }),
    run: ({ inbox }, key) => ({
      items: [...inbox.countByName(key)].map(([name, messages]) => ({ name, messages })),
    }),
  }),
  'inbox.read': action({
    route: { method: 'GET', path: '/inbox/:name' },
    summary: 'The messages in a box of the built-in receiver, oldest first',
    input: z.strictObject({ name: z.string().min(1) }),
    output: () =>
      z.object({
        name: z.string(),
        items: z.array(messageRecord()),
        evicted: z.number().describe('number of messages evicted from all boxes of the account'),
      }),
    run: (context, key, { name }) => ({ name, ...messagesIn(context, key, name) }),
  }),
}

/** The messages of a box of the built-in receiver, oldest first (gap Z11). */
export const messagesIn = ({ inbox }: ControlContext, key: string, name: string) => {
  const { items, evicted } = inbox.list(key, name)
  return { items: items.map((item) => ({ ...item, receivedAt: isoOf(item.receivedAt) })), evicted }
}
