import { expect, test } from 'vitest'
import type { AnyTaskFamily } from '../../src/emulator/core/contract.js'
import { isFinal, type Task } from '../../src/emulator/core/model/task.js'
import { resultPathOf, resultUrls } from '../../src/emulator/core/result.js'
import { lastOf, timings } from '../../src/emulator/core/schedule/time.js'
import { contextWith, create, START, taskOf } from '../emulator/families/context.js'
import { samplesOf } from './samples.js'

/** A timeline: begins at the creation, is in order, ends, and survives being stored. */
export const livesAreInOrder = (family: AnyTaskFamily): void => {
  for (const { name, body, found } of samplesOf(family)) {
    const taskIn = (timing: (typeof timings)[number], sequence = 1): Task => {
      const context = contextWith({ resolvedMedia: found, settings: { timing }, sequence })
      return taskOf(create(family, body, context), context)
    }

    test.each(timings)(
      `${name}: a timeline of %s timing begins at the creation and ends in order`,
      (timing) => {
        for (let sequence = 1; sequence <= 20; sequence += 1) {
          const { timeline } = taskIn(timing, sequence)
          const instants = timeline.map(({ at }) => at)
          expect(instants[0]).toBe(START)
          expect(instants.every(Number.isInteger)).toBe(true)
          expect(instants).toEqual([...instants].sort((a, b) => a - b))
          expect(timeline.map(({ value }) => isFinal(value))).toEqual(
            timeline.map((_, index) => index === timeline.length - 1),
          )
          expect(lastOf(timeline).value.state).toBe('succeeded')
        }
      },
    )

    test(`${name}: instant timing is over at once, fast within seconds, realistic takes no less`, () => {
      const lengths = timings.map((timing) => lastOf(taskIn(timing).timeline).at - START)
      const [realistic, fast, instant] = lengths as [number, number, number]
      expect(instant).toBe(0)
      expect(fast).toBeLessThanOrEqual(5_000)
      expect(realistic).toBeGreaterThanOrEqual(fast)
    })

    test(`${name}: the record survives JSON`, () => {
      const task = taskIn('fast')
      expect(JSON.parse(JSON.stringify(task))).toEqual(task)
    })

    test(`${name}: what succeeds has media`, () => {
      const { value } = lastOf(taskIn('fast').timeline)
      expect(value).toMatchObject({ state: 'succeeded' })
      expect(value.state === 'succeeded' && value.media.length).toBeGreaterThan(0)
    })
  }

  test('ids never meet within an account', () => {
    const context = contextWith()
    const ids = Array.from({ length: 2_000 }, (_, index) =>
      family.newId(contextWith({ account: context.account, sequence: index + 1 })),
    )
    expect(new Set(ids).size).toBe(ids.length)
  })

  test('an id can be a part of a result URL', () => {
    const taskId = family.newId(contextWith())
    const ref = { accountId: '0123456789ab', taskId, index: 0, extension: 'png', expires: 0 }
    expect(
      resultUrls.isPath(new URL(resultPathOf(ref, 'secret'), 'http://results.test').pathname),
      taskId,
    ).toBe(true)
  })

  test('ids differ between accounts', () =>
    expect(family.newId(contextWith({ key: 'alice' }))).not.toBe(family.newId(contextWith({ key: 'bob' }))))
}
