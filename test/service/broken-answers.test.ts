import { expect, test } from 'vitest'
import { startEmulator } from '../../src/client/start-emulator.js'

const start = (transport: object) =>
  startEmulator({
    scenario: {
      name: 'broken',
      description: 'The connection breaks.',
      steps: [{ when: { operation: 'c-video.read' }, then: { transport } }],
    },
  })

const read = (url: string, signal = new AbortController().signal) =>
  fetch(`${url}/v1/videos/none`, { headers: { authorization: 'Bearer default' }, signal })

test('a call whose connection a scenario resets is explained and listed as that', async () => {
  await using emulator = await start({ reset: true })
  await expect(read(emulator.url)).rejects.toThrow()
  const [call] = await emulator.requests.list()
  expect((await emulator.requests.explain(call?.id ?? ''))[0]).toBe(
    'The call is c-video.read and got no answer: its connection was reset.',
  )
  expect((await emulator.timeline())[0]?.says).toContain('GET /v1/videos/none → connection reset')
})

test('a call that hangs because of a scenario is explained and listed as that', async () => {
  await using emulator = await start({ hang: true })
  const leaving = new AbortController()
  const hanging = read(emulator.url, leaving.signal)
  const [call] = await emulator.requests.waitFor({})
  expect((await emulator.requests.explain(call?.id ?? ''))[0]).toBe(
    'The call is c-video.read and got no answer: its connection stayed silent.',
  )
  expect((await emulator.timeline())[0]?.says).toContain('GET /v1/videos/none → no answer')
  leaving.abort()
  await expect(hanging).rejects.toThrow()
})
