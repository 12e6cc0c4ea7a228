import type { EmulatorSettings } from '../handles/emulator-settings.js'
import type { OwnServer } from './framework.js'

const loaded = () => import('../start-emulator.js')

/** Begins to load what `startInProcess` needs, while the framework is busy with other things. */
export const loadInProcess = (): void => {
  // Whoever starts it is told why it cannot be loaded.
  loaded().catch(() => {})
}

/** An emulator in this process, loaded only where one is needed. */
export const startInProcess = async (settings: EmulatorSettings): Promise<OwnServer> => {
  const { startEmulator } = await loaded()
  const emulator = await startEmulator(settings)
  return { emulator, token: emulator.controlToken, stop: emulator.stop }
}
