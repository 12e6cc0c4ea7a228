import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test, vi } from 'vitest'
import { invokeAction } from '../../src/control/invoke.js'
import { openListening, paths } from '../listening.js'

test('an account that is reset while an advance waits for its callbacks stays away', async () => {
  const { emulator, url } = await openListening({ clock: 'paused' })
  const receiver = createServer().listen(0, '127.0.0.1')
  onTestFinished(() => void receiver.close().closeAllConnections())
  await once(receiver, 'listening')
  const called = once(receiver, 'request')
  const made = await fetch(url + paths.tasks, {
    method: 'POST',
    headers: { authorization: 'Bearer ghost' },
    body: JSON.stringify({
      model: 'videoa-2-0-260128',
      callback_url: `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`,
      content: [{ type: 'text', text: 'a lighthouse' }],
    }),
  })
  expect(made.status).toBe(200)
  const advancing = invokeAction(emulator, 'clock.advance', 'ghost', { to: 'idle' })
  await called
  await invokeAction(emulator, 'reset', 'ghost', {})
  expect(await advancing).toMatchObject({ now: expect.any(String), totals: { task: expect.any(Number) } })
  expect(await emulator.store.keys()).toEqual([])
  expect(emulator.journals.controlsOf('ghost')).toEqual([])
})

test.each([
  ['2026-01-01T00:05', '2026-01-01T00:05:00.000Z'],
  ['2026-01-01T00:05:00.5', '2026-01-01T00:05:00.500Z'],
  ['2026-01-01T01:05:00+01:00', '2026-01-01T00:05:00.000Z'],
  ['2026-01-02', '2026-01-02T00:00:00.000Z'],
])('an advance to %s goes to %s, whatever the time zone of the machine is', async (to, now) => {
  vi.stubEnv('TZ', 'America/New_York')
  onTestFinished(() => void vi.unstubAllEnvs())
  const { emulator } = await openListening({ clock: 'paused' })
  expect(await invokeAction(emulator, 'clock.advance', 'zoned', { to })).toMatchObject({ now })
})
