import { readFile } from 'node:fs/promises'
import { basename, dirname, extname } from 'node:path'
import { EmulatorError } from '../../core/emulator-error.js'
import { fieldOf } from '../../core/request/path.js'
import type { Catalogue } from '../../core/scenario/check/catalogue.js'
import { validateScenario } from '../../core/scenario/check/document.js'
import type { Scenario } from '../../core/scenario/scenario.js'
import { badScenario, diagnosticText } from './bad-scenario.js'
import { type Parsed, parseScenario } from './parse.js'

/**
 * Looks a scenario file over.
 * @throws EmulatorError `no-such-file`
 */
export const checkScenarioFile = async (path: string, catalogue: Catalogue): Promise<Parsed> => {
  const parsed = await parseScenario(await textOf(path), catalogue)
  const name = basename(path, extname(path))
  const isNamedOtherwise =
    'scenario' in parsed && basename(dirname(path)) === 'scenarios' && parsed.scenario.name !== name
  if (!isNamedOtherwise) return parsed
  const message = `name must be ${name}, as the file is called, found ${parsed.scenario.name}`
  return { diagnostics: [{ line: 1, column: 1, message }] }
}

/**
 * Reads a scenario from a file.
 * @throws EmulatorError `no-such-file`, or `bad-scenario` with every flaw and its place
 */
export const readScenarioFile = async (path: string, catalogue: Catalogue): Promise<Scenario> => {
  const parsed = await checkScenarioFile(path, catalogue)
  if ('scenario' in parsed) return parsed.scenario
  throw badScenario(parsed.diagnostics.map((flaw) => diagnosticText(path, flaw)))
}

/**
 * Reads a scenario from a document in memory.
 * @throws EmulatorError `bad-scenario` with every complaint and the path that it is about
 */
export const readScenarioDocument = (document: unknown, catalogue: Catalogue): Scenario => {
  const validated = validateScenario(document, catalogue)
  if ('scenario' in validated) return validated.scenario
  throw badScenario(
    validated.diagnostics.map(({ path, message }) =>
      path.length === 0 ? message : `${fieldOf(path)}: ${message}`,
    ),
  )
}

const textOf = async (path: string): Promise<string> => {
  try {
    return await readFile(path, 'utf8')
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    throw new EmulatorError(
      code === 'ENOENT' ? `There is no file ${path}.` : `${path} cannot be read: ${message}.`,
      {
        code: 'no-such-file',
        hint: '`backlot scenarios` lists the ready-made ones, which have names.',
        cause: error,
      },
    )
  }
}
