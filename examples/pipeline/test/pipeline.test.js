import { useEmulator } from 'backlot/vitest'
import { expect, test, vi } from 'vitest'
import { stories } from './stories.js'

// A first download waits until the film is drawn.
vi.setConfig({ testTimeout: 20_000 })

// The tests look at the film alone. Whether the pipeline behaved on the way to it is for the verdict to say.
const emulator = useEmulator({ verdict: true })

test.each(Object.entries(stories))('%s', async (_, { scenario, make }) => {
  if (scenario !== undefined) await emulator.scenario.play(scenario)
  expect((await make(emulator, process.env.PLANTED)).length).toBeGreaterThan(0)
})
