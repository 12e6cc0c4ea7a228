import { expect, test } from 'vitest'
import { useEmulator } from '../../src/testing/node-test.js'
import { outputOf, projectWith } from './project.js'

test('in vitest, the helper for node:test names the one for vitest', () =>
  expect(() => useEmulator()).toThrow(
    expect.objectContaining({ code: 'no-node-test', hint: 'Import useEmulator from backlot/vitest.' }),
  ))

test('in Jest, it names the one for Jest', () => {
  const file = `
globalThis[Symbol('JEST_STATE_SYMBOL')] = {}
const { useEmulator } = require('backlot/node-test')
useEmulator()
`
  const output = outputOf(['as-jest.cjs'], projectWith({ 'as-jest.cjs': file }))
  expect(output).toContain('backlot/node-test is for tests that node:test runs; jest runs this one.')
  expect(output).toContain('Import useEmulator from backlot/jest.')
})
