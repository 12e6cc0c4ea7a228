import { EventEmitter, once } from 'node:events'
import { expect, onTestFinished, test } from 'vitest'
import { createClockScheduler } from '../../src/accounts/clock.js'
import { createMemoryStore, type Store } from '../../src/accounts/store.js'
import { createCallbackDispatcher } from '../../src/callbacks/dispatcher.js'
import { createCallbackHttpClient } from '../../src/callbacks/http-client.js'
import { apply } from '../../src/core/account/apply.js'
import { openAccount } from '../../src/core/model/account.js'
import type { Events } from '../../src/core/model/event.js'
import type { Task } from '../../src/core/model/task.js'
import { type ClockMode, type ClockState, clockWith, readClock } from '../../src/core/schedule/clock.js'
import { nextDue, runDue } from '../../src/core/schedule/run-due.js'
import { settingsSchema } from '../../src/core/settings.js'

const KEY = 'key'

/** A clock that begins at 0, driven over a store that counts how often it is asked. */
const driving = (mode: ClockMode = 'paused', wall: () => number = () => 0) => {
  const opening: ClockState = { mode, speed: 1, now: 0, wall: wall() }
  const memory = createMemoryStore((key) => openAccount(key, settingsSchema.parse({}), opening))
  const counted = { runs: 0 }
  const store: Store = {
    ...memory,
    run: (key, act) => {
      counted.runs += 1
      return memory.run(key, act)
    },
  }
  const events = new EventEmitter<Events>()
  const onInternalError = (bug: unknown) => {
    throw bug
  }
  const post = createCallbackHttpClient({ callbackHosts: [] })
  const dispatcher = createCallbackDispatcher({
    store,
    bodyOf: () => ({}),
    post,
    timeoutScale: 1,
    onInternalError,
  })
  const clock = createClockScheduler({ store, events, dispatcher, wall, onInternalError })
  onTestFinished(() => {
    clock.stop()
    dispatcher.stop()
  })
  return {
    clock,
    events,
    store,
    counted,
    now: (key = KEY) => store.run(key, (account) => readClock(account.clock, wall())),
    put: (id: string, times: readonly [number, number], key = KEY) =>
      store.run(key, (account) => apply(account, [{ putTask: taskAt(id, times) }])),
  }
}

const taskAt = (id: string, [runs, succeeds]: readonly [number, number]): Task => ({
  id,
  family: 'b-video-task',
  account: KEY,
  model: 'videoa-2-0-260128',
  requestId: 'request',
  createdAt: 0,
  params: {},
  timeline: [
    { at: 0, value: { state: 'queued' } },
    { at: runs, value: { state: 'running' } },
    { at: succeeds, value: { state: 'succeeded', media: [] } },
  ],
  price: 0,
})

const told = (happenings: readonly { at: number; id: string; detail: string }[]) =>
  happenings.map(({ at, id, detail }) => `${at} ${id} ${detail}`)

test('passing to an instant lets everything happen that is due by it, in order', async () => {
  const { clock, put, now } = driving()
  await put('one', [10, 30])
  await put('two', [20, 40])
  expect(told(await clock.advanceTo(KEY, 30))).toEqual([
    '10 one running',
    '20 two running',
    '30 one succeeded',
  ])
  expect(await now()).toBe(30)
})

test('one millisecond before a moment it has not happened', async () => {
  const { clock, put, now } = driving()
  await put('one', [10, 30])
  expect(await clock.advanceTo(KEY, 9)).toEqual([])
  expect(await now()).toBe(9)
})

test('passing by a duration begins where the clock stands', async () => {
  const { clock, now } = driving()
  await clock.advanceBy(KEY, 10)
  await clock.advanceBy(KEY, 5)
  expect(await now()).toBe(15)
})

test('a clock does not go back', async () => {
  const { clock, now } = driving()
  await clock.advanceTo(KEY, 30)
  await clock.advanceTo(KEY, 10)
  expect(await now()).toBe(30)
})

test('passing to the next moment stops there', async () => {
  const { clock, put, now } = driving()
  await put('one', [10, 30])
  expect(told(await clock.advanceToNext(KEY))).toEqual(['10 one running'])
  expect(await now()).toBe(10)
})

