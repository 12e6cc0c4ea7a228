import { expect, test } from 'vitest'
import { contentOf, typeOf, unitOf, unitsOf } from '../../../../src/media/render/video/units.js'

test.each([
  ['no zeros', [1, 2, 3], [0x65, 1, 2, 3]],
  ['two zeros before a small number', [9, 0, 0, 1], [0x65, 9, 0, 0, 3, 1]],
  ['two zeros before a 3', [0, 0, 3, 9], [0x65, 0, 0, 3, 3, 9]],
  ['two zeros before a 4', [0, 0, 4], [0x65, 0, 0, 4]],
  ['many zeros', [0, 0, 0, 0, 0, 8], [0x65, 0, 0, 3, 0, 0, 3, 0, 8]],
])('content with %s in a unit, and taken out again', (_, content, unit) => {
  expect([...unitOf(0x65, Buffer.from(content))]).toEqual(unit)
  expect([...contentOf(Buffer.from(unit))]).toEqual(content)
})

test('a byte stream is cut at start codes of three and four bytes', () => {
  const stream = Buffer.from([0, 0, 0, 1, 0x67, 5, 0, 0, 1, 0x68, 6, 0, 0, 0, 1, 0x65, 7, 0, 0, 3, 1])
  const units = unitsOf(stream)
  expect(units.map((unit) => [...unit])).toEqual([
    [0x67, 5],
    [0x68, 6],
    [0x65, 7, 0, 0, 3, 1],
  ])
  expect(units.map(typeOf)).toEqual([7, 8, 5])
})
