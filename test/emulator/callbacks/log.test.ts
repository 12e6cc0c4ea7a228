import { once } from 'node:events'
import { expect, test } from 'vitest'
import type { Callbacks } from '../../../src/emulator/callbacks/dispatcher.js'
import { createHandles } from '../../../src/emulator/client/handles.js'
import { localTransport } from '../../../src/emulator/client/local-transport.js'
import { invokeAction } from '../../../src/emulator/control/invoke.js'
import { KEY, startOnPort } from '../../emulator.js'
import { callbackLog } from './lines.js'
import { type Answer, passingThen, startReceiver, withStatus } from './receiver.js'

test('the log lists the newest first', async () => {
  const { createB, emulator } = await startOnPort()
  const receiver = await startReceiver()
  await createB({ callback_url: receiver.url })
  await emulator.clock.advanceUntilIdle(KEY)
  const { items } = await emulator.callbacks.list(KEY)
  expect(items.map(({ status }) => status)).toEqual(['succeeded', 'running', 'queued'])
})

test('the log can be filtered by task, kind and state', async () => {
  const { createB, createF, emulator } = await startOnPort()
  const receiver = await startReceiver(withStatus(400))
  const ofB = await createB({ callback_url: receiver.url })
  const ofF = await createF({ callback_url: receiver.url })
  await emulator.callbacks.idle(KEY)
  const idsOf = async (filter: Parameters<Callbacks['list']>[1]) =>
    (await emulator.callbacks.list(KEY, filter)).items.map(({ id }) => id)
  expect(await idsOf({ taskId: ofF })).toEqual([`${ofF}-1`, `${ofF}-0`])
  expect(await idsOf({ kind: 'challenge' })).toEqual([`${ofF}-0`])
  expect(await idsOf({ state: 'waiting' })).toEqual([`${ofB}-1`])
})

test('the log keeps so many callbacks, says how many went, and sends them all', async () => {
  const { createB, emulator } = await startOnPort({ callbackLogEntries: 2 })
  const receiver = await startReceiver()
  await createB({ callback_url: receiver.url })
  await emulator.clock.advanceUntilIdle(KEY)
  const { items, evicted } = await emulator.callbacks.list(KEY)
  expect(items.map(({ status }) => status)).toEqual(['succeeded', 'running'])
  expect(evicted).toBe(1)
  expect(receiver.kinds()).toEqual(['queued', 'running', 'succeeded'])
})

test.each([
  ['{"ok":true,"token":"a-secret-of-theirs","next":"a"}', '{"ok":true,"token":"(left out)","next":"a"}'],
  ['ok&token=a-secret-of-theirs', '(left out)'],
  ['sent to http://127.0.0.1/x?token=a-secret-of-theirs&page=2', '(left out)'],
  ['Bearer a-secret-of-theirs', 'Bearer (left out)'],
  [`{"page":"${'x'.repeat(9_000)}","token":"a-secret-of-theirs"}`, `{"page":"${'x'.repeat(991)}`],
  ['the page is 7', 'the page is 7'],
])('the answer of a receiver is kept without credentials: case %#', async (answer, kept) => {
  const { createB, emulator } = await startOnPort()
  const receiver = await startReceiver((_, response) => void response.end(answer))
  const id = await createB({ callback_url: receiver.url })
  await emulator.callbacks.idle(KEY)
  const shown = (await emulator.callbacks.get(KEY, `${id}-1`))?.attempts[0]?.answer
  expect(shown).toBe(kept)
})

test('a callback that waits for its turn is in the log', async () => {
  const { createF, emulator } = await startOnPort()
  const receiver = await startReceiver(() => {})
  await createF({ callback_url: receiver.url })
  expect(await callbackLog(emulator)).toEqual(['challenge waiting', 'queued waiting'])
})

test('the control API shows a callback with what was sent and each attempt, a page at a time', async () => {
  const { createB, emulator, url } = await startOnPort()
  const receiver = await startReceiver()
  const id = await createB({ callback_url: receiver.url })
  await emulator.clock.advanceUntilIdle(KEY)
  const headers = { authorization: `Bearer ${KEY}` }
  const response = await fetch(`${url}/_backlot/callbacks?limit=1&offset=1`, { headers })
  const attempt = { at: expect.stringMatching(/^2026-01-01T\S+Z$/), outcome: 'answered', status: 200 }
  const sent = { kind: 'delivery', status: 'running', url: receiver.url, state: 'delivered', scenario: null }
  expect(await response.json()).toEqual({
    items: [
      {
        ...{ id: `${id}-2`, taskId: id, ...sent, body: receiver.received[1]?.body },
        attempts: [{ ...attempt, durationMs: expect.any(Number), answer: 'ok' }],
      },
    ],
    total: 3,
    evicted: 0,
  })
})

