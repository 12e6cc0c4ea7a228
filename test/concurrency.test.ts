import { expect, test } from 'vitest'
import { createKeyedMutex } from '../src/concurrency.js'

test('turns of a name come one after the other, in order', async () => {
  const mutex = createKeyedMutex()
  const told: string[] = []
  const end = await mutex.acquire('a')
  const others = ['second', 'third'].map(async (who) => {
    const endOther = await mutex.acquire('a')
    told.push(who)
    endOther()
  })
  told.push('first')
  end()
  await Promise.all(others)
  expect(told).toEqual(['first', 'second', 'third'])
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
