import { EventEmitter } from 'node:events'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Events } from '../../../src/emulator/core/events.js'
import { createHealthIssues } from '../../../src/emulator/observability/health.js'
import { fakedTimer } from '../../faked-timer.js'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const open = () => {
  const events = new EventEmitter<Events>()
  const reported: string[] = []
  events.on('trouble', ({ state, times }) => reported.push(`${state} ${times}`))
  const health = createHealthIssues(events, fakedTimer)
  const outage = () => {
    health.report('store', new Error('away'))
    health.report('store', new Error('away'))
    health.resolve('store')
  }
  return { events, health, reported, outage }
}

test('each of ten outages has a beginning and an end', () => {
  const { reported, outage } = open()
  for (let times = 0; times < 10; times += 1) {
    outage()
    vi.advanceTimersByTime(10_000)
  }
  expect(reported).toEqual(Array.from({ length: 10 }, () => ['begun 1', 'over 2']).flat())
})

test('what comes and goes is one outage, which is over once it has worked for ten seconds', () => {
  const { health, reported, outage } = open()
  for (let times = 0; times < 5; times += 1) {
    outage()
    vi.advanceTimersByTime(9_999)
  }
  expect(health.current()).toEqual([])
  expect(reported).toEqual(['begun 1', 'over 2', 'begun 1'])
  vi.advanceTimersByTime(1)
  expect(reported).toEqual(['begun 1', 'over 2', 'begun 1', 'over 8'])
})

test('an end that is still to be told is told when the emulator stops, and no other', () => {
  const { events, reported, outage } = open()
  outage()
  outage()
  events.emit('stopping')
  expect(reported).toEqual(['begun 1', 'over 2', 'begun 1', 'over 2'])
  expect(vi.getTimerCount()).toBe(0)
})