test('loose ends are the callbacks that were not accepted, oldest first, and only they come with a timeline', async () => {
  const { createB, emulator } = await startOnPort()
  let status = 200
  const receiver = await startReceiver((_, response) => response.writeHead(status).end())
  await createB({ callback_url: receiver.url })
  await emulator.callbacks.idle(KEY)
  expect(await invokeAction(emulator, 'loose-ends.read', KEY, {})).toMatchObject({ undeliveredCallbacks: [] })
  status = 500
  await emulator.clock.advanceUntilIdle(KEY)
  expect(await invokeAction(emulator, 'finish', KEY, {})).toMatchObject({
    undeliveredCallbacks: [{ status: 'running' }, { status: 'succeeded' }],
    timeline: expect.arrayContaining([expect.objectContaining({ kind: 'callback' })]),
  })
  status = 200
  await createB({ callback_url: receiver.url })
  await emulator.clock.advanceUntilIdle(KEY)
  const none = { unexpectedCalls: [], undeliveredCallbacks: [], unusedSteps: [], abandonedTasks: [] }
  // Nothing is loose; the verdict alone finds that the results were not downloaded.
  expect(await invokeAction(emulator, 'finish', KEY, {})).toMatchObject({
    ...none,
    verdict: [{ kind: 'never-fetched' }],
  })
})

test('another account sees none of it', async () => {
  const { createB, emulator } = await startOnPort()
  const receiver = await startReceiver()
  await createB({ callback_url: receiver.url })
  expect((await emulator.callbacks.list('another-key')).items).toEqual([])
})

test('sending again sends the same body under the same id, and adds an attempt', async () => {
  const { createB, emulator } = await startOnPort()
  const receiver = await startReceiver()
  const id = await createB({ callback_url: receiver.url })
  await emulator.clock.advanceUntilIdle(KEY)
  const record = await emulator.callbacks.redeliver(KEY, `${id}-2`)
  expect(receiver.kinds()).toEqual(['queued', 'running', 'succeeded', 'running'])
  expect(receiver.received[3]?.body).toEqual(receiver.received[1]?.body)
  expect(receiver.received[3]?.headers['x-backlot-delivery-id']).toBe(`${id}-2`)
  expect(record).toMatchObject({ state: 'delivered', attempts: [{ status: 200 }, { status: 200 }] })
})

test('a callback that had failed is delivered when it is sent again', async () => {
  const { createB, emulator } = await startOnPort()
  let status = 500
  const receiver = await startReceiver((_, response) => response.writeHead(status).end())
  const id = await createB({ callback_url: receiver.url })
  await emulator.clock.advanceUntilIdle(KEY)
  expect((await emulator.callbacks.get(KEY, `${id}-1`))?.state).toBe('failed')
  status = 200
  const record = await emulator.callbacks.redeliver(KEY, `${id}-1`)
  expect(record.state).toBe('delivered')
  expect(record).not.toHaveProperty('reason')
})

test('a callback that was delivered stays so when it fails the second time', async () => {
  const { createB, emulator } = await startOnPort()
  let status = 200
  const receiver = await startReceiver((_, response) => response.writeHead(status).end())
  const id = await createB({ callback_url: receiver.url })
  await emulator.callbacks.idle(KEY)
  status = 500
  expect((await emulator.callbacks.redeliver(KEY, `${id}-1`)).state).toBe('delivered')
})

test('a callback that waits for its next attempt has it now', async () => {
  const { createB, emulator } = await startOnPort()
  const receiver = await startReceiver((_, response, count) =>
    response.writeHead(count === 1 ? 500 : 200).end(),
  )
  const id = await createB({ callback_url: receiver.url })
  await emulator.callbacks.idle(KEY)
  expect((await emulator.callbacks.redeliver(KEY, `${id}-1`)).state).toBe('delivered')
  await emulator.clock.advanceUntilIdle(KEY)
  expect(receiver.kinds()).toEqual(['queued', 'queued', 'running', 'succeeded'])
})

test('many that are due at one instant and are sent again are each awaited', async () => {
  const { createB, emulator } = await startOnPort()
  const statuses = Array.from({ length: 30 }, () => 500)
  const receiver = await startReceiver((_, response) => response.writeHead(statuses.pop() ?? 200).end())
  const ids: string[] = []
  for (const _ of statuses.slice()) ids.push(await createB({ callback_url: receiver.url }))
  await emulator.callbacks.idle(KEY)
  const records = await Promise.all(ids.map((id) => emulator.callbacks.redeliver(KEY, `${id}-1`)))
  for (const { state, attempts } of records) expect([state, attempts.length]).toEqual(['delivered', 2])
})

