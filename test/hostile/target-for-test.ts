import { expect, onTestFinished } from 'vitest'
import type { SettingsInput } from '../../src/emulator/settings.js'
import { openTarget, type Target } from './target.js'

/** An emulator for the test that asks for it; nothing may have happened in it that should never happen. */
export const targetForTest = async (settings: SettingsInput = {}): Promise<Target> => {
  const target = await openTarget(settings)
  onTestFinished(async () => {
    await target.close()
    expect(target.bugs).toEqual([])
  })
  return target
}
