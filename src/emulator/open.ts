import type { Settings } from '../core/settings.js'
import { catalogue } from '../families/catalogue.js'
import { monotonicNow } from '../server/clock/steady-wall.js'
import { readGiven } from '../server/scenario/scenarios.js'
import { noPersistence, type Persistence } from '../server/state/keeping.js'
import { createEmulator } from './create.js'
import type { Emulator } from './emulator.js'
import { type EmulatorDependencies, writeWarning } from './outside.js'

/**
 * Puts an emulator together with the scenarios that its settings name, before those that it is given.
 * @throws EmulatorError `no-such-file`, `unknown-scenario`, `bad-scenario` or `cannot-log`; of a state file `state-held`,
 * `bad-state`, `other-seed` or `state-unusable`
 */
export const openEmulator = async (
  settings: Settings,
  given: EmulatorDependencies = {},
): Promise<Emulator> => {
  const named = await readGiven(settings.scenario, catalogue)
  const scenarios = [...named, ...(given.scenarios ?? [])]
  const outside = { ...given, wall: monotonicNow(given.wall ?? Date.now), scenarios }
  const emulator = createEmulator(settings, outside, await keepingFor(settings, outside))
  if (settings.logFile === undefined) return emulator
  const { logged } = await import('../server/log/logged.js')
  return logged(emulator, settings.logFile).catch(async (error) => {
    // What it holds (a state file) is to be free again.
    await emulator.stop()
    throw error
  })
}

// Loaded for those who want it, since it is a good part of the whole.
const keepingFor = async (
  settings: Settings,
  {
    wall,
    scenarios,
    onWarning = writeWarning,
  }: EmulatorDependencies & Pick<Required<EmulatorDependencies>, 'wall' | 'scenarios'>,
): Promise<Persistence> => {
  if (settings.state === undefined) return noPersistence
  const { openState } = await import('../server/state/open-state.js')
  return openState(settings.state, { settings, given: scenarios, wall, notify: onWarning })
}
