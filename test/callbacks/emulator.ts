import { onTestFinished } from 'vitest'
import type { AdvanceResult } from '../../src/accounts/clock.js'
import { readSettings, type SettingsInput } from '../../src/core/settings.js'
import { createEmulator, type Emulator } from '../../src/emulator.js'
import { listen } from '../../src/listen.js'

/** The account that a test uses where it names none. */
export const KEY = 'test-key'

const F = '/provC/v2/video_generation'
const B = '/provB/api/v3/contents/generations/tasks'

export interface Emulation {
  readonly emulator: Emulator
  readonly url: string
  /** Creates a task of F and gives its id. */
  createF(callbackUrl: string, key?: string): Promise<string>
  createB(callbackUrl: string, key?: string): Promise<string>
  /** The status of a task of F, by a query. */
  statusOfF(id: string, key?: string): Promise<string>
  statusOfB(id: string, key?: string): Promise<string>
  /** The same by a list that names it. */
  listedB(id: string, key?: string): Promise<string>
  cancelB(id: string): Promise<number>
  /** The log in one line a callback, oldest first: `challenge delivered`, `queued failed`. */
  log(key?: string): Promise<string[]>
}

/** An emulator that listens, for the length of a test: paused and silent, unless the settings say otherwise. */
export const startEmulation = async (settings: SettingsInput = {}): Promise<Emulation> => {
  const bugs: unknown[] = []
  const emulator = createEmulator(readSettings({ port: 0, clock: 'paused', ...settings }), {
    onInternalError: (bug) => bugs.push(bug),
  })
  const { url, close } = await listen(emulator)
  onTestFinished(async () => {
    await close()
    if (bugs.length > 0) throw new AggregateError(bugs, 'the emulator had bugs to tell of')
  })
  const ask = async (method: string, path: string, key: string, body?: unknown) => {
    const response = await fetch(url + path, {
      method,
      headers: { authorization: `Bearer ${key}` },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    // biome-ignore lint/suspicious/noExplicitAny: whatever the service answers
    return { status: response.status, body: (await response.json()) as any }
  }
  const content = [{ type: 'text', text: 'A lighthouse in the fog' }]
  return {
    emulator,
    url,
    createF: async (callbackUrl, key = KEY) => {
      const order = { model: 'gamma-H3', content, duration: 5, callback_url: callbackUrl }
      return (await ask('POST', F, key, order)).body.task_id
    },
    createB: async (callbackUrl, key = KEY) => {
      const order = { model: 'videoa-2-0-260128', content, callback_url: callbackUrl }
      return (await ask('POST', B, key, order)).body.id
    },
    statusOfF: async (id, key = KEY) =>
      (await ask('GET', `/provC/v2/query/video_generation/${id}`, key)).body.status,
    statusOfB: async (id, key = KEY) => (await ask('GET', `${B}/${id}`, key)).body.status,
    listedB: async (id, key = KEY) =>
      (await ask('GET', `${B}?filter.task_ids=${id}`, key)).body.items[0].status,
    cancelB: async (id) => (await ask('DELETE', `${B}/${id}`, KEY)).status,
    log: async (key = KEY) => {
      const { items } = await emulator.callbacks.list(key)
      return items.map(({ kind, status, state }) => `${status ?? kind} ${state}`).reverse()
    },
  }
}

/** What happened, in a line each: `task running`, `callback delivered`. */
export const told = ({ events }: AdvanceResult): string[] =>
  events.map(({ kind, detail }) => `${kind} ${detail}`)
