import type { SharedEmulator } from '../server.js'

// Jest loads setup and teardown apart from each other, but in one process.
const KEPT = Symbol.for('backlot.jest.shared')

type KeptStop = { [KEPT]?: SharedEmulator | undefined }

/** Keeps the emulator of the global setup for the global teardown. */
export const keepForTeardown = (shared: SharedEmulator): void => {
  ;(globalThis as KeptStop)[KEPT] = shared
}

/** Takes the emulator that the global setup has kept; undefined: none was started. */
export const takeKept = (): SharedEmulator | undefined => {
  const kept = (globalThis as KeptStop)[KEPT]
  delete (globalThis as KeptStop)[KEPT]
  return kept
}
