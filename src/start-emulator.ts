import { type RunningEmulator, startEmulator as start } from './emulator/surface/client.js'
import type { EmulatorSettings } from './generated/emulator-settings.js'

/**
 * Starts an emulator in this process: on a free port of the loopback interface, silent, with an on-poll clock and plain media,
 * unless the settings say otherwise.
 * @throws EmulatorError `bad-setting`, `port-taken`, `cannot-listen` or `bad-certificate`; of a scenario `unknown-scenario`,
 * `no-such-file` or `bad-scenario`; of a log `cannot-log`; of a state file `state-held`, `bad-state`, `other-seed` or `state-unusable`
 * @example
 * ```ts
 * await using emulator = await startEmulator({ clock: 'paused', scenario: ['callback-lost'] })
 * const { url } = emulator
 * ```
 */
export const startEmulator = async (settings: EmulatorSettings = {}): Promise<RunningEmulator> => {
  const { openEmulator } = await import('./composition.js')
  return start(settings, openEmulator)
}
