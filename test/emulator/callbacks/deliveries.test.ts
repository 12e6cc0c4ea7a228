import { expect, test } from 'vitest'
import type { SettingsInput } from '../../../src/emulator/settings.js'
import { KEY, startOnPort } from '../../emulator.js'
import { callbackLog, eventLines } from './lines.js'
import { type Answer, passingThen, type Receiver, startReceiver, withStatus } from './receiver.js'

const SECOND = 1_000

test('each status change is sent once, in order, by the time advance returns', async () => {
  const { createF, emulator } = await startOnPort()
  const receiver = await startReceiver()
  await createF({ callback_url: receiver.url })
  await emulator.callbacks.idle(KEY)
  const happened = eventLines(await emulator.clock.advanceUntilIdle(KEY))
  expect(receiver.kinds()).toEqual(['challenge', 'queued', 'running', 'succeeded'])
  expect(happened).toEqual(['task running', 'callback delivered', 'task succeeded', 'callback delivered'])
})

test('an advance to the next moment runs to the next change and its delivery', async () => {
  const { createF, emulator } = await startOnPort()
  const receiver = await startReceiver()
  await createF({ callback_url: receiver.url })
  await emulator.callbacks.idle(KEY)
  expect(eventLines(await emulator.clock.advanceToNext(KEY))).toEqual(['task running', 'callback delivered'])
})

test('a receiver may be given more time than a timer of Node has', async () => {
  const { createB, emulator } = await startOnPort({ callbackTimeoutScale: 1e6 })
  const receiver = await startReceiver((_, response) => void setImmediate(() => response.end()))
  await createB({ callback_url: receiver.url })
  await emulator.callbacks.idle(KEY)
  expect(await callbackLog(emulator)).toEqual(['queued delivered'])
})

test('the body is what a query would have answered at the change', async () => {
  const { createF, emulator, url } = await startOnPort()
  const receiver = await startReceiver()
  const id = await createF({ callback_url: receiver.url })
  await emulator.clock.advanceUntilIdle(KEY)
  const query = await fetch(`${url}/provC/v2/query/video_generation/${id}`, {
    headers: { authorization: KEY },
  })
  expect(receiver.received[3]?.body).toEqual(await query.json())
  expect(receiver.received[2]?.body.task).toMatchObject({ id, status: 'running', usage: {} })
})

test('a result URL in a callback can be fetched where the create call went', async () => {
  const { createF, emulator, url } = await startOnPort()
  const receiver = await startReceiver()
  await createF({ callback_url: receiver.url })
  await emulator.clock.advanceUntilIdle(KEY)
  expect(receiver.received[3]?.body.task.content.url).toMatch(new RegExp(`^${url}/results/`))
})

test('a delivery id stays the same over retries and differs between deliveries', async () => {
  const { createF, emulator } = await startOnPort()
  const receiver = await startReceiver(
    passingThen((_, response, count) => response.writeHead(count === 2 ? 500 : 200).end()),
  )
  const id = await createF({ callback_url: receiver.url })
  await emulator.clock.advanceUntilIdle(KEY)
  const ids = receiver.received.map(({ headers }) => headers['x-backlot-delivery-id'])
  expect(receiver.kinds()).toEqual(['challenge', 'queued', 'queued', 'running', 'succeeded'])
  expect(ids).toEqual([`${id}-0`, `${id}-1`, `${id}-1`, `${id}-2`, `${id}-3`])
})

