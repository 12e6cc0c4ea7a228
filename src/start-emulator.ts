import { DEFAULT_KEY } from './core/account/account.js'
import { readSettings } from './core/read-settings.js'
import type { SettingsInput } from './core/settings.js'
import { createEmulator } from './emulator.js'
import { type AccountHandles, createHandles } from './handles/handles.js'
import { localInvoke } from './handles/local.js'
import { listen } from './server/listen.js'

/** A running emulator. Its own handles are those of the account `default`, the one of calls without a key. */
export interface RunningEmulator extends AccountHandles {
  /** `http://127.0.0.1:41234`, without a slash at its end. */
  readonly url: string
  readonly port: number
  readonly seed: number
  /** The same handles for the account of an API key. */
  account(key: string): AccountHandles
  /** All accounts begin anew. */
  resetAll(): Promise<void>
  stop(): Promise<void>
  [Symbol.asyncDispose](): Promise<void>
}

/**
 * Starts an emulator in this process: on a free port of the loopback interface, silent, with an on-poll clock, unless
 * the settings say otherwise.
 * @throws EmulatorError when a setting is wrong or the port is taken
 */
export const startEmulator = async (settings: SettingsInput = {}): Promise<RunningEmulator> => {
  const emulator = createEmulator(readSettings({ port: 0, clock: 'on-poll', ...settings }))
  const { url, port, close } = await listen(emulator)
  const account = (key: string) => createHandles(key, localInvoke(emulator, key))
  return {
    ...account(DEFAULT_KEY),
    url,
    port,
    seed: emulator.settings.seed,
    account,
    resetAll: async () => {
      await localInvoke(emulator, DEFAULT_KEY)('reset', { all: 'true' })
    },
    stop: close,
    [Symbol.asyncDispose]: close,
  }
}
