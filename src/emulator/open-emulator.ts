import { idempotent } from './concurrency.js'
import { generateControlToken } from './control/guard.js'
import { EmulatorError } from './core/errors.js'
import type { Task } from './core/model/task.js'
import type { Scenario } from './core/scenario/schema.js'
import { monotonicNow } from './core/schedule/time.js'
import { checkPrices, type Settings } from './core/settings.js'
import { createEmulator, type Emulator, type EmulatorDependencies, writeWarning } from './emulator.js'
import { builtIn } from './families/index.js'
import { createRegistry, type Registry } from './families/registry.js'
import { readGiven } from './scenarios/library.js'

/**
 * Opens an emulator as its settings say: with the scenarios and the state that they name, followed by a sweep, by the count of
 * coverage and by the log where these are asked for. What is rarely asked for is loaded then.
 * @param dependencies its scenarios are asked after those of the settings
 * @throws EmulatorError `no-such-file`, `unknown-scenario`, `bad-scenario`, `bad-setting`, `bad-family` or `cannot-log`; of a state file
 * `state-held`, `bad-state`, `other-seed` or `state-unusable`; of a store `store-client-missing`,
 * `store-unavailable`, `bad-state` or `other-seed`
 */
export const openEmulator = async (
  given: Settings,
  dependencies: EmulatorDependencies = {},
): Promise<Emulator> => {
  const added = await familiesFor(given, dependencies)
  const { settings, registry, profile } = await readThroughProfile(added.settings, added.registry)
  checkPrices(settings, registry.pricedVideos)
  if (settings.stateDelayMs !== undefined)
    (dependencies.onWarning ?? writeWarning)(
      'The setting stateDelayMs is deprecated and has no effect: an answer waits until what it changed is written. Leave it out.',
    )
  const named = [...(await readGiven(settings.scenario, registry)), ...(dependencies.scenarios ?? [])]
  checkScenarios(named, settings)
  const { BACKLOT_SWEEP: sweepFolder = '', BACKLOT_COVERAGE: coverageFolder = '' } = process.env
  const folder = dependencies.sweep ?? sweepFolder
  const sweep =
    folder === '' ? undefined : await (await import('../resilience/sweep/watch.js')).joinSweep(folder, named)
  const injected = {
    ...dependencies,
    registry,
    profile,
    systemNow: monotonicNow(dependencies.systemNow ?? Date.now),
    scenarios: sweep?.scenarios ?? named,
  }
  let emulator = createEmulator(settings, injected, await openPersistence(settings, injected))
  try {
    if (sweep !== undefined) emulator = ending(emulator, await sweep.watch(emulator))
    if (coverageFolder !== '') {
      const { joinCoverage } = await import('../resilience/coverage/join.js')
      emulator = ending(emulator, joinCoverage(emulator, coverageFolder))
    }
    if (settings.logFile !== undefined) {
      const { startLog } = await import('./observability/log.js')
      emulator = ending(emulator, await startLog(emulator, settings.logFile))
    }
    return emulator
  } catch (error) {
    // A state file that it holds is free again.
    await emulator.stop()
    throw error
  }
}

/** Registry of the families that an emulator has, and the settings with those of added families. */
const familiesFor = async (settings: Settings, { registry = builtIn }: EmulatorDependencies) => {
  if (settings.families.length === 0 && Object.keys(settings.familySettings).length === 0)
    return { registry, settings }
  const { openRegistry } = await import('./plugins/load.js')
  return openRegistry(settings, registry)
}

/**
 * The families as the profiles of the settings change them. The settings then hold what recordings have of the profiles.
 * @throws EmulatorError `no-such-file` or `bad-profile`
 */
const readThroughProfile = async (settings: Settings, registry: Registry) => {
  if (settings.profile.length === 0) return { settings, registry, profile: undefined }
  const { loadProfiles, recordableProfile } = await import('./profile/load.js')
  const profile = await loadProfiles(settings.profile, registry.families)
  return {
    settings: { ...settings, profile: [recordableProfile(profile)] },
    registry: createRegistry(profile.families),
    profile,
  }
}

/** @throws EmulatorError `bad-setting` where there are too many, or two of one name, which nothing tells apart */
const checkScenarios = (given: readonly Scenario[], { maxScenarios }: Settings): void => {
  if (given.length > maxScenarios)
    throw new EmulatorError(
      `${given.length} scenarios are given, and the setting maxScenarios is ${maxScenarios}.`,
      { code: 'bad-setting', hint: 'Give fewer, or raise the setting.' },
    )
  const names = given.map(({ name }) => name)
  const twice = names.find((name, index) => names.indexOf(name) !== index)
  if (twice !== undefined)
    throw new EmulatorError(`Two scenarios have the name ${twice}.`, {
      code: 'bad-setting',
      hint: 'Name it once, or give one of the two another name.',
    })
}

/** What is done when an emulator has stopped; `flush`: before, while it has its files. */
type End = (() => Promise<void> | void) & { readonly flush?: () => Promise<unknown> }

/** An emulator that does something more when it has stopped, once. */
export const ending = (emulator: Emulator, end: End): Emulator => ({
  ...emulator,
  stop: idempotent(async () => {
    await end.flush?.()
    await emulator.stop()
    await end()
  }),
})

const openPersistence = async (
  settings: Settings,
  injected: EmulatorDependencies &
    Pick<Required<EmulatorDependencies>, 'registry' | 'systemNow' | 'scenarios'>,
) => {
  const { registry, systemNow: now, scenarios, setTimer } = injected
  const { onWarning = writeWarning, onInternalError = console.error } = injected
  const { state, store } = settings
  if (state !== undefined && store !== undefined)
    throw new EmulatorError('state and store are both given, and accounts are kept in one place.', {
      code: 'bad-setting',
      hint: 'Use state for one emulator, or store for replicas that share a server.',
    })
  if (store !== undefined) {
    const { openSharedStore } = await import('../replicas/open-store.js')
    const controlToken = generateControlToken(settings)
    return openSharedStore(store, { settings, now, onInternalError, onWarning, controlToken })
  }
  if (state === undefined) return undefined
  const { openStateFile } = await import('./accounts/persistence/state-file.js')
  const checkParams = (task: Task) => registry.paramsProblem(task)
  return openStateFile(state, { settings, given: scenarios, checkParams, now, onWarning, setTimer })
}
