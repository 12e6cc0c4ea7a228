import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { SeededRandom } from '../../../../src/emulator/core/account/random.js'
import { EmulatorError } from '../../../../src/emulator/core/errors.js'
import {
  type ClockState,
  clockAt,
  clockWith,
  durationText,
  exceedsMaxDuration,
  formatDuration,
  lastOf,
  momentAt,
  momentCountAt,
  nextAfter,
  paceOf,
  parseDuration,
  readClock,
  realMsUntil,
  type Timeline,
  timings,
} from '../../../../src/emulator/core/schedule/time.js'

describe('time', () => {
  describe('clock', () => {
    const live: ClockState = { mode: 'live', speed: 1, now: 1_000, wall: 50_000 }
    const paused: ClockState = { ...live, mode: 'paused' }
    const onPoll: ClockState = { ...live, mode: 'on-poll' }

    test('a live clock runs with the system clock', () => expect(readClock(live, 50_250)).toBe(1_250))

    test.each([
      ['paused', paused],
      ['on-poll', onPoll],
    ])('a %s clock stands still', (_, clock) => expect(readClock(clock, 999_999)).toBe(1_000))

    test.each([
      [2, 1_200],
      [60, 7_000],
      [0.5, 1_050],
    ])('at speed %d, 100 ms of the system clock bring it to %i', (speed, now) =>
      expect(readClock({ ...live, speed }, 50_100)).toBe(now),
    )

    test('a live clock says whole milliseconds', () =>
      expect(readClock({ ...live, speed: 0.3 }, 50_011)).toBe(1_003))

    test('a clock that is put forward runs on from there', () => {
      const clock = clockAt(live, 9_000, 50_250)
      expect(readClock(clock, 50_250)).toBe(9_000)
      expect(readClock(clock, 50_260)).toBe(9_010)
    })

    test('a clock that is set back runs on from there', () => {
      const clock = clockAt(live, 10, 60_000)
      expect(readClock(clock, 60_005)).toBe(15)
    })

    test('a paused clock that is put to an instant stays there', () =>
      expect(readClock(clockAt(paused, 9_000, 50_250), 99_999)).toBe(9_000))

    test.each([
      ['pausing', { mode: 'paused' as const }],
      ['going on-poll', { mode: 'on-poll' as const }],
      ['another speed', { speed: 10 }],
    ])('%s does not make it jump', (_, change) =>
      expect(readClock(clockWith(live, change, 50_250), 50_250)).toBe(1_250),
    )

    test('a clock that runs again continues from the time of its pause', () => {
      const stopped = clockWith(live, { mode: 'paused' }, 50_250)
      const running = clockWith(stopped, { mode: 'live' }, 80_000)
      expect(readClock(running, 80_100)).toBe(1_350)
    })

    test('another speed counts from the change on', () =>
      expect(readClock(clockWith(live, { speed: 10 }, 50_250), 50_260)).toBe(1_350))

    test.each([
      ['a second ahead', 1, 2_000, 1_000],
      ['a second ahead at double speed', 2, 2_000, 500],
      ['now', 1, 1_000, 0],
      ['in the past', 1, 5, 0],
    ])('real time until an instant %s', (_, speed, at, ms) =>
      expect(realMsUntil({ ...live, speed }, at, 50_000)).toBe(ms),
    )

    test.each([
      ['paused', paused],
      ['on-poll', onPoll],
    ])('a %s clock never gets there by itself', (_, clock) =>
      expect(realMsUntil(clock, 2_000, 50_000)).toBe(Number.POSITIVE_INFINITY),
    )
  })

  describe('duration', () => {
    test.each([
      ['250ms', 250],
      ['10s', 10_000],
      ['5m', 300_000],
      ['24h', 86_400_000],
      ['14d', 1_209_600_000],
      ['1.5s', 1_500],
      ['1h30m', 5_400_000],
      [' 2s ', 2_000],
      ['0s', 0],
      [1_234, 1_234],
      [0, 0],
      [0.6, 1],
      ['36500d', 3_153_600_000_000],
    ])('%j is %i milliseconds', (duration, ms) => expect(parseDuration(duration)).toBe(ms))

    test('a hundred years are the most, and are not too much', () => {
      expect(exceedsMaxDuration('36500d')).toBe(false)
      expect(exceedsMaxDuration('36500d1ms')).toBe(true)
    })

    test.each([
      '',
      '10',
      's',
      '10 s',
      '10x',
      '-1s',
      '1,5s',
      '1.s',
      'soon',
      -1,
      Number.NaN,
      Number.POSITIVE_INFINITY,
      '36501d',
    ])('%j is no duration', (duration) => expect(() => parseDuration(duration)).toThrow(EmulatorError))

    test('the error of a duration shows what was found and what was expected', () =>
      expect(() => parseDuration('soon')).toThrow(/The time must be a duration such as 250ms.*found "soon"/))

    test.each([
      [0, '0ms'],
      [999, '999ms'],
      [1_000, '1s'],
      [1_500, '1.5s'],
      [59_999, '59.9s'],
      [60_000, '1m'],
      [150_000, '2m 30s'],
      [3_599_999, '59m 59s'],
      [3_600_000, '1h'],
      [5_400_000, '1h 30m'],
      [86_400_000, '1d'],
      [14 * 86_400_000, '14d'],
      [90_000_000, '1d 1h'],
    ])('%i milliseconds are written %s', (ms, text) => expect(formatDuration(ms)).toBe(text))
  })

  describe('timeline', () => {
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
    ])('by %i, %i moments have come', (now, count) => expect(momentCountAt(day, now)).toBe(count))

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
  })
})