test('with nothing to come there is no next moment, and the clock stays', async () => {
  const { clock, now } = driving()
  expect(await clock.advanceToNext(KEY)).toEqual([])
  expect(await now()).toBe(0)
})

test('passing until idle ends at the last moment', async () => {
  const { clock, put, now, store } = driving()
  await put('one', [10, 30])
  await put('two', [20, 40])
  expect(await clock.advanceUntilIdle(KEY)).toHaveLength(4)
  expect(await now()).toBe(40)
  expect(await store.run(KEY, nextDue)).toBeUndefined()
})

test('passes of one account take turns: two by ten make twenty', async () => {
  const { clock, now } = driving()
  await Promise.all([clock.advanceBy(KEY, 10), clock.advanceBy(KEY, 10)])
  expect(await now()).toBe(20)
})

test('passes of different accounts leave each other alone', async () => {
  const { clock, put, now } = driving()
  await put('one', [10, 30], 'a')
  const [a, b] = await Promise.all([clock.advanceTo('a', 10), clock.advanceTo('b', 500)])
  expect([told(a), told(b)]).toEqual([['10 one running'], []])
  expect([await now('a'), await now('b')]).toEqual([10, 500])
})

test('listeners hear what happens, each once, with its account', async () => {
  const { clock, put, events } = driving()
  const heard: string[] = []
  events.on('happening', ({ account, id, detail }) => heard.push(`${account} ${id} ${detail}`))
  await put('one', [10, 30])
  await clock.advanceUntilIdle(KEY)
  expect(heard).toEqual([`${KEY} one running`, `${KEY} one succeeded`])
})

test('a live clock reaches its moments by itself', async () => {
  const { clock, put, events, store } = driving('live', Date.now)
  const begun = await store.run(KEY, ({ clock: { wall } }) => wall)
  const ended = once(events, 'happening', { signal: AbortSignal.timeout(10_000) })
  await put('one', [5, 1_000_000])
  await store.run(KEY, (account) => clock.noticed(KEY, [], nextDue(account), account.clock))
  expect(await ended).toMatchObject([{ id: 'one', detail: 'running' }])
  expect(Date.now() - begun).toBeGreaterThanOrEqual(5)
})

test('a live clock that is moved forward is woken earlier', async () => {
  const { clock, put, events } = driving('live', Date.now)
  await put('one', [5, 1_000_020])
  await clock.advanceTo(KEY, 1_000_000)
  expect(await once(events, 'happening', { signal: AbortSignal.timeout(10_000) })).toMatchObject([
    { detail: 'succeeded' },
  ])
})

test('a clock that is made live is woken for what was to come', async () => {
  const { clock, put, events, store } = driving('paused', Date.now)
  await put('one', [5, 1_000_000])
  await store.run(KEY, (account) => {
    account.clock = clockWith(account.clock, { mode: 'live' }, Date.now())
    clock.noticed(KEY, [], nextDue(account))
  })
  expect(await once(events, 'happening', { signal: AbortSignal.timeout(10_000) })).toMatchObject([
    { detail: 'running' },
  ])
})

test.each(['paused', 'on-poll', 'live'] as const)(
  'being told of nothing new asks the store nothing (%s)',
  async (mode) => {
    const { clock, put, store, counted } = driving(mode)
    await put('one', [1_000_000, 2_000_000])
    const state = await store.run(KEY, (account) => account.clock)
    const before = counted.runs
    for (let count = 0; count < 10; count += 1) clock.noticed(KEY, [], 1_000_000, state)
    expect(counted.runs).toBe(before)
  },
)

test('what others brought about during a pass is among what happened', async () => {
  const { clock, put, store } = driving()
  await put('one', [0, 30])
  const passing = clock.advanceTo(KEY, 20)
  clock.noticed(KEY, await store.run(KEY, (account) => runDue(account, 0)), undefined)
  expect(told(await passing)).toEqual(['0 one running'])
})

test('a pass of an account that is forgotten does not move the new one', async () => {
  const { clock, put, store, now } = driving()
  await put('one', [10, 30])
  const passing = clock.advanceTo(KEY, 20)
  clock.forget(KEY)
  await store.forget(KEY)
  await passing
  expect(await now()).toBe(0)
})
