import type { Catalogue } from '../../core/scenario/check/catalogue.js'
import type { Scenario } from '../../core/scenario/scenario.js'
import { isFileName } from './file-name.js'
import { createLibrary, type Library } from './library.js'
import { readScenarioDocument, readScenarioFile } from './read.js'

/** A scenario as users name it: by the name of a ready-made one, by a file, or as the document itself. */
export type GivenScenario = string | object

/** The scenarios that an emulator knows. */
export interface Scenarios {
  /** Those that play for every account from its start on. */
  readonly given: readonly Scenario[]
  /** One of the given ones, or of the library. @throws EmulatorError `unknown-scenario` */
  named(name: string): Promise<Scenario>
  /** @throws EmulatorError `bad-scenario` */
  fromDocument(document: unknown): Scenario
}

export const createScenarios = (catalogue: Catalogue, given: readonly Scenario[]): Scenarios => {
  const library = createLibrary(catalogue)
  return {
    given,
    named: async (name) => given.find((scenario) => scenario.name === name) ?? library.read(name),
    fromDocument: (document) => readScenarioDocument(document, catalogue),
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
  if (typeof given !== 'string') return readScenarioDocument(given, catalogue)
  return isFileName(given) ? readScenarioFile(given, catalogue) : library.read(given)
}
