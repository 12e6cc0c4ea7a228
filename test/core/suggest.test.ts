import { expect, test } from 'vitest'
import { nearest } from '../../src/core/suggest.js'

test.each([
  ['op', ['for'], undefined],
  ['fr', ['for'], 'for'],
  ['x', ['at'], undefined],
  ['modle', ['model', 'mode'], 'model'],
  ['duration', ['size'], undefined],
])('for %j of %j the nearest name is %j', (written, names, expected) => {
  expect(nearest(written, names)).toBe(expected)
})
