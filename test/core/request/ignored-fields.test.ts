import { expect, test } from 'vitest'
import { ignoredFields } from '../../../src/core/request/ignored-fields.js'

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
