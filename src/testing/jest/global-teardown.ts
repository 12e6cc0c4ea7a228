import { takeKept } from './kept.js'

/** Stops the emulator that the global setup has started. */
export const teardown = async (): Promise<void> => takeKept()?.stop()

export { teardown as default }
