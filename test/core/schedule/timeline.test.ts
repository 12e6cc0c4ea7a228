import fc from 'fast-check'
import { expect, test } from 'vitest'
import { cameBy, lastOf, momentAt, nextAfter, type Timeline } from '../../../src/core/schedule/timeline.js'

const day: Timeline<string> = [
  { at: 10, value: 'dawn' },
  { at: 20, value: 'noon' },
  { at: 30, value: 'dusk' },
]

test.each([
  ['before the first moment', 9, 'dawn'],
  ['at the first moment', 10, 'dawn'],
  ['just before the second', 19, 'dawn'],
  ['at the second', 20, 'noon'],
  ['just before the last', 29, 'noon'],
  ['at the last', 30, 'dusk'],
  ['long after', 1_000, 'dusk'],
])('%s (%i) it is %s', (_, now, value) => expect(momentAt(day, now).value).toBe(value))

test.each([
  ['before the first moment', 9, 'noon'],
  ['at the first', 10, 'noon'],
  ['just before the second', 19, 'noon'],
  ['at the second', 20, 'dusk'],
  ['just before the last', 29, 'dusk'],
  ['at the last', 30, undefined],
  ['long after', 1_000, undefined],
])('what comes after an instant %s (%i) is %s', (_, now, value) =>
  expect(nextAfter(day, now)?.value).toBe(value),
)

test.each([
  [9, 0],
  [10, 1],
  [25, 2],
  [30, 3],
])('by %i, %i moments have come', (now, count) => expect(cameBy(day, now)).toBe(count))

test('the last moment is the last one written', () => expect(lastOf(day).value).toBe('dusk'))

test('moments at one instant all come at once, and the last of them holds', () => {
  const instant: Timeline<string> = [
    { at: 5, value: 'queued' },
    { at: 5, value: 'running' },
    { at: 5, value: 'succeeded' },
  ]
  expect(momentAt(instant, 5).value).toBe('succeeded')
  expect(nextAfter(instant, 5)).toBeUndefined()
})

test('going from next to next visits every later moment in order', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(1_000), { minLength: 1, maxLength: 20 }), (instants) => {
      const timeline = [...new Set(instants)].sort((a, b) => a - b).map((at) => ({ at, value: at }))
      const visited: number[] = []
      for (let at = timeline[0]?.at; at !== undefined; at = nextAfter(timeline, at)?.at) visited.push(at)
      expect(visited).toEqual(timeline.map(({ at }) => at))
    }),
  )
})
