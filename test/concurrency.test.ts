import { expect, test } from 'vitest'
import { createKeyedMutex } from '../src/concurrency.js'

test('turns of a name come one after the other, in order', async () => {
  const takeTurn = createKeyedMutex()
  const told: string[] = []
  const end = await takeTurn('a')
  const others = ['second', 'third'].map(async (who) => {
    const endOther = await takeTurn('a')
    told.push(who)
    endOther()
  })
  told.push('first')
  end()
  await Promise.all(others)
  expect(told).toEqual(['first', 'second', 'third'])
})

test('turns of different names do not wait for each other', async () => {
  const takeTurn = createKeyedMutex()
  await takeTurn('a')
  expect(await takeTurn('b')).toBeTypeOf('function')
})

test('ending a turn twice ends no other', async () => {
  const takeTurn = createKeyedMutex()
  const end = await takeTurn('a')
  end()
  const endSecond = await takeTurn('a')
  end()
  let isThird = false
  const third = takeTurn('a').then(() => {
    isThird = true
  })
  await Promise.resolve()
  expect(isThird).toBe(false)
  endSecond()
  await third
})
