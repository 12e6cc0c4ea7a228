import {
  type Emulator,
  type Extension,
  lateImport,
  type OpenOptions,
  openEmulator as open,
  type Settings,
} from './emulator/surface/starting.js'

const importRecord = lateImport(() => import('./recording/record.js'))

/** What an emulator takes from the folders beside it. Each is loaded at its first use. */
export const addOns = {
  openStore: async (url, options) => {
    const { openSharedStore } = await import('./replicas/open-store.js')
    return openSharedStore(url, options)
  },
  saveRecording: async (emulator, keys) => {
    const { savedRecording } = await importRecord()
    return savedRecording(emulator, keys)
  },
} satisfies OpenOptions

/** Extension that records into a file. @throws EmulatorError `cannot-record` */
export const recorder =
  (file: string): Extension =>
  async (emulator) => {
    const { recordTo } = await import('./recording/record.js')
    return recordTo(emulator, file)
  }

interface CompositionOptions extends OpenOptions {
  /** Folder of a sweep's run, which says what to play and takes what is seen; default: `BACKLOT_SWEEP`. */
  readonly sweep?: string | undefined
}

/**
 * Composition root of the package: opens an emulator with the extensions that the environment asks for.
 * @throws EmulatorError as `openEmulator` of the emulator does, and `bad-setting` for a folder that the environment names
 */
export const openEmulator = async (
  settings: Settings,
  { sweep = process.env.BACKLOT_SWEEP ?? '', ...dependencies }: CompositionOptions = {},
): Promise<Emulator> => {
  const { scenarios = [], extensions = [] } = dependencies
  const hasOwn = settings.scenario.length + scenarios.length > 0
  const swept = sweep === '' ? undefined : await sweepOf(sweep, hasOwn)
  const { BACKLOT_COVERAGE: folder = '' } = process.env
  return open(settings, {
    ...addOns,
    ...dependencies,
    scenariosFor: swept?.scenariosFor,
    extensions: [
      ...(swept === undefined ? [] : [swept.watcher]),
      ...(folder === '' ? [] : [coverage(folder)]),
      ...extensions,
    ],
  })
}

const sweepOf = async (folder: string, hasOwn: boolean) => {
  const { joinSweep } = await import('./resilience/sweep/watch.js')
  return joinSweep(folder, { hasOwn, record: recorder })
}

const coverage =
  (folder: string): Extension =>
  async (emulator) => {
    const { joinCoverage } = await import('./resilience/coverage/join.js')
    return { end: joinCoverage(emulator, folder) }
  }
