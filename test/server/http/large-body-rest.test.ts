import { EventEmitter, once } from 'node:events'
import type { Worker } from 'node:worker_threads'
import { expect, onTestFinished, test, vi } from 'vitest'
import type { Events } from '../../../src/core/events.js'
import type { SetTimer } from '../../../src/server/faults/waits.js'
import { createLargeBodyReader } from '../../../src/server/http/large-body/reader.js'
import { createHealthIssues } from '../../../src/server/troubles.js'

const chunks = (text: string) => [Buffer.from(text)]

/** The threads that begin until the test is over, in their order. */
const threadsThatBegin = (): Worker[] => {
  const threads: Worker[] = []
  const notice = (thread: Worker) => void threads.push(thread)
  process.on('worker', notice)
  onTestFinished(() => void process.off('worker', notice))
  return threads
}

/** A reader whose time of rest is over when the test says so. */
const openReader = () => {
  const threads = threadsThatBegin()
  const events = new EventEmitter<Events>()
  const told: string[] = []
  events.on('trouble', ({ need, state }) => told.push(`${need} ${state}`))
  const timers: { ring: () => void; ms: number; isOff: boolean }[] = []
  const setTimer: SetTimer = (ring, ms) => {
    const timer = { ring, ms, isOff: false }
    timers.push(timer)
    return () => {
      timer.isOff = true
    }
  }
  const ringing = () => timers.filter(({ isOff }) => !isOff)
  const reader = createLargeBodyReader([], createHealthIssues(events), setTimer)
  return { reader, told, threads, timers, ringing, ring: () => ringing().at(-1)?.ring() }
}

test('the thread ends after five seconds with nothing to do, which is no trouble, and begins again', async () => {
  const { reader, told, threads, timers, ring } = openReader()
  await reader.read(chunks('{"a":1}'))
  expect(timers.map(({ ms }) => ms)).toEqual([5_000])
  const [first] = threads
  const ended = once(first as Worker, 'exit')
  ring()
  expect(await ended).toEqual([0])
  expect(await reader.read(chunks('{"a":2}'))).toMatchObject({ kind: 'json', value: { a: 2 } })
  expect(threads).toHaveLength(2)
  expect(told).toEqual([])
  await reader.stop()
})

test('a thread that still has a body to read does not rest, and a body that comes calls its rest off', async () => {
  const { reader, threads, timers, ringing } = openReader()
  await Promise.all([reader.read(chunks('[1]')), reader.read(chunks('[2]'))])
  expect(timers).toHaveLength(1)
  const third = reader.read(chunks('[3]'))
  expect(ringing()).toEqual([])
  await third
  expect(ringing()).toHaveLength(1)
  expect(threads).toHaveLength(1)
  await reader.stop()
  expect(ringing()).toEqual([])
})

test('a body that comes while the thread ends is read by another', async () => {
  const { reader, told, threads, ring } = openReader()
  await reader.read(chunks('[1]'))
  const ended = once(threads[0] as Worker, 'exit')
  ring()
  expect(await reader.read(chunks('[2]'))).toMatchObject({ kind: 'json', value: [2] })
  await ended
  // The end of the first is nothing to the second.
  expect(await reader.read(chunks('[3]'))).toMatchObject({ kind: 'json', value: [3] })
  expect(threads).toHaveLength(2)
  expect(told).toEqual([])
  await reader.stop()
})

test('stopping waits for a thread that ends', async () => {
  const { reader, threads, ring } = openReader()
  await reader.read(chunks('[1]'))
  ring()
  await reader.stop()
  expect(threads.map(({ threadId }) => threadId)).toEqual([-1])
})

test('a thread that rests keeps no process alive', async () => {
  const timers = vi.spyOn(globalThis, 'setTimeout')
  const reader = createLargeBodyReader([])
  await reader.read(chunks('[1]'))
  const rest = timers.mock.calls.findIndex(([, ms]) => ms === 5_000)
  const timer = timers.mock.results[rest]?.value as NodeJS.Timeout
  expect(timer.hasRef()).toBe(false)
  await reader.stop()
})
