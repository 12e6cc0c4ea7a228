import { expect, test } from 'vitest'
import { newAssetId, newJobId } from '../../../../src/emulator/families/d-assets/operations.js'
import { contextWith, later, START } from '../context.js'
import { fileOf, upload } from './uploads.js'

const digits = (id: string) => id.slice(-4)

test('ids carry the time of the clock in UTC', () => {
  const context = contextWith({ now: Date.UTC(2027, 10, 9, 8, 7, 6) })
  expect(newJobId(context)).toMatch(/^task_271109080706\d{4}$/)
  expect(newAssetId(context)).toMatch(/^asset-20271109080706-[a-z0-9]{5}$/)
})

test('an account never gives an id twice, however many uploads a second has', () => {
  const ids = Array.from({ length: 3_000 }, (_, index) => newJobId(contextWith({ sequence: index + 1 })))
  expect(new Set(ids).size).toBe(ids.length)
})

test('ids look drawn', () => {
  const ids = [1, 2, 3].map((sequence) => Number(digits(newJobId(contextWith({ sequence })))))
  expect(Math.abs((ids[1] as number) - (ids[0] as number))).toBeGreaterThan(100)
  expect(Math.abs((ids[2] as number) - (ids[1] as number))).toBeGreaterThan(100)
})

test('ids repeat from run to run and differ from seed to seed', () => {
  const idWith = (seed: number) => newJobId(contextWith({ settings: { seed } }))
  expect(idWith(7)).toBe(idWith(7))
  expect(idWith(7)).not.toBe(idWith(8))
})

test('where another account has an id, the next free digits are taken', () => {
  const context = contextWith()
  const first = newJobId(context)
  const next = (Number(digits(first)) + 1) % 10_000
  const other = newJobId({ ...context, isFree: (id) => id !== first })
  expect(Number(digits(other))).toBe(next)
})

test('digits that the account has itself are passed over as well', () => {
  const context = contextWith()
  upload(fileOf(), {}, context)
  const [own] = context.account.jobs.keys()
  expect(newJobId({ ...context, sequence: 1 })).not.toBe(own)
})

test('when other accounts have every id of the second, an id is used twice', () => {
  const context = { ...contextWith(), isFree: () => false }
  expect(newJobId(context)).toBe(newJobId(contextWith()))
})

test('the next second has all its digits again', () => {
  const context = contextWith()
  upload(fileOf(), {}, context)
  expect(newJobId({ ...later(context, 1_000), sequence: 1 })).toBe(
    newJobId(contextWith({ now: START + 1_000 })),
  )
})
