import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Schedule, type ScheduledEvent } from '../../../../src/emulator/core/schedule/schedule.js'

const due = (at: number, id = `task at ${at}`): ScheduledEvent => ({ at, kind: 'task', id, index: 1 })

const takeAll = (schedule: Schedule): ScheduledEvent[] => {
  const taken: ScheduledEvent[] = []
  for (let next = schedule.take(); next !== undefined; next = schedule.take()) taken.push(next)
  return taken
}

test('an empty schedule has nothing', () => {
  const schedule = new Schedule()
  expect(schedule.peek()).toBeUndefined()
  expect(schedule.take()).toBeUndefined()
  expect(schedule.size).toBe(0)
})

test('looking takes nothing away', () => {
  const schedule = new Schedule()
  schedule.set(due(5))
  expect(schedule.peek()).toMatchObject(due(5))
  expect(schedule.size).toBe(1)
})

test('events of one instant come in the order in which they were scheduled', () => {
  const schedule = new Schedule()
  for (const id of ['a', 'b', 'c', 'd', 'e']) schedule.set(due(7, id))
  expect(takeAll(schedule).map(({ id }) => id)).toEqual(['a', 'b', 'c', 'd', 'e'])
})

test('whatever is written down comes soonest first, and all of it', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(50)), (instants) => {
      const schedule = new Schedule()
      for (const [index, at] of instants.entries()) schedule.set(due(at, `${index}`))
      expect(takeAll(schedule).map(({ at }) => at)).toEqual([...instants].sort((a, b) => a - b))
    }),
  )
})

test('the schedule stays in order when adding and taking alternate', () => {
  fc.assert(
    fc.property(fc.array(fc.option(fc.nat(50), { nil: undefined })), (steps) => {
      const schedule = new Schedule()
      const kept: number[] = []
      for (const [index, step] of steps.entries()) {
        if (step === undefined) expect(schedule.take()?.at).toBe(kept.sort((a, b) => a - b).shift())
        else {
          schedule.set(due(step, `${index}`))
          kept.push(step)
        }
        expect(schedule.size).toBe(kept.length)
      }
    }),
  )
})

test('an event that is set again replaces the former one, and a deleted event does not come', () => {
  fc.assert(
    fc.property(
      fc.array(fc.record({ id: fc.nat(8).map(String), at: fc.option(fc.nat(50), { nil: undefined }) })),
      (steps) => {
        const schedule = new Schedule()
        const pending = new Map<string, number>()
        for (const { id, at } of steps) {
          pending.delete(id)
          if (at === undefined) schedule.delete('task', id)
          else {
            schedule.set(due(at, id))
            pending.set(id, at)
          }
          expect(schedule.size).toBe(pending.size)
        }
        const inOrder = [...pending].sort(([, a], [, b]) => a - b).map(([id]) => id)
        expect(takeAll(schedule).map(({ id }) => id)).toEqual(inOrder)
      },
    ),
  )
})

test('the undo log takes back what was set, deleted and taken', () => {
  const schedule = new Schedule()
  for (const [at, id] of [
    [5, 'b'],
    [3, 'a'],
    [9, 'c'],
  ] as const)
    schedule.set(due(at, id))
  const undo: (() => void)[] = []
  schedule.undo = undo
  schedule.take()
  schedule.set(due(1, 'c'))
  schedule.set(due(2, 'new'))
  schedule.delete('task', 'b')
  schedule.undo = undefined
  for (const undoOne of undo.reverse()) undoOne()
  expect(takeAll(schedule).map(({ at, id }) => `${at} ${id}`)).toEqual(['3 a', '5 b', '9 c'])
})
