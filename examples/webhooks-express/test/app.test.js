import { once } from 'node:events'
import { useEmulator } from 'backlot/vitest'
import 'backlot/matchers/vitest'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createApp } from '../src/app.js'

const emulator = useEmulator({ clock: 'paused' })

let server
let url

beforeEach(async () => {
  server = createApp({
    serviceUrl: `${emulator.url}/provC/v2`,
    apiKey: emulator.key,
    publicUrl: () => url,
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  url = `http://127.0.0.1:${server.address().port}`
})

afterEach(() => server.close())

const order = async (prompt) => {
  const response = await fetch(`${url}/films`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ prompt }),
  })
  return { status: response.status, ...(await response.json()) }
}

const film = async (id) => (await fetch(`${url}/films/${id}`)).json()

test('a film is there when the service has said so', async () => {
  const { id } = await order('a lighthouse in the fog')
  await emulator.clock.advance({ to: 'idle' })
  const { status, heard, url: video } = await film(id)
  expect({ status, heard }).toEqual({ status: 'succeeded', heard: ['queued', 'running', 'succeeded'] })
  await expect(video).toBeAVideo({ width: 1344, height: 768, seconds: 5 })
  await expect(emulator).toHaveDeliveredCallback({ kind: 'challenge', taskId: id, times: 1 })
  await expect(emulator).toHaveDeliveredCallback({ status: 'succeeded', times: 1 })
})

test('a film that fails is told too', async () => {
  const { id } = await order('a lighthouse in the fog')
  await emulator.clock.advance({ to: 'next' })
  await emulator.tasks.fail(id, 'server_error')
  await emulator.callbacks.waitFor({ taskId: id, status: 'failed' })
  expect(await film(id)).toMatchObject({ status: 'failed' })
})

test('a delivery that comes twice counts once', async () => {
  await emulator.scenario.play('callback-twice')
  const { id } = await order('a lighthouse in the fog')
  await emulator.clock.advance({ to: 'idle' })
  expect((await film(id)).heard).toEqual(['queued', 'running', 'succeeded'])
})

test('a receiver that is down for a moment hears of it when it is up again', async () => {
  const { id } = await order('a lighthouse in the fog')
  await emulator.callbacks.waitFor({ taskId: id, status: 'queued' })
  const { port } = server.address()
  server.closeAllConnections()
  server.close()
  await once(server, 'close')
  await emulator.clock.advance({ to: 'next' })
  server = createApp({ serviceUrl: '', apiKey: '', publicUrl: () => url }).listen(port, '127.0.0.1')
  await once(server, 'listening')
  await emulator.clock.advance({ to: 'idle' })
  expect(await film(id)).toMatchObject({ status: 'succeeded' })
})
