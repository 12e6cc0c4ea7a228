import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, test, vi } from 'vitest'
import { createAdmissionQueue, createKeyedMutex, memoizeLoad } from '../../src/emulator/concurrency.js'
import { setUnrefTimer } from '../../src/emulator/timers.js'

test('turns of a name come one after the other, in order', async () => {
  const mutex = createKeyedMutex()
  const order: string[] = []
  const end = await mutex.acquire('a')
  const others = ['second', 'third'].map(async (who) => {
    const endOther = await mutex.acquire('a')
    order.push(who)
    endOther()
  })
  order.push('first')
  end()
  await Promise.all(others)
  expect(order).toEqual(['first', 'second', 'third'])
})

test('turns of different names do not wait for each other', async () => {
  const mutex = createKeyedMutex()
  await mutex.acquire('a')
  expect(await mutex.acquire('b')).toBeTypeOf('function')
})

test('ending a turn twice ends no other', async () => {
  const mutex = createKeyedMutex()
  const end = await mutex.acquire('a')
  end()
  const endSecond = await mutex.acquire('a')
  end()
  let isThird = false
  const third = mutex.acquire('a').then(() => {
    isThird = true
  })
  await Promise.resolve()
  expect(isThird).toBe(false)
  endSecond()
  await third
})

/** A clock of this machine that only a test moves: what it measures takes no time on a machine that is busy. */
const standingClock = () => {
  let now = 0
  vi.spyOn(performance, 'now').mockImplementation(() => now)
  return {
    advance: (ms: number) => {
      now += ms
    },
  }
}

test('so many jobs start in a turn of the event loop; of those that wait each later turn starts one, in order', async () => {
  standingClock()
  const admit = createAdmissionQueue(2)
  const started: number[] = []
  for (let job = 1; job <= 4; job += 1) admit(() => started.push(job))
  expect(started).toEqual([1, 2])
  await nextTurn()
  // What comes now waits behind those that wait already.
  admit(() => started.push(5))
  expect(started).toEqual([1, 2, 3])
  await nextTurn()
  await nextTurn()
  expect(started).toEqual([1, 2, 3, 4, 5])
  await nextTurn()
  for (let job = 6; job <= 8; job += 1) admit(() => started.push(job))
  expect(started).toEqual([1, 2, 3, 4, 5, 6, 7])
})

test('after a job that takes long, no other one starts in the same turn', async () => {
  const admit = createAdmissionQueue(16)
  const started: number[] = []
  const clock = standingClock()
  const busy = (job: number) => () => {
    clock.advance(6)
    started.push(job)
  }
  for (let job = 1; job <= 3; job += 1) admit(busy(job))
  expect(started).toEqual([1])
  await nextTurn()
  expect(started).toEqual([1, 2])
  await nextTurn()
  expect(started).toEqual([1, 2, 3])
})

test('a load is made once for all calls, and once more after it has failed', async () => {
  let tries = 0
  const load = memoizeLoad(async () => {
    tries += 1
    if (tries === 1) throw new Error('too many open files')
    return tries
  })
  const first = await Promise.allSettled([load(), load()])
  expect(first.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  expect(await Promise.all([load(), load(), load()])).toEqual([2, 2, 2])
})

test('a timer keeps no process running', () => {
  const running = () => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length
  const before = running()
  const cancel = setUnrefTimer(() => {}, 60_000)
  expect(running()).toBe(before)
  cancel()
})
