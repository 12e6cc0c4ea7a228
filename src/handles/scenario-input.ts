import { isFileName } from '../server/scenario/file-name.js'
import type { ScenarioDocument } from './scenario-document.js'

/** What to ask an emulator to play. A file is read here: the emulator may run on another machine. */
export const playInput = async (
  scenario: string | ScenarioDocument,
): Promise<ScenarioDocument | { readonly name: string }> => {
  if (typeof scenario !== 'string') return scenario
  if (!isFileName(scenario)) return { name: scenario }
  // Loaded now, since it brings all that a scenario may name with it.
  const [{ readScenarioFile }, { catalogue }, { documentOf }] = await Promise.all([
    import('../server/scenario/read.js'),
    import('../families/catalogue.js'),
    import('../core/scenario/scenario.js'),
  ])
  return documentOf(await readScenarioFile(scenario, catalogue))
}
