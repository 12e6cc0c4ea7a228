import { expect, test } from 'vitest'
import { monotonicNow } from '../../src/emulator/core/schedule/time.js'
import { startReceiver } from '../emulator/callbacks/receiver.js'
import { KEY, paths, startForRawCalls, videoOrder } from '../security/raw-calls.js'

const HOUR = 3_600_000

const machine = () => {
  let now = Date.UTC(2026, 5, 1, 12)
  return {
    systemNow: () => now,
    move: (ms: number) => {
      now += ms
    },
  }
}

test('the monotonic clock continues from its time when the system clock is set back', () => {
  const { systemNow, move } = machine()
  const steady = monotonicNow(systemNow)
  const before = steady()
  move(-HOUR)
  expect(steady()).toBe(before)
  move(5_000)
  expect(steady()).toBe(before + 5_000)
  move(-HOUR)
  move(1_000)
  expect(steady()).toBe(before + 5_000)
})

test('the monotonic clock follows a system clock that is set forward, and not one that is set back again', () => {
  const { systemNow, move } = machine()
  const steady = monotonicNow(systemNow)
  const before = steady()
  move(HOUR)
  expect(steady()).toBe(before + HOUR)
  move(-HOUR + 1_000)
  expect(steady()).toBe(before + HOUR)
})

const openLive = async () => {
  const { systemNow, move } = machine()
  const started = await startForRawCalls({ clock: 'live', timing: 'fast' }, { systemNow })
  const clock = async () => Date.parse((await started.ask('/_backlot/clock', { headers: bearer })).body.now)
  const status = async (id: string) =>
    (await started.ask(`${paths.tasks}/${id}`, { headers: bearer })).body.status
  return { ...started, move, clock, status }
}

const bearer = { authorization: `Bearer ${KEY}` }

test('the machine’s clock is set back by an hour: a live clock keeps running, and tasks end', async () => {
  const { post, move, clock, status } = await openLive()
  const { id } = (await post(paths.tasks, videoOrder())).body
  move(1_000)
  const before = await clock()
  const seen = await status(id)
  move(-HOUR)
  expect(await clock()).toBeGreaterThanOrEqual(before)
  expect(await status(id)).toBe(seen)
  move(60_000)
  expect(await clock()).toBeGreaterThanOrEqual(before + 60_000)
  expect(await status(id)).toBe('succeeded')
})

test('when the machine’s clock is set back, each callback is delivered once', async () => {
  const receiver = await startReceiver()
  const { emulator, post, move } = await openLive()
  await post(paths.tasks, videoOrder({ callback_url: receiver.url }))
  const settleNow = () => emulator.clock.advanceBy(KEY, 0)
  for (const ms of [60_000, -HOUR, 30_000, -HOUR, 60_000]) {
    move(ms)
    await settleNow()
    await emulator.callbacks.idle(KEY)
  }
  expect(receiver.kinds()).toEqual(['queued', 'running', 'succeeded'])
})

test('the machine’s clock is set forward by an hour: everything due has happened, once', async () => {
  const receiver = await startReceiver()
  const { emulator, post, move, status } = await openLive()
  const { id } = (await post(paths.tasks, videoOrder({ callback_url: receiver.url }))).body
  move(HOUR)
  expect(await status(id)).toBe('succeeded')
  await emulator.clock.advanceBy(KEY, 0)
  await emulator.callbacks.idle(KEY)
  expect(receiver.kinds()).toEqual(['queued', 'running', 'succeeded'])
})

test('a wait ends though the machine’s clock is set back meanwhile', async () => {
  const { ask, move } = await openLive()
  const waiting = ask('/_backlot/wait?for=request&timeout=50ms', { headers: bearer })
  move(-HOUR)
  expect((await waiting).status).toBe(408)
})

test('a clock that does not run is not moved by the machine’s', async () => {
  const { systemNow, move } = machine()
  const { ask } = await startForRawCalls({ clock: 'paused' }, { systemNow })
  move(-HOUR)
  expect((await ask('/_backlot/clock')).body.now).toBe('2026-01-01T00:00:00.000Z')
})
