import { expect, test } from 'vitest'
import { KEY, startOnPort } from '../../emulator.js'
import { startReceiver } from './receiver.js'

test('B posts the query object on each change, without a challenge', async () => {
  const { createB, emulator } = await startOnPort()
  const receiver = await startReceiver()
  const id = await createB({ callback_url: receiver.url })
  await emulator.clock.advanceUntilIdle(KEY)
  expect(receiver.kinds()).toEqual(['queued', 'running', 'succeeded'])
  expect(receiver.received[0]?.body).toMatchObject({ id, status: 'queued', error: null })
  expect(receiver.received[2]?.body).toMatchObject({ id, status: 'succeeded', content: expect.anything() })
})

test('B reports a task that is cancelled', async () => {
  const { createB, cancel, emulator } = await startOnPort()
  const receiver = await startReceiver()
  const id = await createB({ callback_url: receiver.url })
  expect((await cancel(id)).status).toBe(200)
  await emulator.callbacks.idle(KEY)
  expect(receiver.kinds()).toEqual(['queued', 'cancelled'])
})

test('the waiting reports of a removed task are still sent', async () => {
  const { createB, cancel, emulator } = await startOnPort({ timing: 'instant' })
  const held: (() => void)[] = []
  const receiver = await startReceiver((_, response) => held.push(() => response.end()))
  const id = await createB({ callback_url: receiver.url })
  await receiver.until(1)
  expect((await cancel(id)).status).toBe(200)
  for (let count = 1; count <= 3; count += 1) {
    await receiver.until(count)
    held[count - 1]?.()
  }
  await emulator.callbacks.idle(KEY)
  expect(receiver.kinds()).toEqual(['queued', 'running', 'succeeded'])
})

test('a task without a callback address posts nothing', async () => {
  const { url, emulator } = await startOnPort()
  await fetch(`${url}/provC/v2/video_generation`, {
    method: 'POST',
    headers: { authorization: KEY },
    body: JSON.stringify({ model: 'gamma-H3', content: [{ type: 'text', text: 'a' }], duration: 5 }),
  })
  await emulator.clock.advanceUntilIdle(KEY)
  expect((await emulator.callbacks.list(KEY)).items).toEqual([])
})
