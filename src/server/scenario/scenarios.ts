import type { Catalogue } from '../../core/scenario/check/catalogue.js'
import type { Scenario } from '../../core/scenario/scenario.js'
import { isFileName } from './file-name.js'
import { createLibrary, type Library } from './library.js'

/** A scenario as users name it: by the name of a ready-made one, by a file, or as the document itself. */
export type GivenScenario = string | object

/** The scenarios that an emulator knows. */
export interface Scenarios {
  /** Those that play for every account from its start on. */
  readonly given: readonly Scenario[]
  /** One of the given ones, or of the library. @throws EmulatorError `unknown-scenario` */
  named(name: string): Promise<Scenario>
  /** @throws EmulatorError `bad-scenario` */
  fromDocument(document: unknown): Promise<Scenario>
}

export const createScenarios = (catalogue: Catalogue, given: readonly Scenario[]): Scenarios => {
  const library = createLibrary(catalogue)
  return {
    given,
    named: async (name) => given.find((scenario) => scenario.name === name) ?? library.read(name),
    fromDocument: async (document) => (await reading()).readScenarioDocument(document, catalogue),
  }
}

/**
 * Reads what was given at the start, in that order.
 * @throws EmulatorError `no-such-file`, `unknown-scenario` or `bad-scenario`
 */
export const readGiven = async (
  given: readonly GivenScenario[],
  catalogue: Catalogue,
): Promise<Scenario[]> => {
  const library = createLibrary(catalogue)
  return Promise.all(given.map((one) => readOne(one, catalogue, library)))
}

const readOne = async (given: GivenScenario, catalogue: Catalogue, library: Library): Promise<Scenario> => {
  if (typeof given === 'string' && !isFileName(given)) return library.read(given)
  const { readScenarioDocument, readScenarioFile } = await reading()
  return typeof given === 'string'
    ? readScenarioFile(given, catalogue)
    : readScenarioDocument(given, catalogue)
}

// Loaded with the first that is read: most emulators play none.
const reading = () => import('./read.js')
