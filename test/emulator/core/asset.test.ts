import { beforeEach, describe, expect, test } from 'vitest'
import { openAccount } from '../../../src/emulator/core/account/account.js'
import { apply, nextDue, runDue } from '../../../src/emulator/core/account/apply.js'
import { SeededRandom } from '../../../src/emulator/core/account/random.js'
import { assetOfJob, assetTimeline, processingMs } from '../../../src/emulator/core/asset.js'
import type { Account } from '../../../src/emulator/core/model/account.js'
import { nextChange } from '../../../src/emulator/core/schedule/time.js'
import { settingsSchema } from '../../../src/emulator/settings.js'
import { assetWith } from './asset-literals.js'
import { taskWith } from './task/literals.js'

describe('timeline', () => {
  const MIB = 2 ** 20
  const draws = Array.from({ length: 50 }, (_, sequence) => new SeededRandom(1, 'test-key', sequence))

  test('instant times take none', () => {
    expect(processingMs('instant', 50 * MIB, new SeededRandom(1, 'test-key', 1))).toBe(0)
  })

  test('fast times are one to two seconds, whatever the size', () => {
    for (const draw of draws)
      for (const bytes of [1, 50 * MIB]) {
        expect(processingMs('fast', bytes, draw)).toBeGreaterThanOrEqual(1_000)
        expect(processingMs('fast', bytes, draw)).toBeLessThanOrEqual(2_000)
      }
  })

  test('realistic times are five to twenty seconds, and longer for larger files', () => {
    for (const draw of draws) {
      const [small, large, beyond] = [1, 50 * MIB, 500 * MIB].map((bytes) =>
        processingMs('realistic', bytes, draw),
      ) as [number, number, number]
      expect(small).toBeGreaterThanOrEqual(5_000)
      expect(large).toBeGreaterThan(small)
      expect(beyond).toBe(large)
      expect(beyond).toBeLessThanOrEqual(20_000)
    }
  })

  test('two files of one size are not ready at the same time', () => {
    const times = draws.map((draw) => processingMs('fast', 1, draw))
    expect(new Set(times).size).toBeGreaterThan(draws.length / 2)
  })

  test('a file that nothing is held against becomes active', () => {
    expect(assetTimeline(100, 50, undefined)).toEqual([
      { at: 100, value: { state: 'Processing' } },
      { at: 150, value: { state: 'Active' } },
    ])
  })

  test('any other fails, and says why', () => {
    const error = { code: 'InvalidSize', message: 'width must be 300 to 6000 pixels, found 299' }
    expect(assetTimeline(100, 50, error)[1]).toEqual({ at: 150, value: { state: 'Failed', error } })
  })

  test.each([
    [0, 150],
    [149, 150],
    [150, undefined],
    [1_000, undefined],
  ])('at %i its processing ends at %s', (now, end) => {
    expect(nextChange(assetWith({ timeline: assetTimeline(100, 50, undefined) }), now)).toBe(end)
  })
})

describe('moments', () => {
  let account: Account

  beforeEach(() => {
    account = openAccount('test-key', settingsSchema.parse({}), { mode: 'paused', speed: 1, now: 0, wall: 0 })
  })

  const came = (now: number) =>
    runDue(account, now).events.map(({ at, kind, id, detail }) => `${at} ${kind} ${id} ${detail}`)

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
    const timeline = assetTimeline(0, 10, { code: 'InvalidSize', message: 'too small' })
    apply(account, [{ putAsset: assetWith({ timeline }) }])
    expect(came(10)).toEqual(['10 asset asset-1 Failed'])
  })

  test('moments of tasks and assets come in one order', () => {
    apply(account, [
      { putTask: taskWith() },
      { putAsset: assetWith({ id: 'asset-2', timeline: assetTimeline(0, 15, undefined) }) },
    ])
    expect(came(100)).toEqual([
      '10 task task-1 running',
      '15 asset asset-2 Active',
      '20 task task-1 succeeded',
    ])
  })

  test('assets are no tasks in flight and cost nothing', () => {
    apply(account, [{ putAsset: assetWith() }])
    expect(account.tasks.usage.inFlight).toBe(0)
    runDue(account, 10)
    expect(account.spent).toBe(0)
  })

  test('an asset survives JSON', () => {
    expect(JSON.parse(JSON.stringify(assetWith()))).toEqual(assetWith())
  })
})
