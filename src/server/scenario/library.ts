import { readdir } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { EmulatorError } from '../../core/emulator-error.js'
import { nearest } from '../../core/request/nearest.js'
import type { Catalogue } from '../../core/scenario/check/catalogue.js'
import type { Scenario } from '../../core/scenario/scenario.js'
import { packageRoot } from '../fixtures/fixtures.js'

/** The scenarios that come with the package, each in a file of its name. */
export interface Library {
  readonly folder: string
  /** In alphabetical order. */
  names(): Promise<readonly string[]>
  /** @throws EmulatorError `unknown-scenario`, with the nearest name */
  read(name: string): Promise<Scenario>
}

export const createLibrary = (catalogue: Catalogue, folder = join(packageRoot(), 'scenarios')): Library => {
  const scenarios = new Map<string, Promise<Scenario>>()
  let listed: Promise<readonly string[]> | undefined
  const names = () => {
    listed ??= readdir(folder).then((files) =>
      files
        .filter((file) => file.endsWith('.yaml'))
        .map((file) => basename(file, '.yaml'))
        .sort(),
    )
    return listed
  }
  return {
    folder,
    names,
    read: async (name) => {
      if (!(await names()).includes(name)) throw unknownScenario(name, await names())
      const known = scenarios.get(name) ?? readFrom(join(folder, `${name}.yaml`), catalogue)
      scenarios.set(name, known)
      return known
    },
  }
}

// Loaded with the first that is read, since it brings all that a scenario can say with it.
const readFrom = async (path: string, catalogue: Catalogue): Promise<Scenario> => {
  const { readScenarioFile } = await import('./read.js')
  return readScenarioFile(path, catalogue)
}

const unknownScenario = (name: string, names: readonly string[]): EmulatorError => {
  const meant = nearest(name, names)
  return new EmulatorError(`There is no scenario ${JSON.stringify(name)}.`, {
    code: 'unknown-scenario',
    hint: meant === undefined ? `There are: ${names.join(', ')}.` : `Did you mean ${meant}?`,
  })
}
