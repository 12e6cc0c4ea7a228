import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createWakeTimer } from '../../../src/emulator/accounts/wake-timer.js'
import { fakedTimer } from '../../faked-timer.js'

beforeEach(() => void vi.useFakeTimers({ now: 0 }))
afterEach(() => void vi.useRealTimers())

const ringing = () => {
  const rung: string[] = []
  const alarm = createWakeTimer(
    Date.now,
    (names) => rung.push(`${Date.now()} ${names.join(' ')}`),
    fakedTimer,
  )
  return { rung, alarm }
}

test('rings at the time that was set, and once', () => {
  const { rung, alarm } = ringing()
  alarm.set('a', 100)
  vi.advanceTimersByTime(99)
  expect(rung).toEqual([])
  vi.advanceTimersByTime(1_000)
  expect(rung).toEqual(['100 a'])
})

test('one timer rings for all accounts', () => {
  const { rung, alarm } = ringing()
  alarm.set('late', 300)
  alarm.set('soon', 100)
  alarm.set('also soon', 100)
  alarm.set('last', 400)
  expect(vi.getTimerCount()).toBe(1)
  vi.advanceTimersByTime(400)
  expect(rung).toEqual(['100 soon also soon', '300 late', '400 last'])
})

test('an earlier time moves it forward, a later one does not move it back', () => {
  const { rung, alarm } = ringing()
  alarm.set('a', 200)
  alarm.set('a', 100)
  alarm.set('a', 300)
  vi.advanceTimersByTime(1_000)
  expect(rung).toEqual(['100 a'])
})

test('a time that has passed rings at once', () => {
  const { rung, alarm } = ringing()
  alarm.set('a', -5)
  vi.advanceTimersByTime(0)
  expect(rung).toEqual(['0 a'])
})

test('sleeps through more than a timer of the runtime can hold', () => {
  const { rung, alarm } = ringing()
  // Timers of the runtime end after 2^31 ms, which is less than 25 days.
  const inThirtyDays = 30 * 24 * 60 * 60 * 1_000
  alarm.set('a', inThirtyDays)
  vi.advanceTimersByTime(inThirtyDays)
  expect(rung).toEqual([`${inThirtyDays} a`])
})

test('looks at the clock of the machine once a minute, which may be set forward meanwhile', () => {
  const sleeps: number[] = []
  let now = 0
  let ring = () => {}
  const rung: (readonly string[])[] = []
  const alarm = createWakeTimer(
    () => now,
    (names) => rung.push(names),
    (onRing, ms) => {
      sleeps.push(ms)
      ring = onRing
      return () => {}
    },
  )
  alarm.set('a', 3_600_000)
  now = 3_600_000
  ring()
  expect({ sleeps, rung }).toEqual({ sleeps: [60_000], rung: [['a']] })
})

test('never rings for what never comes', () => {
  const { alarm } = ringing()
  alarm.set('a', Number.POSITIVE_INFINITY)
  expect(vi.getTimerCount()).toBe(0)
})

test('the timer does not fire for removed accounts, nor after it was stopped', () => {
  const { rung, alarm } = ringing()
  alarm.set('forgotten', 100)
  alarm.forget('forgotten')
  vi.advanceTimersByTime(200)
  alarm.set('stopped', 300)
  alarm.stop()
  alarm.set('later', 400)
  alarm.set('sooner', 250)
  vi.advanceTimersByTime(1_000)
  expect(rung).toEqual([])
})
