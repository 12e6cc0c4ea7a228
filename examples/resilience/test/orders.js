import { once } from 'node:events'
import { createServer } from 'node:http'
import { text } from 'node:stream/consumers'
import { useEmulator } from 'backlot/vitest'
import { expect, test, vi } from 'vitest'

/** The tests that every client has. They wait on the clock of the emulator, so that they take no time. */
export const testOrders = (createClient) => {
  // A first download waits until the video is drawn.
  vi.setConfig({ testTimeout: 20_000 })
  // Whether a callback was refused is for the sweep to say.
  const emulator = useEmulator({ allow: ['undelivered-callbacks'] })
  const client = () =>
    createClient({
      baseUrl: `${emulator.url}/provB/api/v3`,
      apiKey: emulator.key,
      sleep: (ms) => emulator.clock.advance(ms),
      timeoutMs: 1_500,
      stallMs: 4_000,
      transferMs: 2_000,
    })

  test('makes a video', async () => {
    const { url } = await client().makeVideo({ prompt: 'a lighthouse', reference: 'order-1' })
    expect(url).toContain('/results/')
  })

  test('makes three videos, one after the other', async () => {
    const films = client()
    for (const reference of ['order-1', 'order-2', 'order-3'])
      expect((await films.makeVideo({ prompt: `a boat for ${reference}`, reference })).url).toContain(
        '/results/',
      )
  })

  test('makes a video of which it hears by callbacks', async () => {
    const films = client()
    const { callbackUrl, stop } = await startReceiver(films.receive)
    try {
      const { url } = await films.makeVideo({ prompt: 'a lighthouse', reference: 'order-1', callbackUrl })
      expect(url).toContain('/results/')
    } finally {
      stop()
    }
  })

  test('says why a prompt is refused', async () => {
    const asked = client().makeVideo({ prompt: 'a lighthouse [[moderation]]', reference: 'order-1' })
    await expect(asked).rejects.toMatchObject({ code: 'InputTextSensitiveContentDetected' })
  })

  test('says why a task failed', async () => {
    await emulator.scenario.play(failsLate)
    await expect(client().makeVideo({ prompt: 'a lighthouse', reference: 'order-1' })).rejects.toMatchObject({
      code: 'InternalServiceError',
    })
  })
}

/** A receiver of callbacks. What `receive` throws is answered with 500. */
const startReceiver = async (receive) => {
  const server = createServer(async (request, response) => {
    try {
      response.statusCode = receive(await text(request))
    } catch {
      response.statusCode = 500
    }
    response.end()
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return { callbackUrl: `http://127.0.0.1:${server.address().port}/callbacks`, stop: () => server.close() }
}

/** A scenario of the test's own: a sweep leaves this test alone. */
const failsLate = {
  name: 'fails-late',
  description: 'A task fails at its end.',
  steps: [
    {
      when: { operation: 'b-video-task.create' },
      then: { task: { fails: { error: 'InternalServiceError' } } },
    },
  ],
}
