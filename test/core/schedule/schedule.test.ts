import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createSchedule, type Schedule, type ScheduledEvent } from '../../../src/core/schedule/schedule.js'

const due = (at: number, id = 'task'): ScheduledEvent => ({ at, kind: 'task', id, index: 1 })

const takeAll = (agenda: Schedule): ScheduledEvent[] => {
  const taken: ScheduledEvent[] = []
  for (let next = agenda.take(); next !== undefined; next = agenda.take()) taken.push(next)
  return taken
}

test('an empty agenda has nothing', () => {
  const agenda = createSchedule()
  expect(agenda.peek()).toBeUndefined()
  expect(agenda.take()).toBeUndefined()
  expect(agenda.size).toBe(0)
})

test('looking takes nothing away', () => {
  const agenda = createSchedule()
  agenda.add(due(5))
  expect(agenda.peek()).toEqual(due(5))
  expect(agenda.size).toBe(1)
})

test('what is due at one instant comes in the order in which it was written down', () => {
  const agenda = createSchedule()
  for (const id of ['a', 'b', 'c', 'd', 'e']) agenda.add(due(7, id))
  expect(takeAll(agenda).map(({ id }) => id)).toEqual(['a', 'b', 'c', 'd', 'e'])
})

test('whatever is written down comes soonest first, and all of it', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(50)), (instants) => {
      const agenda = createSchedule()
      for (const at of instants) agenda.add(due(at))
      expect(takeAll(agenda).map(({ at }) => at)).toEqual([...instants].sort((a, b) => a - b))
    }),
  )
})

test('it stays in order when adding and taking alternate', () => {
  fc.assert(
    fc.property(fc.array(fc.option(fc.nat(50), { nil: undefined })), (steps) => {
      const agenda = createSchedule()
      const kept: number[] = []
      for (const step of steps) {
        if (step === undefined) expect(agenda.take()?.at).toBe(kept.sort((a, b) => a - b).shift())
        else {
          agenda.add(due(step))
          kept.push(step)
        }
        expect(agenda.size).toBe(kept.length)
      }
    }),
  )
})

test('what does not hold any more is sifted out, and the rest comes in order', () => {
  const agenda = createSchedule()
  for (const [at, id] of [
    [5, 'b'],
    [3, 'gone'],
    [9, 'c'],
    [5, 'd'],
    [1, 'a'],
  ] as const)
    agenda.add(due(at, id))
  agenda.sift(({ id }) => id !== 'gone')
  agenda.add(due(4, 'between'))
  expect(takeAll(agenda).map(({ id }) => id)).toEqual(['a', 'between', 'b', 'd', 'c'])
})
