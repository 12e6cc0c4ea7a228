import { expect, test } from 'vitest'
import { KEY, startOnPort } from '../../emulator.js'
import { callbackLog } from './lines.js'

const REFUSED = 'http://203.0.113.7/hook'

test('F: with an address that is refused the task runs, and the log says why nothing is sent', async () => {
  const { createF, emulator, statusOfF } = await startOnPort()
  const id = await createF({ callback_url: REFUSED })
  await emulator.clock.advanceUntilIdle(KEY)
  expect(await statusOfF(id)).toBe('succeeded')
  expect(await emulator.callbacks.get(KEY, `${id}-0`)).toMatchObject({
    state: 'failed',
    reason: expect.stringContaining('--callback-hosts 203.0.113.7'),
    attempts: [{ outcome: 'refused-address' }],
  })
  expect(await callbackLog(emulator)).toEqual([
    'challenge failed',
    'queued skipped',
    'running skipped',
    'succeeded skipped',
  ])
})

test('B: a refused address is not tried again, since it would be refused again', async () => {
  const { createB, emulator } = await startOnPort()
  const id = await createB({ callback_url: REFUSED })
  await emulator.clock.advanceUntilIdle(KEY)
  expect((await emulator.callbacks.get(KEY, `${id}-1`))?.attempts).toHaveLength(1)
  expect(await callbackLog(emulator)).toEqual(['queued failed', 'running failed', 'succeeded failed'])
})

test('the host of the public URL may be sent to, since the inbox is there', async () => {
  const { createB, emulator } = await startOnPort({ publicUrl: 'http://backlot.invalid' })
  const id = await createB({ callback_url: 'http://backlot.invalid/_backlot/inbox/hook' })
  await emulator.callbacks.idle(KEY)
  expect((await emulator.callbacks.get(KEY, `${id}-1`))?.attempts).toMatchObject([{ outcome: 'failed' }])
})
