import { once } from 'node:events'
import { makeVideo } from '../../fixtures/clients/polling-client.mjs'
import { createHandles } from '../../src/emulator/client/handles.js'
import { localTransport } from '../../src/emulator/client/local-transport.js'
import type { Scenario } from '../../src/emulator/core/scenario/schema.js'
import { createEmulator, type Emulator } from '../../src/emulator/emulator.js'
import { listen } from '../../src/emulator/listen.js'
import { readSettings } from '../../src/emulator/settings.js'

const KEY = 'simple-client'
const VIDEOS = 3

/** How a client fared with a scenario: of how many videos it has what, and whether the scenario touched it at all. */
export interface Fared {
  readonly wasTouched: boolean
  /** One for each video: undefined where it got what it should, else what happened. */
  readonly troubles: readonly (string | undefined)[]
}

/** Has the client of fixtures/clients make three videos, one after the other, while a scenario plays. */
export const tryClient = async (scenario: Scenario): Promise<Fared> => {
  const emulator = createEmulator(readSettings({ port: 0, clock: 'on-poll' }), {
    scenarios: [scenario],
    // The client has no time limits, so how long a delay is makes no difference to it.
    setTimer: (ring) => {
      const timer = setImmediate(ring)
      return () => clearImmediate(timer)
    },
  })
  const { url, close } = await listen(emulator)
  const troubles: (string | undefined)[] = []
  try {
    while (troubles.length < VIDEOS) troubles.push(await troubleOf(emulator, url))
    const handles = createHandles(KEY, localTransport(emulator, KEY))
    return { wasTouched: (await handles.scenario.steps()).some(({ acted }) => acted > 0), troubles }
  } finally {
    await close()
  }
}

const troubleOf = async (emulator: Emulator, baseUrl: string): Promise<string | undefined> => {
  const hung = hanging(emulator)
  const video = makeVideo({ baseUrl, key: KEY, prompt: 'A lighthouse in the fog', pauseMs: 0 })
  try {
    const bytes = await Promise.race([video, hung.promise])
    return bytes === undefined ? 'waits for ever' : await differs(emulator, baseUrl, bytes)
  } catch (error) {
    return wordsOf(error as Error & { cause?: { code?: string } })
  } finally {
    hung.end()
    // What hangs is ended with the emulator, and no call waits for it.
    video.catch(() => {})
  }
}

// Far more than a video takes: the client never ends.
const ENDLESS_CALLS = 100

/** Resolves when a call is never going to be answered, or when the client asks without end. */
const hanging = ({ events }: Emulator) => {
  const listening = new AbortController()
  const promise = (async (): Promise<undefined> => {
    for (let calls = 1; ; calls += 1) {
      const [entry] = await once(events, 'request', { signal: listening.signal })
      if (entry.played?.step?.effects.transport?.hang || calls > ENDLESS_CALLS) return undefined
    }
  })()
  promise.catch(() => {})
  return { promise, end: () => listening.abort() }
}

/** Whether the bytes are those that the latest task's result has when nothing is wrong. */
const differs = async (
  emulator: Emulator,
  baseUrl: string,
  bytes: Uint8Array,
): Promise<string | undefined> => {
  const handles = createHandles(KEY, localTransport(emulator, KEY))
  const task = (await handles.tasks.list({ status: 'succeeded' }))[0]
  const playing = await emulator.store.transact(KEY, (account) => {
    const before = account.playing
    account.playing = []
    return before
  })
  const headers = { authorization: `Bearer ${KEY}` }
  const query = await fetch(`${baseUrl}/provB/api/v3/contents/generations/tasks/${task?.id}`, { headers })
  const { content } = (await query.json()) as { content: { video_url: string } }
  const right = new Uint8Array(await (await fetch(content.video_url)).arrayBuffer())
  await emulator.store.transact(KEY, (account) => {
    account.playing = playing
  })
  return Buffer.from(bytes).equals(right) ? undefined : 'keeps a damaged file'
}

// The words of the runtime differ from one version to the next.
const wordsOf = ({ name, message, cause }: Error & { cause?: { code?: string } }): string => {
  if (name === 'SyntaxError') return 'cannot parse an answer'
  if (name !== 'TypeError') return message
  return cause?.code === 'ERR_INVALID_URL' ? 'downloads `undefined`' : 'the connection breaks'
}
