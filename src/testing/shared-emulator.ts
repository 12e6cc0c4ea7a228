import type { EmulatorSettings } from '../handles/emulator-settings.js'
import { createEnvironment, type Templates } from './environment.js'
import { startInProcess } from './in-process.js'
import { sharedByEnvironment } from './shared-url.js'

/** Settings of the emulator of a whole run, and the environment of its workers. */
export interface GlobalSetupOptions extends EmulatorSettings {
  /** Environment variables for all workers; `{url}` and `{port}` are filled in. */
  readonly env?: Readonly<Record<string, string>> | undefined
}

/** An emulator for a whole run: its URL is in the environment, which workers inherit. */
export interface SharedEmulator {
  readonly url: string
  readonly token: string | undefined
  /** Ends it, and puts the environment back. */
  stop(): Promise<void>
}

/** Starts the emulator of a run, unless the environment names one that runs already. */
export const startShared = async ({
  env = {},
  ...settings
}: GlobalSetupOptions = {}): Promise<SharedEmulator> => {
  const running = sharedByEnvironment()
  const { url, token, stop } =
    running === undefined ? await started(settings) : { ...running, stop: async () => {} }
  const environment = createEnvironment({ ...variables(token), ...env })
  environment.set({ url })
  return {
    url,
    token,
    stop: async () => {
      environment.restore()
      await stop()
    },
  }
}

const started = async (settings: EmulatorSettings) => {
  const { emulator, token, stop } = await startInProcess(settings)
  return { url: emulator.url, token, stop }
}

const variables = (token: string | undefined): Templates => ({
  BACKLOT_URL: '{url}',
  ...(token === undefined ? {} : { BACKLOT_CONTROL_TOKEN: token }),
})
