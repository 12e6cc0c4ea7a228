import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import {
  charactersIn,
  exceedsJsonLimits,
  fieldOf,
  ignoredFields,
  mustBe,
  shapeRefusals,
  shown,
  valueAt,
} from '../../../src/emulator/core/request.js'

describe('shape', () => {
  describe('characters', () => {
    test.each([
      ['nothing', '', 0],
      ['letters', 'abc', 3],
      ['Chinese characters', '灯塔', 2],
      ['emoji, which take two places each', '🎬🎬', 2],
      ['half an emoji', '\ud83c', 1],
    ])('%s are counted as people count them', (_, text, count) => expect(charactersIn(text)).toBe(count))
  })

  describe('shape refusals', () => {
    const schema = z.object({
      name: z.string().min(2).max(4),
      age: z.int().min(0).max(150).optional(),
      mood: z.enum(['good', 'bad']).optional(),
      answer: z.literal('yes').optional(),
      friends: z
        .array(z.object({ name: z.string() }))
        .min(1)
        .max(2)
        .optional(),
      nick: z.string().min(1).optional(),
      isHere: z.boolean().optional(),
      pet: z
        .discriminatedUnion('type', [
          z.object({ type: z.literal('cat'), lives: z.object({ left: z.int() }) }),
          z.object({ type: z.literal('dog') }),
        ])
        .optional(),
      size: z.string({ error: 'a size of your own' }).optional(),
      either: z.union([z.string(), z.object({ url: z.string() })]).optional(),
    })

    const refusalsOf = (body: unknown) => {
      const shape = schema.safeParse(body)
      return shape.success ? [] : shapeRefusals(shape.error.issues, body)
    }

    test('a missing field that may hold any value', () => {
      const shape = z.object({ body: z.unknown() }).safeParse({})
      expect(shapeRefusals(shape.error?.issues ?? [], {}).map(({ message }) => message)).toEqual([
        'body is required: any value',
      ])
    })

    test.each([
      ['a missing field', {}, 'name', 'name is required: a string', undefined, 'a string'],
      ['another type', { name: 7 }, 'name', 'name must be a string, found 7', 7, 'a string'],
      ['null', { name: null }, 'name', 'name must be a string, found null', null, 'a string'],
      [
        'a text too short',
        { name: 'a' },
        'name',
        'name must be at least 2 characters long, found "a"',
        'a',
        'at least 2 characters long',
      ],
      [
        'a text too long',
        { name: 'abcde' },
        'name',
        'name must be at most 4 characters long, found "abcde"',
        'abcde',
        'at most 4 characters long',
      ],
      [
        'an empty text',
        { name: 'ab', nick: '' },
        'nick',
        'nick must be at least 1 character long, found ""',
        '',
        'at least 1 character long',
      ],
      [
        'a number too small',
        { name: 'ab', age: -1 },
        'age',
        'age must be at least 0, found -1',
        -1,
        'at least 0',
      ],
      [
        'a number too big',
        { name: 'ab', age: 151 },
        'age',
        'age must be at most 150, found 151',
        151,
        'at most 150',
      ],
      [
        'a number that is not whole',
        { name: 'ab', age: 1.5 },
        'age',
        'age must be an integer, found 1.5',
        1.5,
        'an integer',
      ],
      [
        'a word that is not listed',
        { name: 'ab', mood: 'ok' },
        'mood',
        'mood must be one of good, bad, found "ok"',
        'ok',
        'one of good, bad',
      ],
      [
        'another than the only word',
        { name: 'ab', answer: 'no' },
        'answer',
        'answer must be yes, found "no"',
        'no',
        'yes',
      ],
      [
        'no boolean',
        { name: 'ab', isHere: 'true' },
        'isHere',
        'isHere must be a boolean, found "true"',
        'true',
        'a boolean',
      ],
      [
        'no list',
        { name: 'ab', friends: {} },
        'friends',
        'friends must be an array, found {}',
        {},
        'an array',
      ],
      [
        'a list too short',
        { name: 'ab', friends: [] },
        'friends',
        'friends must be a list of at least 1 item, found []',
        [],
        'a list of at least 1 item',
      ],
      [
        'no object in a list',
        { name: 'ab', friends: [7] },
        'friends[0]',
        'friends[0] must be an object, found 7',
        7,
        'an object',
      ],
      [
        'a missing field of an item',
        { name: 'ab', friends: [{ name: 'x' }, {}] },
        'friends[1].name',
        'friends[1].name is required: a string',
        undefined,
        'a string',
      ],
      [
        'a field deep inside a union',
        { name: 'ab', pet: { type: 'cat', lives: { left: 'x' } } },
        'pet.lives.left',
        'pet.lives.left must be a number, found "x"',
        'x',
        'a number',
      ],
      [
        'own words of a schema',
        { name: 'ab', size: 7 },
        'size',
        'size must be a size of your own, found 7',
        7,
        'a size of your own',
      ],
    ])('%s', (_, body, field, message, found, allowed) =>
      expect(refusalsOf(body)[0]).toMatchObject({
        field,
        message,
        allowed,
        ...(found === undefined ? {} : { found }),
      }),
    )

    test.each([null, 7, 'text', []])('the body %j is named as a whole', (body) => {
      const [refusal] = refusalsOf(body)
      expect(refusal).toMatchObject({ field: '', isMissing: false })
      expect(refusal?.message).toMatch(/^The request body must be an object, found /)
    })

    test('the message of a union is that of the alternative that matched furthest', () =>
      expect(refusalsOf({ name: 'ab', either: { url: 7 } })[0]).toMatchObject({
        field: 'either.url',
        message: 'either.url must be a string, found 7',
      }))

    test('a field that one alternative of a union does not have is named, where the other is of another kind', () => {
      const either = z.object({ size: z.union([z.string(), z.strictObject({ width: z.int() })]) })
      const body = { size: { width: 1, depth: 2 } }
      expect(shapeRefusals(either.safeParse(body).error?.issues ?? [], body)).toMatchObject([
        { field: 'size', allowed: 'without "depth"' },
      ])
    })

    test('a bound that is not allowed itself is above or below', () => {
      const speeds = z.object({ least: z.number().gt(0), most: z.number().lt(9) })
      const body = { least: 0, most: 9 }
      expect(shapeRefusals(speeds.safeParse(body).error?.issues ?? [], body)).toMatchObject([
        { field: 'least', allowed: 'above 0' },
        { field: 'most', allowed: 'below 9' },
      ])
    })

    test('a field that is there, but undefined, is missing', () =>
      expect(refusalsOf({ name: undefined })[0]?.isMissing).toBe(true))

    test('every wrong field is named, in the order of the schema', () =>
      expect(refusalsOf({ age: 'x', mood: 'x' }).map(({ field }) => field)).toEqual(['name', 'age', 'mood']))

    test('a wrong model is named first', () => {
      const withModel = z.object({ name: z.string(), model: z.enum(['m']) })
      const shape = withModel.safeParse({ model: 'x' })
      const refusals = shapeRefusals(shape.error?.issues ?? [], { model: 'x' })
      expect(refusals.map(({ field }) => field)).toEqual(['model', 'name'])
    })

    test.each([
      [[], ''],
      [['a'], 'a'],
      [['a', 'b'], 'a.b'],
      [['a', 0, 'b', 'c'], 'a[0].b.c'],
      [['a', 0, 1], 'a[0][1]'],
      [[0], '[0]'],
    ])('the path %j is written %s', (path, field) => expect(fieldOf(path)).toBe(field))

    test.each([
      [['a', 0, 'b'], 7],
      [['a', 1], undefined],
      [['a', 0, 'b', 'c'], undefined],
      [['toString'], undefined],
      [['a', 'length'], 1],
    ])('at the path %j stands %j', (path, value) => expect(valueAt({ a: [{ b: 7 }] }, path)).toBe(value))

    test('long values are cut where they are shown', () => {
      expect(shown('x'.repeat(78))).toHaveLength(80)
      expect(shown('x'.repeat(79))).toMatch(/^"x{59}… \(79 characters\)$/)
      expect(shown('🎬'.repeat(79))).toBe(`"${'🎬'.repeat(29)}… (79 characters)`)
    })

    test('of a value that holds more than 1,000 values, itself among them, no length is told', () => {
      const zeros = (count: number) => shown(Array(count).fill(0))
      expect(zeros(999)).toMatch(/^\[[0,]{59}… \(1999 characters\)$/)
      expect(zeros(1_000)).toMatch(/^\[[0,]{59}… \(more than 1000 values\)$/)
    })

    test('a refusal says the field, what may stand there and what was found', () => {
      expect(mustBe('a.b', 'a number', 'x')).toEqual({
        field: 'a.b',
        found: 'x',
        allowed: 'a number',
        message: 'a.b must be a number, found "x"',
      })
      expect(mustBe('a', 'there', undefined).message).toBe('a must be there, found nothing')
    })
  })
})

describe('body checks', () => {
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
      [
        'a name of the language',
        JSON.parse('{"__proto__": 1, "toString": 2}'),
        {},
        ['__proto__', 'toString'],
      ],
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
      [
        'too many at several levels',
        { a: listOf(5_000), b: { c: listOf(5_000) } },
        'of at most 10000 values',
      ],
      ['a million values', listOf(1_000_000), 'of at most 10000 values'],
    ])('%s cannot', (_, body, bound) => expect(exceedsJsonLimits(body)).toBe(bound))
  })
})
