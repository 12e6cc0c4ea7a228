import { onTestFinished } from 'vitest'
import { startEmulator } from '../../src/index.js'
import type { UseEmulatorOptions } from '../../src/testing/options.js'
import { createUseEmulator } from '../../src/testing/use-emulator.js'
import { fakeFramework, type Given } from './fake-framework.js'

/** What `useEmulator` gives with a fake framework. */
export const used = (options: UseEmulatorOptions = {}, given: Given = {}) => {
  const framework = fakeFramework(given)
  return { ...framework, emulator: createUseEmulator(framework.framework)(options) }
}

/** An emulator that several files share. */
export const shared = async (settings = {}) => {
  const emulator = await startEmulator(settings)
  onTestFinished(() => emulator.stop())
  return emulator
}
