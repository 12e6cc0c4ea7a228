import { expect, test } from 'vitest'
import { SECOND } from '../../../src/emulator/core/schedule/time.js'
import { KEY, startOnPort } from '../../emulator.js'
import { callbackLog, eventLines } from './lines.js'
import { type Answer, passingThen, startReceiver, withStatus } from './receiver.js'

test('the challenge is sent right after create, without a clock that moves', async () => {
  const { createF } = await startOnPort()
  const receiver = await startReceiver()
  await createF({ callback_url: receiver.url })
  await receiver.until(1)
  expect(receiver.received[0]?.body).toEqual({ challenge: expect.stringMatching(/^[0-9a-f]{32}$/) })
  expect(receiver.received[0]?.headers['content-type']).toBe('application/json')
})

test('create does not wait for the challenge to be answered', async () => {
  const { createF, emulator } = await startOnPort()
  const receiver = await startReceiver(() => {})
  const id = await createF({ callback_url: receiver.url })
  await receiver.until(1)
  expect(await emulator.callbacks.get(KEY, `${id}-0`)).toMatchObject({ state: 'waiting', attempts: [] })
})

test('the same seed, account and sequence number give the same challenge', async () => {
  const challenges: string[] = []
  for (let round = 0; round < 2; round += 1) {
    const { createF } = await startOnPort({ seed: 7 })
    const receiver = await startReceiver()
    await createF({ callback_url: receiver.url })
    await receiver.until(1)
    challenges.push(receiver.received[0]?.body.challenge)
  }
  expect(challenges[0]).toBe(challenges[1])
})

const passes: [string, Answer][] = [
  ['JSON with the challenge', ({ body }, response) => response.end(JSON.stringify(body))],
  ['JSON with more than it', ({ body }, response) => response.end(JSON.stringify({ code: 0, ...body }))],
  ['the challenge as text', ({ body }, response) => response.end(body.challenge)],
  ['the challenge and 201', ({ body }, response) => response.writeHead(201).end(body.challenge)],
]
test.each(passes)('%s passes, and the queued status follows', async (_, answer) => {
  const { createF, emulator } = await startOnPort()
  const receiver = await startReceiver((received, response, count) =>
    received.what === 'challenge' ? answer(received, response, count) : response.end(),
  )
  await createF({ callback_url: receiver.url })
  await emulator.callbacks.idle(KEY)
  expect(receiver.kinds()).toEqual(['challenge', 'queued'])
  expect(await callbackLog(emulator)).toEqual(['challenge delivered', 'queued delivered'])
})

const fails: [string, Answer][] = [
  ['another challenge', (_, response) => response.end(JSON.stringify({ challenge: 'x'.repeat(32) }))],
  ['an empty answer', (_, response) => response.end()],
  ['JSON without it', (_, response) => response.end('{"ok":true}')],
  ['JSON that is null', (_, response) => response.end('null')],
  ['the challenge with a line break', ({ body }, response) => response.end(`${body.challenge}\n`)],
  ['the challenge with 400', ({ body }, response) => response.writeHead(400).end(body.challenge)],
  ['a redirect', (_, response) => response.writeHead(302, { location: '/elsewhere' }).end()],
  ['no answer', () => {}],
  ['a connection that is reset', (_, response) => response.socket?.resetAndDestroy()],
]
test.each(fails)('with %s the task still runs and no status is sent', async (_, answer) => {
  const { createF, emulator, statusOfF } = await startOnPort({ callbackTimeoutScale: 0.02 })
  const receiver = await startReceiver(answer)
  const id = await createF({ callback_url: receiver.url })
  await emulator.clock.advanceUntilIdle(KEY)
  expect(await statusOfF(id)).toBe('succeeded')
  expect(receiver.kinds()).toEqual(['challenge'])
  expect(await callbackLog(emulator)).toEqual([
    'challenge failed',
    'queued skipped',
    'running skipped',
    'succeeded skipped',
  ])
})

test('the log says why the challenge failed and why nothing was sent', async () => {
  const { createF, emulator } = await startOnPort()
  const receiver = await startReceiver(withStatus(404))
  const id = await createF({ callback_url: receiver.url })
  await emulator.callbacks.idle(KEY)
  expect(await emulator.callbacks.get(KEY, `${id}-0`)).toMatchObject({
    kind: 'challenge',
    status: null,
    state: 'failed',
    reason: 'The receiver answered 404 and did not return the challenge.',
    attempts: [{ outcome: 'answered', status: 404, answer: '' }],
  })
  expect(await emulator.callbacks.get(KEY, `${id}-1`)).toMatchObject({
    kind: 'delivery',
    status: 'queued',
    state: 'skipped',
    body: null,
    attempts: [],
    reason: expect.stringContaining('challenge'),
  })
})

/** Why a challenge failed that was answered with a status. */
const reasonAfter = async (status: number): Promise<string | undefined> => {
  const { createF, emulator } = await startOnPort()
  const receiver = await startReceiver(withStatus(status))
  const id = await createF({ callback_url: receiver.url })
  await emulator.callbacks.idle(KEY)
  const { state, reason } = (await emulator.callbacks.get(KEY, `${id}-0`)) ?? {}
  expect(state).toBe('failed')
  return reason
}

const MOVED = 'redirects are not followed, so the callback URL has to be the final one.'

test.each([299, 300, 304, 309, 400])('the log says that %i did not return the challenge', async (status) =>
  expect(await reasonAfter(status)).toBe(`The receiver answered ${status} and did not return the challenge.`),
)

test.each([301, 302, 303, 307, 308])('the log says of a challenge that %i was a redirect', async (status) =>
  expect(await reasonAfter(status)).toBe(`The receiver answered ${status}: ${MOVED}`),
)

test('the log says of a delivery that was redirected that redirects are not followed', async () => {
  const { createB, emulator } = await startOnPort({ timing: 'realistic' })
  const receiver = await startReceiver(withStatus(308))
  const id = await createB({ callback_url: receiver.url })
  await emulator.clock.advanceBy(KEY, 8 * SECOND)
  expect((await emulator.callbacks.get(KEY, `${id}-1`))?.reason).toBe(
    `The receiver answered 308: ${MOVED} It was tried 4 times.`,
  )
})

test('advance waits for a challenge that is on its way, and names it among what happened', async () => {
  const { createF, emulator } = await startOnPort()
  const held: (() => void)[] = []
  const receiver = await startReceiver(({ body }, response) => held.push(() => response.end(body.challenge)))
  await createF({ callback_url: receiver.url })
  await receiver.until(1)
  const advancing = emulator.clock.advanceBy(KEY, 0)
  held[0]?.()
  await receiver.until(2)
  held[1]?.()
  expect(eventLines(await advancing)).toEqual(['callback passed', 'callback delivered'])
})

test('every status of an instant timeline is sent in order, after the challenge', async () => {
  const { createF, emulator } = await startOnPort({ timing: 'instant' })
  const receiver = await startReceiver(passingThen((_, response) => response.end()))
  await createF({ callback_url: receiver.url })
  await emulator.callbacks.idle(KEY)
  expect(receiver.kinds()).toEqual(['challenge', 'queued', 'running', 'succeeded'])
})
