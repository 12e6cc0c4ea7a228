import { expect, test } from 'vitest'
import { invokeAction } from '../../src/control/invoke.js'
import { openListening } from '../listening.js'

test('a wait whose client left before it began gives its place back at once', async () => {
  const { emulator } = await openListening({})
  const left = AbortSignal.abort()
  const waiting = invokeAction(emulator, 'wait', 'gone', { for: 'request', timeout: '1h' }, left)
  await expect(waiting).rejects.toMatchObject({ code: 'not-yet' })
  expect(emulator.waiting.held).toBe(0)
})
