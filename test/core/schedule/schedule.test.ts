import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createSchedule, type Schedule, type ScheduledEvent } from '../../../src/core/schedule/schedule.js'

const due = (at: number, id = 'task'): ScheduledEvent => ({ at, kind: 'task', id, index: 1 })

const takeAll = (schedule: Schedule): ScheduledEvent[] => {
  const taken: ScheduledEvent[] = []
  for (let next = schedule.take(); next !== undefined; next = schedule.take()) taken.push(next)
  return taken
}

test('an empty schedule has nothing', () => {
  const schedule = createSchedule()
  expect(schedule.peek()).toBeUndefined()
  expect(schedule.take()).toBeUndefined()
  expect(schedule.size).toBe(0)
})

test('looking takes nothing away', () => {
  const schedule = createSchedule()
  schedule.add(due(5))
  expect(schedule.peek()).toEqual(due(5))
  expect(schedule.size).toBe(1)
})

test('what is due at one instant comes in the order in which it was written down', () => {
  const schedule = createSchedule()
  for (const id of ['a', 'b', 'c', 'd', 'e']) schedule.add(due(7, id))
  expect(takeAll(schedule).map(({ id }) => id)).toEqual(['a', 'b', 'c', 'd', 'e'])
})

test('whatever is written down comes soonest first, and all of it', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(50)), (instants) => {
      const schedule = createSchedule()
      for (const at of instants) schedule.add(due(at))
      expect(takeAll(schedule).map(({ at }) => at)).toEqual([...instants].sort((a, b) => a - b))
    }),
  )
})

test('it stays in order when adding and taking alternate', () => {
  fc.assert(
    fc.property(fc.array(fc.option(fc.nat(50), { nil: undefined })), (steps) => {
      const schedule = createSchedule()
      const kept: number[] = []
      for (const step of steps) {
        if (step === undefined) expect(schedule.take()?.at).toBe(kept.sort((a, b) => a - b).shift())
        else {
          schedule.add(due(step))
          kept.push(step)
        }
        expect(schedule.size).toBe(kept.length)
      }
    }),
  )
})

test('what does not hold any more is sifted out, and the rest comes in order', () => {
  const schedule = createSchedule()
  for (const [at, id] of [
    [5, 'b'],
    [3, 'gone'],
    [9, 'c'],
    [5, 'd'],
    [1, 'a'],
  ] as const)
    schedule.add(due(at, id))
  schedule.compact(({ id }) => id !== 'gone')
  schedule.add(due(4, 'between'))
  expect(takeAll(schedule).map(({ id }) => id)).toEqual(['a', 'between', 'b', 'd', 'c'])
})
