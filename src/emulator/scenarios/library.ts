import { readdir, readFile } from 'node:fs/promises'
import { basename, extname, join } from 'node:path'
import { lateImport, memoizeLoad } from '../concurrency.js'
import { EmulatorError } from '../core/errors.js'
import type { Scenario } from '../core/scenario/schema.js'
import { nearest } from '../core/suggest.js'
import type { Registry } from '../families/registry.js'
import { packageRoot } from '../package-root.js'
import type { Parsed } from './read.js'

/** Whether a name is that of a file rather than of a ready-made scenario. */
export const isFileName = (name: string): boolean =>
  ['.yaml', '.yml', '.json'].includes(extname(name).toLowerCase()) || /[/\\]/.test(name)

/** The header that names a scenario for one call. */
export const SCENARIO_HEADER = 'x-backlot-scenario'

/** The scenario that a call names for itself alone, or why there is none of that name. */
export const requestScenario = (
  name: string | readonly string[],
  scenarioNamed: (name: string) => Promise<Scenario>,
): Promise<Scenario | EmulatorError> =>
  scenarioNamed(String(name)).catch((error: unknown) => {
    if (error instanceof EmulatorError) return error
    throw error
  })

/** The scenarios that come with the package, each in a file of its name. */
export interface Library {
  readonly folder: string
  /** In alphabetical order. */
  names(): Promise<readonly string[]>
  /** @throws EmulatorError `unknown-scenario`, with the nearest name */
  read(name: string): Promise<Scenario>
}

/**
 * Opens the library.
 * @param given folder of the files. Default: that of the package, looked for when it is needed
 * @param registry what they may name. Default: the built-in families
 */
export const createLibrary = (given?: string, registry?: Registry): Library => {
  const scenarios = new Map<string, () => Promise<Scenario>>()
  const folder = () => given ?? join(packageRoot(), 'scenarios')
  const names = memoizeLoad(async () => {
    const files = await readdir(folder())
    return files
      .filter((file) => file.endsWith('.yaml'))
      .map((file) => basename(file, '.yaml'))
      .sort()
  })
  return {
    get folder() {
      return folder()
    },
    names,
    read: async (name) => {
      if (!(await names()).includes(name)) throw unknownScenario(name, await names())
      const load =
        scenarios.get(name) ??
        memoizeLoad(async () => (await reading()).readScenarioFile(join(folder(), `${name}.yaml`), registry))
      scenarios.set(name, load)
      return load()
    },
  }
}

const unknownScenario = (name: string, names: readonly string[]): EmulatorError => {
  const meant = nearest(name, names)
  return new EmulatorError(`There is no scenario ${JSON.stringify(name)}.`, {
    code: 'unknown-scenario',
    hint: meant === undefined ? `There are: ${names.join(', ')}.` : `Did you mean ${meant}?`,
  })
}

/** A scenario as users name it: by the name of a ready-made one, by a file, or as the document itself. */
type GivenScenario = string | object

/** A ready-made scenario, with the text of its file. */
interface ReadyMade {
  readonly scenario: Scenario
  readonly text: string
}

/** The scenarios that an emulator knows. */
export interface Scenarios {
  /** Those that play for every account from its start on. */
  readonly given: readonly Scenario[]
  /** One of the given ones, or of the library. @throws EmulatorError `unknown-scenario` */
  named(name: string): Promise<Scenario>
  /** Puts a scenario in the place of a given one, for accounts that are opened from now on. */
  replace(scenario: Scenario, by: Scenario): void
  /** @throws EmulatorError `bad-scenario` */
  fromDocument(document: unknown): Promise<Scenario>
  /** In alphabetical order. */
  readyMade(): Promise<readonly ReadyMade[]>
  /** Reads the text of a file and finds everything that is wrong with it. */
  check(text: string): Promise<Parsed>
}

/** Scenarios of an emulator that begins with these. */
export const createScenarios = (atStart: readonly Scenario[], registry: Registry): Scenarios => {
  const given = [...atStart]
  const library = createLibrary(undefined, registry)
  return {
    given,
    named: async (name) => given.find((scenario) => scenario.name === name) ?? library.read(name),
    replace: (scenario, by) => void given.splice(given.indexOf(scenario), 1, by),
    fromDocument: async (document) => (await reading()).readScenarioDocument(document, registry),
    readyMade: memoizeLoad(async () => {
      const all: ReadyMade[] = []
      // One file at a time: a process with few file handles left can read them too.
      for (const name of await library.names()) {
        const scenario = await library.read(name)
        all.push({ scenario, text: await readFile(join(library.folder, `${name}.yaml`), 'utf8') })
      }
      return all
    }),
    check: async (text) => (await reading()).parseScenario(text, registry),
  }
}

/**
 * Reads what was given at the start, in that order.
 * @throws EmulatorError `no-such-file`, `unknown-scenario` or `bad-scenario`
 */
export const readGiven = (given: readonly GivenScenario[], registry: Registry): Promise<Scenario[]> => {
  const library = createLibrary(undefined, registry)
  const read = async (scenario: GivenScenario): Promise<Scenario> => {
    if (typeof scenario === 'object') return (await reading()).readScenarioDocument(scenario, registry)
    if (!isFileName(scenario)) return library.read(scenario)
    return (await reading()).readScenarioFile(scenario, registry)
  }
  return Promise.all(given.map(read))
}

// Loaded with the first that is read: most emulators play none, and it brings all that a scenario can say with it.
const reading = lateImport(() => import('./read.js'))
