import type { SharedEmulator } from '../shared-emulator.js'

// Jest loads setup and teardown apart from each other, but in one process.
const KEPT = Symbol.for('backlot.jest.shared')

type Keeping = { [KEPT]?: SharedEmulator | undefined }

export const keepForTeardown = (shared: SharedEmulator): void => {
  ;(globalThis as Keeping)[KEPT] = shared
}

export const takeKept = (): SharedEmulator | undefined => {
  const kept = (globalThis as Keeping)[KEPT]
  delete (globalThis as Keeping)[KEPT]
  return kept
}
