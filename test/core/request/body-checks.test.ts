import { describe, expect, test } from 'vitest'
import { exceedsJsonLimits, ignoredFields } from '../../../src/core/request/body-checks.js'

describe('ignored fields', () => {
  test.each([
    ['nothing where all is known', { a: 1, b: { c: 2 } }, { a: 1, b: { c: 2 } }, []],
    ['a key at the top', { a: 1, x: 2 }, { a: 1 }, ['x']],
    ['a key inside', { a: { b: 1, x: 2 } }, { a: { b: 1 } }, ['a.x']],
    ['a key in a list', { a: [{ b: 1 }, { b: 1, x: 2 }] }, { a: [{ b: 1 }, { b: 1 }] }, ['a[1].x']],
    ['several, in the order of the body', { y: 1, a: { x: 2 } }, { a: {} }, ['y', 'a.x']],
    ['the key alone where a whole object is dropped', { x: { y: { z: 1 } } }, {}, ['x']],
    ['nothing in what was rebuilt', { a: { x: 1 } }, { a: 'joined' }, []],
    ['nothing for defaults', {}, { a: 1 }, []],
    ['a name of the language', JSON.parse('{"__proto__": 1, "toString": 2}'), {}, ['__proto__', 'toString']],
    ['nothing where the body is no object', 7, {}, []],
  ])('%s', (_, body, understood, fields) => expect(ignoredFields(body, understood)).toEqual(fields))
})

describe('intricacy', () => {
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
})
