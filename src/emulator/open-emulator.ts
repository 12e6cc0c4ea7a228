import { existsSync } from 'node:fs'
import type { OpenStore } from './accounts/persistence/shared-log.js'
import { type EmulatorDependencies, writeWarning } from './composition/dependencies.js'
import { generateControlToken } from './control/guard.js'
import { EmulatorError } from './core/errors.js'
import type { Task } from './core/model/task.js'
import type { Scenario } from './core/scenario/schema.js'
import { monotonicNow } from './core/schedule/time.js'
import type { Settings } from './core/settings.js'
import { createEmulator, type Emulator } from './emulator.js'
import { type Extension, extend } from './extension.js'
import { builtIn } from './families/index.js'
import { createRegistry, type Registry } from './families/registry.js'
import { readGiven } from './scenarios/library.js'
import { checkPrices, VERIFIED_FILE } from './settings.js'

/** What an emulator is opened with, beside what its parts depend on. */
export interface OpenOptions extends EmulatorDependencies {
  /** What follows it from its start to its end; started in this order. */
  readonly extensions?: readonly Extension[]
  /** Scenarios that are asked before the given ones, as the families of the emulator let them be read. Default: none. */
  readonly scenariosFor?: ((registry: Registry) => readonly Scenario[]) | undefined
  /** Opens the store that the setting `store` names; without it that setting is refused. */
  readonly openStore?: OpenStore
}

/**
 * Opens an emulator as its settings say: with the scenarios and the state that they name, followed by its extensions and, where
 * the settings ask for it, by the log.
 * @param dependencies its scenarios are asked after those of the settings
 * @throws EmulatorError `no-such-file`, `unknown-scenario`, `bad-scenario`, `bad-setting`, `bad-family`, `bad-verified` or `cannot-log`; of a state file
 * `state-held`, `bad-state`, `other-seed` or `state-unusable`; of a store `store-client-missing`,
 * `store-unavailable`, `bad-state` or `other-seed`
 */
export const openEmulator = async (given: Settings, dependencies: OpenOptions = {}): Promise<Emulator> => {
  const families = await readFamilies(given, dependencies.registry)
  const { settings, registry, profile } = await families.throughProfile()
  checkPrices(settings, registry.pricedVideos)
  if (settings.stateDelayMs !== undefined)
    (dependencies.onWarning ?? writeWarning)(
      'The setting stateDelayMs is deprecated and has no effect: an answer waits until what it changed is written. Leave it out.',
    )
  const named = [
    ...(await readGiven(settings.scenario, registry)),
    ...(dependencies.scenariosFor?.(registry) ?? []),
    ...(dependencies.scenarios ?? []),
  ]
  checkScenarios(named, settings)
  const injected = {
    ...dependencies,
    registry,
    profile,
    facts: dependencies.facts ?? (await readFacts(settings)),
    systemNow: monotonicNow(dependencies.systemNow ?? Date.now),
    scenarios: named,
  }
  const emulator = createEmulator(settings, injected, await openPersistence(settings, injected))
  const { extensions = [] } = dependencies
  return extend(emulator, settings.logFile === undefined ? extensions : [...extensions, log])
}

const log: Extension = async (emulator) => {
  const { startLog } = await import('./observability/log.js')
  return { end: await startLog(emulator, emulator.settings.logFile ?? '') }
}

/**
 * The families that an emulator has: those of a registry, and those from outside that its settings name.
 * @throws EmulatorError `bad-family`, or `bad-setting` for `familySettings`
 */
export const readFamilies = async (given: Settings, known: Registry = builtIn) => {
  const { registry, settings } = await openFamilies(given, known)
  return {
    /** The families without a profile. */
    registry,
    /**
     * The families as the profiles of the settings change them, and the settings with those of families and with what recordings
     * have of the profiles.
     * @throws EmulatorError `no-such-file` or `bad-profile`
     */
    throughProfile: async () => {
      if (settings.profile.length === 0) return { settings, registry, profile: undefined }
      const { loadProfiles, recordableProfile } = await import('./profile/load.js')
      const profile = await loadProfiles(settings.profile, registry.families)
      return {
        settings: { ...settings, profile: [recordableProfile(profile)] },
        registry: createRegistry(profile.families),
        profile,
      }
    },
  }
}

/** Most emulators have no family from outside, and what reads them takes time to load. */
const openFamilies = async (settings: Settings, registry: Registry) => {
  if (settings.families.length === 0 && Object.keys(settings.familySettings).length === 0)
    return { registry, settings }
  const { openRegistry } = await import('./plugins/load.js')
  return openRegistry(settings, registry)
}

/** The verified facts of the settings. Most emulators have none, and what reads them takes time to load. */
const readFacts = async ({ verified }: Settings) => {
  if (verified === undefined && !existsSync(VERIFIED_FILE)) return undefined
  return (await import('./verified/file.js')).readVerified(verified)
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

const openPersistence = async (
  settings: Settings,
  injected: OpenOptions & Pick<Required<EmulatorDependencies>, 'registry' | 'systemNow' | 'scenarios'>,
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
    if (injected.openStore === undefined)
      throw new EmulatorError(
        'The setting store names a shared store, and this emulator is opened without one.',
        {
          code: 'bad-setting',
          hint: 'Leave it out, or open the emulator as the package does.',
        },
      )
    const controlToken = generateControlToken(settings)
    return injected.openStore(store, { settings, now, onInternalError, onWarning, controlToken })
  }
  if (state === undefined) return undefined
  const { openStateFile } = await import('./accounts/persistence/state-file.js')
  const checkParams = (task: Task) => registry.paramsProblem(task)
  return openStateFile(state, { settings, given: scenarios, checkParams, now, onWarning, setTimer })
}