test('copies that are sent at the same time are all awaited when they are sent before they are due', async () => {
  const { createB, emulator } = await startOnPort()
  await createHandles(KEY, localTransport(emulator, KEY)).scenario.play({
    name: 'twice',
    description: 'The first callback is sent late, twice at the same time.',
    steps: [
      {
        when: { callback: { status: 'queued' } },
        then: { callback: { late: '1h', copies: 2, atOnce: true } },
      },
    ],
  })
  const waiting: (() => void)[] = []
  const receiver = await startReceiver((_, response) => {
    // The one that comes first is answered last.
    if (waiting.push(() => response.end()) === 2) for (const answer of waiting.reverse()) answer()
  })
  const id = await createB({ callback_url: receiver.url })
  await emulator.callbacks.idle(KEY)
  const record = await emulator.callbacks.redeliver(KEY, `${id}-1`)
  expect(record.attempts.map(({ status }) => status)).toEqual([200, 200])
})

test('a callback that was skipped can be sent, and a challenge that passes now opens the way', async () => {
  const { createF, emulator } = await startOnPort()
  let status = 500
  const receiver = await startReceiver(({ body }, response) =>
    response.writeHead(status).end(body.challenge ?? ''),
  )
  const id = await createF({ callback_url: receiver.url })
  await emulator.callbacks.idle(KEY)
  status = 200
  await emulator.callbacks.redeliver(KEY, `${id}-0`)
  await emulator.callbacks.redeliver(KEY, `${id}-1`)
  await emulator.clock.advanceUntilIdle(KEY)
  expect(receiver.kinds()).toEqual(['challenge', 'challenge', 'queued', 'running', 'succeeded'])
  expect(await callbackLog(emulator)).toEqual([
    'challenge delivered',
    'queued delivered',
    'running delivered',
    'succeeded delivered',
  ])
})

test('a callback that waits for its turn cannot be sent again', async () => {
  const { createF, emulator } = await startOnPort()
  const receiver = await startReceiver(() => {})
  const id = await createF({ callback_url: receiver.url })
  await expect(emulator.callbacks.redeliver(KEY, `${id}-1`)).rejects.toMatchObject({
    code: 'callback-waiting',
  })
})

test('an unknown callback cannot be sent again', async () => {
  const { emulator } = await startOnPort()
  await expect(emulator.callbacks.redeliver(KEY, 'nothing-1')).rejects.toMatchObject({
    code: 'unknown-callback',
  })
})

test('forgetting an account breaks off what is on its way and leaves no trace in the new one', async () => {
  const { createF, emulator } = await startOnPort({ callbackTimeoutScale: 100 })
  let closed: Promise<unknown> | undefined
  const hanging: Answer = (_, response) => {
    closed = once(response, 'close')
  }
  const receiver = await startReceiver(passingThen(hanging))
  await createF({ callback_url: receiver.url })
  await receiver.until(2)
  const advancing = emulator.clock.advanceUntilIdle(KEY)
  await emulator.forget(KEY)
  await Promise.all([advancing, emulator.callbacks.idle(KEY), closed])
  expect(await emulator.callbacks.list(KEY)).toEqual({ items: [], evicted: 0 })
  expect(await emulator.store.read(KEY, ({ clock }) => clock.now)).toBe(Date.UTC(2026, 0, 1))
})

test('a new account reports a task with a former id as a first one', async () => {
  const { createF, emulator } = await startOnPort()
  const hanging = await startReceiver(() => {})
  const first = await createF({ callback_url: hanging.url })
  await hanging.until(1)
  await emulator.forget(KEY)
  const receiver = await startReceiver()
  expect(await createF({ callback_url: receiver.url })).toBe(first)
  await emulator.clock.advanceUntilIdle(KEY)
  expect(receiver.kinds()).toEqual(['challenge', 'queued', 'running', 'succeeded'])
})

test('stopping ends an advance that waits for a receiver, at once', async () => {
  const { createB, emulator } = await startOnPort()
  const receiver = await startReceiver(() => {})
  await createB({ callback_url: receiver.url })
  await receiver.until(1)
  const advancing = emulator.clock.advanceUntilIdle(KEY)
  await emulator.stop()
  await advancing
  expect(receiver.kinds()).toEqual(['queued'])
})

test('nothing is sent after the emulator was stopped', async () => {
  const { createB, emulator } = await startOnPort()
  await emulator.stop()
  const refusing = await startReceiver(withStatus(500))
  await createB({ callback_url: refusing.url })
  await emulator.clock.advanceUntilIdle(KEY)
  expect(refusing.received).toEqual([])
})
