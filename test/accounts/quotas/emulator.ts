import type { QuotaStatus } from '../../../src/accounts/quotas.js'
import type { SettingsInput } from '../../../src/core/settings.js'
import { startEmulation } from '../../callbacks/emulator.js'

const TASKS = '/provB/api/v3/contents/generations/tasks'
const IMAGES = '/provA/api/v1/services/aigc/multimodal-generation/generation'

/** An emulator with narrow bounds, and those who call it. */
export const openTown = async (settings: SettingsInput) => {
  const { emulator, url } = await startEmulation(settings)
  const told: string[] = []
  emulator.events.on('bound', ({ name, hits }) => told.push(`${name} ${hits}`))
  const call = async (key: string, method: string, path: string, body?: unknown) => {
    const response = await fetch(url + path, {
      method,
      headers: { authorization: `Bearer ${key}` },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const text = await response.text()
    // biome-ignore lint/suspicious/noExplicitAny: whatever the service answers
    return { status: response.status, headers: response.headers, text, body: parsed(text) as any }
  }
  const video = (change: object = {}) => ({
    model: 'videoa-2-0-260128',
    content: [{ type: 'text', text: 'A lighthouse in the fog' }],
    ...change,
  })
  return {
    emulator,
    url,
    call,
    /** The events so far: `tasks-per-account 1`. */
    told,
    create: (key = 'alice', change: object = {}) => call(key, 'POST', TASKS, video(change)),
    read: (id: string, key = 'alice') => call(key, 'GET', `${TASKS}/${id}`),
    cancel: (id: string, key = 'alice') => call(key, 'DELETE', `${TASKS}/${id}`),
    draw: (key = 'alice') =>
      call(key, 'POST', IMAGES, {
        model: 'alpha-image-3.0-pro',
        input: { messages: [{ role: 'user', content: [{ text: 'A lighthouse' }] }] },
      }),
    advance: (by: string, key = 'alice') => call(key, 'POST', '/_backlot/clock/advance', { by }),
    bound: async (name: string): Promise<QuotaStatus> => {
      const { body } = await call('alice', 'GET', '/_backlot/health?full')
      return body.bounds.find((bound: QuotaStatus) => bound.name === name)
    },
  }
}

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
