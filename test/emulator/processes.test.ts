import { expect, test } from 'vitest'
import { isRunning } from '../../src/emulator/processes.js'

test.each([
  ['S', true],
  ['T', true],
  ['D', true],
  ['Z', false],
  ['X', false],
])('a process in the state %s runs: %j', async (state, runs) => {
  const readStat = async () => `7 (a (Z) name) ${state} 1 7 7 0`
  expect(await isRunning(process.pid, readStat)).toBe(runs)
})

test('without process states from the system, a process with the number of the owner counts as the owner', async () =>
  expect(await isRunning(process.pid, async () => undefined)).toBe(true))
