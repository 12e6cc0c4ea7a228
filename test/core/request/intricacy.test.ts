import { expect, test } from 'vitest'
import { exceedsJsonLimits } from '../../../src/core/request/intricacy.js'

const nested = (levels: number): unknown => JSON.parse('['.repeat(levels) + ']'.repeat(levels))
const listOf = (length: number) => Array.from({ length }, () => 0)

test.each([
  ['a text', 'x'],
  ['null', null],
  ['nothing', undefined],
  ['100 levels', nested(101)],
  ['10,000 values, the list itself among them', listOf(9_999)],
  ['values at several levels', { a: listOf(4_000), b: { c: listOf(4_000) } }],
])('%s can be looked at', (_, body) => expect(exceedsJsonLimits(body)).toBeUndefined())

test.each([
  ['101 levels', nested(102), 'at most 100 levels deep'],
  ['100,000 levels', nested(100_000), 'at most 100 levels deep'],
  ['one value more', listOf(10_000), 'of at most 10000 values'],
  ['too many at several levels', { a: listOf(5_000), b: { c: listOf(5_000) } }, 'of at most 10000 values'],
  ['a million values', listOf(1_000_000), 'of at most 10000 values'],
])('%s cannot', (_, body, bound) => expect(exceedsJsonLimits(body)).toBe(bound))
