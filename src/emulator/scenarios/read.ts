import { basename, dirname, extname, resolve } from 'node:path'
import { textOfDiagnostic } from '../core/diagnostics.js'
import { EmulatorError, whyUnreadable } from '../core/errors.js'
import { notJson } from '../core/request.js'
import type { Scenario } from '../core/scenario/schema.js'
import { validateScenario } from '../core/scenario/validate.js'
import { builtIn } from '../families/index.js'
import { diagnosticText, type LocatedDiagnostic, parseLocated, readTextFile } from './located.js'

/** A scenario that cannot be played; the message says everything that is wrong with it, a line each. */
const badScenario = (problems: readonly string[]): EmulatorError =>
  new EmulatorError(`The scenario cannot be played.\n${problems.join('\n')}`, {
    code: 'bad-scenario',
    hint: 'docs/scenarios.md describes every selector and every effect; `backlot check FILE` checks a file.',
  })

export type Parsed = { readonly scenario: Scenario } | { readonly diagnostics: readonly LocatedDiagnostic[] }

/**
 * Reads the text of a scenario file, YAML or JSON. All that is wrong with it comes at once, in the order of the file. Here and
 * below, the scenario may name what a registry has: that of the emulator that is to play it, by default the built-in one.
 */
export const parseScenario = (text: string, { catalogue } = builtIn): Promise<Parsed> =>
  parseLocated(text, (document) => {
    const validated = validateScenario(document, catalogue)
    // YAML has numbers that JSON has not.
    const wrong = 'scenario' in validated ? notJson(document) : undefined
    return wrong === undefined ? validated : { diagnostics: [{ path: [], message: wrong }] }
  })

/**
 * Validates a scenario file.
 * @throws EmulatorError `no-such-file`
 */
export const checkScenarioFile = async (path: string, registry = builtIn): Promise<Parsed> => {
  const parsed = await parseScenario(await textOf(path), registry)
  const name = basename(path, extname(path))
  const isNamedOtherwise =
    'scenario' in parsed && basename(dirname(resolve(path))) === 'scenarios' && parsed.scenario.name !== name
  if (!isNamedOtherwise) return parsed
  const message = `name must be ${name}, as the file is called, found ${parsed.scenario.name}`
  return { diagnostics: [{ line: 1, column: 1, message }] }
}

/**
 * Reads a scenario from a file.
 * @throws EmulatorError `no-such-file`, or `bad-scenario` with every diagnostic and its place
 */
export const readScenarioFile = async (path: string, registry = builtIn): Promise<Scenario> => {
  const parsed = await checkScenarioFile(path, registry)
  if ('scenario' in parsed) return parsed.scenario
  throw badScenario(parsed.diagnostics.map((diagnostic) => diagnosticText(path, diagnostic)))
}

/**
 * Reads a scenario from a document in memory.
 * @throws EmulatorError `bad-scenario` with every diagnostic and the path that it is about
 */
export const readScenarioDocument = (document: unknown, { catalogue } = builtIn): Scenario => {
  const wrong = notJson(document)
  if (wrong !== undefined) throw badScenario([wrong])
  const validated = validateScenario(document, catalogue)
  if ('scenario' in validated) return validated.scenario
  throw badScenario(validated.diagnostics.map(textOfDiagnostic))
}

const textOf = async (path: string): Promise<string> => {
  try {
    return await readTextFile(path)
  } catch (error) {
    throw new EmulatorError(whyUnreadable(path, error), {
      code: 'no-such-file',
      hint: '`backlot scenarios` lists the ready-made ones, which have names.',
      cause: error,
    })
  }
}