const refusals: [string, Answer][] = [
  ['404', withStatus(404)],
  ['500', withStatus(500)],
  ['a redirect', (_, response) => response.writeHead(307, { location: '/hook' }).end()],
  ['a reset connection', (_, response) => response.socket?.resetAndDestroy()],
  ['what is no HTTP', (_, response) => response.socket?.end('garbage\r\n\r\n')],
  [
    'an answer that breaks off',
    (_, response) => {
      response.writeHead(200, { 'content-length': 100 }).write('half')
      response.socket?.destroySoon()
    },
  ],
]
const expectFourAttempts = async (answer: Answer, settings: SettingsInput = {}): Promise<Receiver> => {
  const { createB, emulator } = await startOnPort({ timing: 'realistic', ...settings })
  const receiver = await startReceiver(answer)
  const id = await createB({ callback_url: receiver.url })
  await emulator.clock.advanceBy(KEY, 8 * SECOND)
  const record = await emulator.callbacks.get(KEY, `${id}-1`)
  const begun = record?.attempts[0]?.at ?? 0
  expect(record?.attempts.map(({ at }) => at - begun)).toEqual([0, 1 * SECOND, 3 * SECOND, 7 * SECOND])
  expect(record?.state).toBe('failed')
  expect(record?.reason).toMatch(/ It was tried 4 times\.$/)
  return receiver
}

test.each(refusals)('%s is tried again after 1, 2 and 4 seconds of the account clock', async (_, answer) => {
  const receiver = await expectFourAttempts(answer)
  expect(receiver.kinds()).toEqual(['queued', 'queued', 'queued', 'queued'])
})

// With a short time limit the receiver of a busy machine may be too late to read a request: only the attempts are counted.
test.each<[string, Answer]>([
  ['no answer', () => {}],
  ['an answer that never ends', (_, response) => response.writeHead(200).write('slow')],
])('%s is tried again after 1, 2 and 4 seconds, as a refusal is', async (_, answer) => {
  await expectFourAttempts(answer, { callbackTimeoutScale: 0.02 })
})

test('F tries as often as B', async () => {
  const { createF, emulator } = await startOnPort({ timing: 'realistic' })
  const receiver = await startReceiver(passingThen(withStatus(500)))
  const id = await createF({ callback_url: receiver.url })
  await emulator.clock.advanceBy(KEY, 8 * SECOND)
  const record = await emulator.callbacks.get(KEY, `${id}-1`)
  const begun = record?.attempts[0]?.at ?? 0
  expect(record?.attempts.map(({ at }) => at - begun)).toEqual([0, 1 * SECOND, 3 * SECOND, 7 * SECOND])
})

test('a retry is not sent before its time', async () => {
  const { createB, emulator } = await startOnPort({ timing: 'realistic' })
  const receiver = await startReceiver(withStatus(500))
  await createB({ callback_url: receiver.url })
  await emulator.clock.advanceBy(KEY, 1 * SECOND - 1)
  expect(receiver.kinds()).toEqual(['queued'])
  await emulator.clock.advanceBy(KEY, 1)
  expect(receiver.kinds()).toEqual(['queued', 'queued'])
})

const outcomes: [string, number, Answer, object][] = [
  [
    'a refusal',
    1,
    (_, response) => response.writeHead(503).end('busy'),
    { outcome: 'answered', status: 503, answer: 'busy' },
  ],
  ['silence', 0.02, () => {}, { outcome: 'timeout', error: expect.stringContaining('0.1 s') }],
  [
    'a reset',
    1,
    (_, response) => response.socket?.resetAndDestroy(),
    { outcome: 'failed', error: expect.stringContaining('ECONNRESET') },
  ],
  [
    'a half answer',
    1,
    (_, response) => {
      response.writeHead(200, { 'content-length': 100 }).write('half')
      response.socket?.destroySoon()
    },
    { outcome: 'failed', status: 200, error: expect.stringContaining('closed before') },
  ],
]
test.each(outcomes)('the log keeps how an attempt ended: %s', async (_, scale, answer, expected) => {
  const { createB, emulator } = await startOnPort({ callbackTimeoutScale: scale })
  const receiver = await startReceiver(answer)
  const id = await createB({ callback_url: receiver.url })
  await emulator.callbacks.idle(KEY)
  const record = await emulator.callbacks.get(KEY, `${id}-1`)
  expect(record?.state).toBe('waiting')
  expect(record?.attempts).toEqual([
    { at: Date.UTC(2026, 0, 1), durationMs: expect.any(Number), ...expected },
  ])
})

