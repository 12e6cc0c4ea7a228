import { expect, test } from 'vitest'
import {
  applyEffectsOf,
  type CallbackFault,
  callbackBody,
} from '../../../../../src/emulator/core/scenario/effects/index.js'

const timed = (callback: CallbackFault, now: number) => applyEffectsOf('callback', { callback }, {}, now)

test('a late callback is sent so long after the instant at which it is made', () =>
  expect(timed({ late: 60_000 }, 5_000)).toEqual({ notBefore: 65_000 }))

test.each([
  [599_999, 600_000],
  [600_000, 1_200_000],
  [600_001, 1_200_000],
])('a callback of batches each ten minutes that is made at %i is sent at %i', (now, notBefore) =>
  expect(timed({ inBatches: 600_000 }, now)).toEqual({ notBefore }),
)

test('of three copies two follow the first, and none where all are sent at once', () => {
  expect(timed({ copies: 3 }, 0)).toEqual({ copiesLeft: 2 })
  expect(timed({ copies: 3, atOnce: true }, 0)).toEqual({})
})

test('a broken body is the first half of the text, with the middle one of an odd number of letters', () => {
  expect(callbackBody({ a: 12 }, { brokenBody: true })).toBe('{"a"')
  expect(callbackBody({ a: 123 }, { brokenBody: true })).toBe('{"a":')
})

test('another status stands in the body and in the task within it, and nowhere else', () =>
  expect(
    callbackBody(
      { status: 'succeeded', task: { id: 'a', status: 'succeeded' }, content: { status: 'ready' } },
      { status: 'failed' },
    ),
  ).toEqual({ status: 'failed', task: { id: 'a', status: 'failed' }, content: { status: 'ready' } }))

test('a task that is named by its id alone is no object with a status', () =>
  expect(callbackBody({ task: 'a', status: 'succeeded' }, { status: 'failed' })).toEqual({
    task: 'a',
    status: 'failed',
  }))
