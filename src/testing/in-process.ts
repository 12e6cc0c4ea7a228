import type { EmulatorSettings } from '../handles/emulator-settings.js'
import type { OwnServer } from './framework.js'

/** An emulator in this process, loaded only where one is needed. */
export const startInProcess = async (settings: EmulatorSettings): Promise<OwnServer> => {
  const { startEmulator } = await import('../start-emulator.js')
  const emulator = await startEmulator(settings)
  return { emulator, token: emulator.controlToken, stop: emulator.stop }
}