describe('pace', () => {
  const workload = { queuedMs: 100_000, runningMs: 400_000 }
  const drawOf = (fraction: number) =>
    Object.assign(new SeededRandom(1, 'key', 1), { fraction: () => fraction })

  test('instant timing takes no time', () =>
    expect(paceOf('instant', workload, drawOf(0.5))).toEqual({ queuedMs: 0, runningMs: 0 }))

  test.each([
    ['the least', 0, { queuedMs: 75_000, runningMs: 300_000 }],
    ['the middle', 0.5, { queuedMs: 100_000, runningMs: 400_000 }],
    ['nearly the most', 0.999_999_999, { queuedMs: 125_000, runningMs: 500_000 }],
  ])('realistic timing stays within a quarter of the workload: %s', (_, fraction, pace) =>
    expect(paceOf('realistic', workload, drawOf(fraction))).toEqual(pace),
  )

  test.each([
    ['the least', 0, { queuedMs: 750, runningMs: 1_500 }],
    ['the middle', 0.5, { queuedMs: 1_000, runningMs: 2_000 }],
    ['nearly the most', 0.999_999_999, { queuedMs: 1_250, runningMs: 2_500 }],
  ])('fast timing is a few seconds whatever the workload: %s', (_, fraction, pace) =>
    expect(paceOf('fast', workload, drawOf(fraction))).toEqual(pace),
  )

  test.each(timings)('%s timing is the same on every run', (timing) =>
    expect(paceOf(timing, workload, new SeededRandom(7, 'key', 3))).toEqual(
      paceOf(timing, workload, new SeededRandom(7, 'key', 3)),
    ),
  )

  test('two tasks of a kind do not end at the same time', () =>
    expect(paceOf('fast', workload, new SeededRandom(1, 'key', 1))).not.toEqual(
      paceOf('fast', workload, new SeededRandom(1, 'key', 2)),
    ))
})

describe('duration text', () => {
  test.each([
    [0, '0ms'],
    [1, '1ms'],
    [1_500, '1500ms'],
    [90_000, '90s'],
    [120_000, '2m'],
    [3 * 3_600_000, '3h'],
    [14 * 86_400_000, '14d'],
    [-5, '0ms'],
  ])('%i ms is %s', (ms, text) => {
    expect(durationText(ms)).toBe(text)
    expect(parseDuration(text)).toBe(Math.max(0, ms))
  })
})
