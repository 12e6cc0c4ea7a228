import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
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
