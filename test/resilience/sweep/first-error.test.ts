import { expect, test } from 'vitest'
import { firstErrorIn } from '../../../src/resilience/sweep/first-error.js'

test.each([
  [
    'vitest',
    '\u001b[31m FAIL \u001b[39m a.test.ts > orders once\n\u001b[31mAssertionError\u001b[39m: expected 2 to be 1\n',
    'AssertionError: expected 2 to be 1',
  ],
  ['Jest', '  ● orders once\n\n    TypeError: fetch failed\n', 'TypeError: fetch failed'],
  ['node:test', 'not ok 1 - orders once\n  error: |-\n', 'not ok 1 - orders once'],
  ['pytest', '>       assert 2 == 1\nE       assert 2 == 1\n', 'E       assert 2 == 1'],
  ['Go', '--- FAIL: TestOrder (0.01s)\n    order_test.go:9: got 2\n', '--- FAIL: TestOrder (0.01s)'],
])('of %s', (_, output, line) => expect(firstErrorIn(output)).toBe(line))

test('the first of several, cut where it is long', () =>
  expect(firstErrorIn(`ok\nError: ${'a'.repeat(300)}\nError: b`)).toBe(`Error: ${'a'.repeat(192)}…`))

test('none where no line looks like one', () =>
  expect(firstErrorIn('0 errors\nNo Exception was seen\nTerror at sea\n')).toBeUndefined())
