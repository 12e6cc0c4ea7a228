import { beforeEach, expect, test } from 'vitest'
import { type Account, openAccount } from '../../../src/core/account/account.js'
import { apply } from '../../../src/core/account/apply.js'
import { nextDue, runDue } from '../../../src/core/account/settle.js'
import { assetTimeline } from '../../../src/core/asset/life.js'
import { assetOfJob } from '../../../src/core/asset/moments.js'
import { settingsSchema } from '../../../src/core/settings.js'
import { taskWith } from '../task/literals.js'
import { assetWith } from './literals.js'

let account: Account

beforeEach(() => {
  account = openAccount('test-key', settingsSchema.parse({}), { mode: 'paused', speed: 1, now: 0, wall: 0 })
})

const came = (now: number) =>
  runDue(account, now).map(({ at, kind, id, detail }) => `${at} ${kind} ${id} ${detail}`)

test('an asset is found by its job', () => {
  apply(account, [{ putAsset: assetWith() }])
  expect(assetOfJob(account, 'task_1')).toEqual(assetWith())
  expect(assetOfJob(account, 'task_2')).toBeUndefined()
})

test('the end of its processing comes once, at its time', () => {
  apply(account, [{ putAsset: assetWith() }])
  expect(came(9)).toEqual([])
  expect(nextDue(account)).toBe(10)
  expect(came(10)).toEqual(['10 asset asset-1 Active'])
  expect(came(1_000)).toEqual([])
  expect(nextDue(account)).toBeUndefined()
})

test('a failure is told as one', () => {
  const life = assetTimeline(0, 10, { code: 'InvalidSize', message: 'too small' })
  apply(account, [{ putAsset: assetWith({ life }) }])
  expect(came(10)).toEqual(['10 asset asset-1 Failed'])
})

test('moments of tasks and assets come in one order', () => {
  apply(account, [
    { putTask: taskWith() },
    { putAsset: assetWith({ id: 'asset-2', life: assetTimeline(0, 15, undefined) }) },
  ])
  expect(came(100)).toEqual(['10 task task-1 running', '15 asset asset-2 Active', '20 task task-1 succeeded'])
})

test('assets are no tasks in flight and cost nothing', () => {
  apply(account, [{ putAsset: assetWith() }])
  expect(account.open.size).toBe(0)
  runDue(account, 10)
  expect(account.spent).toBe(0)
})

test('an asset survives JSON', () => {
  expect(JSON.parse(JSON.stringify(assetWith()))).toEqual(assetWith())
})
