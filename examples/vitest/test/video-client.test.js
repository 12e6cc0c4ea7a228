import { useEmulator } from 'backlot/vitest'
import 'backlot/matchers/vitest'
import { expect, test } from 'vitest'
import { createVideoClient } from '../src/video-client.js'

const emulator = useEmulator()

const client = (apiKey = emulator.key) =>
  createVideoClient({ baseUrl: `${emulator.url}/provB/api/v3`, apiKey, pauseMs: 1 })

test('makes a video', async () => {
  const url = await client().makeVideo('a lighthouse in the fog')
  await expect(url).toBeAVideo({ width: 864, height: 496, seconds: 4 })
  await expect(emulator).toHaveReceived('b-video-task.create', { times: 1, body: { duration: 4 } })
})

test('tries again while the service is overloaded', async () => {
  await emulator.fail('b-video-task.create', { error: 'ServerOverloaded', times: 2, required: true })
  await client().makeVideo('a lighthouse in the fog')
  await expect(emulator).toHaveReceived('b-video-task.create', { status: 429, times: 2 })
  await expect(emulator).toHaveReceived('b-video-task.create', { status: 200, times: 1 })
})

test('gives up when it stays so', async () => {
  await emulator.fail('b-video-task.create', { error: 'ServerOverloaded', times: 3 })
  await expect(client().makeVideo('a lighthouse in the fog')).rejects.toMatchObject({
    code: 'ServerOverloaded',
  })
  await expect(emulator).toHaveReceived('b-video-task.create', { times: 3 })
})

test('says why a prompt was refused', async () => {
  await expect(client().makeVideo('a lighthouse [[moderation]]')).rejects.toMatchObject({
    code: 'InputTextSensitiveContentDetected',
  })
  const [call] = await emulator.requests.list({ problem: 'any' })
  expect(call).toBeExplainedBy('b-video-task.prompt-passes-moderation')
})

test('says why a task failed', async () => {
  await emulator.scenario.play('refused-after-acceptance')
  await expect(client().makeVideo('a lighthouse in the fog')).rejects.toMatchObject({
    code: 'OutputVideoSensitiveContentDetected',
  })
})

test('a video can be had for fourteen days', async () => {
  const url = await client().makeVideo('a lighthouse in the fog')
  await emulator.clock.advance('13d')
  await expect(url).toBeAVideo()
  await emulator.clock.advance('2d')
  expect((await fetch(url)).status).toBe(403)
})

test('an account without money is told so', async () => {
  const poor = await emulator.freshAccount({ like: 'no-balance' })
  await expect(client(poor.key).makeVideo('a lighthouse in the fog')).rejects.toThrow('insufficient balance')
})

test.concurrent.each(['red', 'green', 'blue'])('a %s one, while others are made', async (colour) => {
  const account = await emulator.freshAccount()
  await client(account.key).makeVideo(`a ${colour} lighthouse`)
  expect(await account.tasks.list()).toHaveLength(1)
})
