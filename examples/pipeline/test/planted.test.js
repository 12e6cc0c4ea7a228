import { useEmulator } from 'backlot/vitest'
import { expect, test, vi } from 'vitest'
import { faults } from '../src/pipeline.js'
import { stories } from './stories.js'

// A first download waits until the film is drawn.
vi.setConfig({ testTimeout: 20_000 })

const emulator = useEmulator()

/** Each fault, with the story in which it shows, and the finding that tells it. */
const findings = {
  'orders-blindly': ['makes one film when the answer to the order is lost', 'ordered-twice'],
  hurries: ['makes a film when the service is busy', 'did-not-wait'],
  'keeps-what-came': ['makes a film when a download breaks off', 'kept-damaged-file'],
  'polls-on': ['makes a film', 'polled-on'],
  'fetches-for-each-callback': ['makes a film when each callback comes twice', 'fetched-twice'],
}

/** Whether a story ends with a film, and what the verdict says of the pipeline. */
const verdictOf = async ({ scenario, make }, planted) => {
  const account = await emulator.freshAccount()
  if (scenario !== undefined) await account.scenario.play(scenario)
  const film = await make({ ...account, url: emulator.url }, planted)
  return { hasFilm: film.length > 0, verdict: (await account.verdict()).map(({ kind }) => kind) }
}

test.each(faults)('%s: the film comes, and the verdict alone tells the fault', async (fault) => {
  const [story, kind] = findings[fault]
  const { hasFilm, verdict } = await verdictOf(stories[story], fault)
  expect(hasFilm).toBe(true)
  expect(verdict).toContain(kind)
  expect((await verdictOf(stories[story], undefined)).verdict).toEqual([])
})
