import { describe, expect, test } from 'vitest'
import {
  initialValue,
  pathText,
  type Schema,
  variantFor,
  withValue,
} from '../../../src/ui/state/json-form.js'

const items: Schema = {
  oneOf: [
    {
      type: 'object',
      properties: { type: { const: 'text' }, text: { type: 'string' } },
      required: ['type', 'text'],
    },
    {
      type: 'object',
      properties: {
        type: { const: 'image' },
        url: { type: 'string' },
        weight: { type: 'number', minimum: 2 },
      },
      required: ['type', 'url', 'weight'],
    },
  ],
}

test('a path is written as refusals write it', () =>
  expect(pathText(['content', 0, 'image_url', 'url'])).toBe('content[0].image_url.url'))

describe('a change at a path', () => {
  const value = { a: 1, list: [{ b: 2 }, { b: 3 }], z: 9 }
  test.each([
    ['replaces a value in its place', ['list', 1, 'b'], 4, { a: 1, list: [{ b: 2 }, { b: 4 }], z: 9 }],
    ['adds a field at the end', ['list', 0, 'c'], 5, { a: 1, list: [{ b: 2, c: 5 }, { b: 3 }], z: 9 }],
    ['adds an item', ['list', 2], 6, { a: 1, list: [{ b: 2 }, { b: 3 }, 6], z: 9 }],
    ['removes an item', ['list', 0], undefined, { a: 1, list: [{ b: 3 }], z: 9 }],
    ['removes a field', ['a'], undefined, { list: [{ b: 2 }, { b: 3 }], z: 9 }],
  ])('%s', (_, path, to, expected) => {
    const changed = withValue(value, path as (string | number)[], to)
    expect(JSON.stringify(changed)).toBe(JSON.stringify(expected))
    expect(value).toEqual({ a: 1, list: [{ b: 2 }, { b: 3 }], z: 9 })
  })
})

test.each([
  [{ type: 'image' }, 'url'],
  [{ type: 'text', text: 'x' }, 'text'],
])('the variant of %j has %s', (value, name) =>
  expect(Object.keys(variantFor(items, value).properties ?? {})).toContain(name),
)

test.each<[string, Schema, unknown]>([
  ['an object', items.oneOf?.[1] as Schema, { type: 'image', url: '', weight: 2 }],
  ['the first variant', items, { type: 'text', text: '' }],
  ['the first word', { enum: ['a', 'b'] }, 'a'],
  ['the default', { type: 'integer', default: 5 }, 5],
  ['one item where one is needed', { type: 'array', items: { type: 'string' }, minItems: 1 }, ['']],
  ['no item where none is needed', { type: 'array', items: { type: 'string' } }, []],
])('a value to begin with is %s', (_, schema, value) => expect(initialValue(schema)).toEqual(value))
