import { useEmulator } from 'backlot/vitest'
import { expect, test, vi } from 'vitest'

/** The tests that every client has. They wait on the clock of the emulator, so that they take no time. */
export const testOrders = (createClient) => {
  // A first download waits until the video is drawn.
  vi.setConfig({ testTimeout: 20_000 })
  const emulator = useEmulator()
  const client = () =>
    createClient({
      baseUrl: `${emulator.url}/provB/api/v3`,
      apiKey: emulator.key,
      sleep: (ms) => emulator.clock.advance(ms),
      timeoutMs: 1_500,
      stallMs: 4_000,
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