test('an advance moves the clock only once what was on its way has landed', async () => {
  const { createF, emulator } = await startOnPort()
  const held: (() => void)[] = []
  const receiver = await startReceiver((received, response, count) => {
    if (count === 1) held.push(() => response.end(received.body.challenge))
    else response.end()
  })
  const id = await createF({ callback_url: receiver.url })
  await receiver.until(1)
  const advancing = emulator.clock.advanceToNext(KEY)
  held[0]?.()
  await advancing
  const queued = await emulator.callbacks.get(KEY, `${id}-1`)
  expect(queued?.attempts).toMatchObject([{ at: Date.UTC(2026, 0, 1) }])
})

test('a later change waits until the one before it has been answered', async () => {
  const { createF, emulator } = await startOnPort()
  const receiver = await startReceiver(
    passingThen((_, response, count) => response.writeHead(count <= 3 ? 500 : 200).end()),
  )
  await createF({ callback_url: receiver.url })
  await emulator.clock.advanceUntilIdle(KEY)
  expect(receiver.kinds()).toEqual(['challenge', 'queued', 'queued', 'queued', 'running', 'succeeded'])
})

test('a later change is sent once the one before it is given up', async () => {
  const { createF, emulator } = await startOnPort()
  const receiver = await startReceiver(
    passingThen(({ what }, response) => response.writeHead(what === 'queued' ? 500 : 200).end()),
  )
  await createF({ callback_url: receiver.url })
  const happened = eventLines(await emulator.clock.advanceUntilIdle(KEY))
  expect(happened.filter((line) => line === 'callback failed')).toHaveLength(1)
  expect(happened.filter((line) => line === 'callback retrying')).toHaveLength(3)
  expect(await callbackLog(emulator)).toEqual([
    'challenge delivered',
    'queued failed',
    'running delivered',
    'succeeded delivered',
  ])
})

test('an endless answer counts as soon as enough of it has come', async () => {
  const { createF, emulator } = await startOnPort()
  const receiver = await startReceiver(
    passingThen((_, response) => {
      const more = () => {
        while (response.write('x'.repeat(16 * 1024)));
      }
      response.writeHead(200).on('drain', more)
      more()
    }),
  )
  const id = await createF({ callback_url: receiver.url })
  await emulator.callbacks.idle(KEY)
  const record = await emulator.callbacks.get(KEY, `${id}-1`)
  expect(record).toMatchObject({ state: 'delivered', attempts: [{ outcome: 'answered', status: 200 }] })
  expect(record?.attempts[0]?.answer).toBe('x'.repeat(1_000))
})

test('a delivery to a receiver that does not run is a failed attempt', async () => {
  const { createB, emulator } = await startOnPort()
  const id = await createB({ callback_url: 'http://127.0.0.1:9/hook' })
  await emulator.callbacks.idle(KEY)
  expect((await emulator.callbacks.get(KEY, `${id}-1`))?.attempts).toMatchObject([
    { outcome: 'failed', error: expect.stringContaining('ECONNREFUSED') },
  ])
})

test('a forced end is reported, and a status that is forced again is not', async () => {
  const { createF, emulator, url } = await startOnPort()
  const receiver = await startReceiver()
  const id = await createF({ callback_url: receiver.url })
  const force = (change: object) =>
    fetch(`${url}/_backlot/tasks/${id}`, {
      method: 'PATCH',
      headers: { authorization: KEY },
      body: JSON.stringify(change),
    })
  await force({ status: 'queued' })
  await force({ status: 'failed', error: 'server_error' })
  await emulator.clock.advanceUntilIdle(KEY)
  expect(receiver.kinds()).toEqual(['challenge', 'queued', 'failed'])
  expect(receiver.received[2]?.body.error.code).toBe('1000')
})

test('deliveries of many tasks each come once and in order', async () => {
  const { createF, emulator } = await startOnPort()
  const receiver = await startReceiver()
  const ids = await Promise.all(Array.from({ length: 200 }, () => createF({ callback_url: receiver.url })))
  await emulator.clock.advanceUntilIdle(KEY)
  for (const id of ids)
    expect(receiver.received.filter(({ body }) => body.id === id).map(({ what }) => what)).toEqual([
      'queued',
      'running',
      'succeeded',
    ])
})
