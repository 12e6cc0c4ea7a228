import { randomUUID } from 'node:crypto'
import { onTestFinished } from 'vitest'
import { createEmulatorHandles } from '../../src/client/handles.js'
import { localTransport } from '../../src/client/start-emulator.js'
import { readSettings, type SettingsInput } from '../../src/core/settings.js'
import type { EmulatorDependencies } from '../../src/emulator.js'
import { listen } from '../../src/listen.js'
import { openEmulator } from '../../src/open-emulator.js'

const TASKS = '/provB/api/v3/contents/generations/tasks'

/** Emulators that share a store, in this process; each call of `replica` starts one more. */
export const replicasOn = (store: string, shared: SettingsInput = {}) => {
  const storePrefix = `test-${randomUUID()}:`
  const replica = async (settings: SettingsInput = {}, outside: EmulatorDependencies = {}) => {
    const problems: unknown[] = []
    const given = { port: 0, clock: 'paused', store, storePrefix, ...shared, ...settings } as SettingsInput
    const emulator = await openEmulator(readSettings(given), {
      onInternalError: (error) => problems.push(error),
      ...outside,
    })
    const { url, close } = await listen(emulator)
    let closed: Promise<void> | undefined
    const stop = () => {
      closed ??= close()
      return closed
    }
    onTestFinished(stop)
    const handles = createEmulatorHandles(url, (key) => localTransport(emulator, key))
    const as = (key: string) => ({ ...handles.account(key), ...clientOf(url, key) })
    return { emulator, url, problems, as, stop }
  }
  return { replica, storePrefix }
}

/** Calls of the service with a key. */
export const clientOf = (url: string, key: string) => {
  const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' }
  const ask = async (path: string, init: RequestInit = {}) => {
    const response = await fetch(url + path, { headers, ...init })
    const text = await response.text()
    return { status: response.status, body: text === '' ? undefined : JSON.parse(text) }
  }
  return {
    ask,
    create: (more: object = {}) =>
      ask(TASKS, {
        method: 'POST',
        body: JSON.stringify({
          model: 'videoa-2-0-260128',
          content: [{ type: 'text', text: 'a lighthouse' }],
          ...more,
        }),
      }),
    query: (id: string) => ask(`${TASKS}/${id}`),
    remove: (id: string) => ask(`${TASKS}/${id}`, { method: 'DELETE' }),
    list: () => ask(`${TASKS}?page_size=100`),
  }
}
