import type { ClockMode } from '../core/time/clock.js'
import type { EmulatorSettings } from '../handles/emulator-settings.js'
import { send } from '../handles/http.js'
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
  /** How the clocks of its accounts go; undefined of one that ran already. */
  readonly clock: ClockMode | undefined
  /** Ends it, and puts the environment back. */
  stop(): Promise<void>
}

/** Starts the emulator of a run, unless the environment names one that runs already. */
export const startShared = async ({
  env = {},
  ...settings
}: GlobalSetupOptions = {}): Promise<SharedEmulator> => {
  const running = sharedByEnvironment()
  const { url, token, clock, stop } =
    running === undefined ? await started(settings) : { clock: undefined, ...running, stop: async () => {} }
  const environment = createEnvironment({ ...variables(token), ...env })
  environment.set({ url })
  return {
    url,
    token,
    clock,
    stop: async () => {
      environment.restore()
      await stop()
    },
  }
}

const started = async (settings: EmulatorSettings) => {
  const { emulator, token, stop } = await startInProcess(settings)
  void firstCall(emulator.url, token)
  return { url: emulator.url, token, clock: settings.clock ?? 'on-poll', stop }
}

// What serves the control API is loaded with its first call: now, while the workers are being started, and not while the
// first test waits for it. Where it is stopped before, the call has no answer, which nobody misses.
const firstCall = (url: string, token: string | undefined): Promise<unknown> =>
  send({
    method: 'GET',
    url: `${url}/_backlot/health`,
    headers: token === undefined ? {} : { 'x-backlot-token': token },
  }).catch(() => {})

const variables = (token: string | undefined): Templates => ({
  BACKLOT_URL: '{url}',
  ...(token === undefined ? {} : { BACKLOT_CONTROL_TOKEN: token }),
})
