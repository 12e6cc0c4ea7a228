import { afterEach, expect, test, vi } from 'vitest'
import { exitCodeOfSignal, firstSignal } from '../../../src/cli/start/signals.js'

const stopping = ['SIGINT', 'SIGTERM'] as const
const heardBefore = stopping.flatMap((signal) => process.listeners(signal))

afterEach(() => {
  vi.restoreAllMocks()
  for (const signal of stopping)
    for (const listener of process.listeners(signal))
      if (!heardBefore.includes(listener)) process.off(signal, listener)
})

test('a second signal ends the process at once', async () => {
  const exit = vi.spyOn(process, 'exit').mockImplementation(() => undefined as never)
  const signalled = firstSignal()
  process.emit('SIGTERM', 'SIGTERM')
  expect(await signalled).toBe('SIGTERM')
  expect(exit).not.toHaveBeenCalled()
  process.emit('SIGINT', 'SIGINT')
  expect(exit).toHaveBeenCalledWith(130)
})

test.each([
  ['SIGINT', 130],
  ['SIGKILL', 137],
  ['SIGTERM', 143],
] as const)('the exit code of %s is %i', (signal, code) => expect(exitCodeOfSignal(signal)).toBe(code))
