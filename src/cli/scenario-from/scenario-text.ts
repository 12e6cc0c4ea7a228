import { extname } from 'node:path'
import type { ScenarioInput } from '../../core/scenario/scenario.js'

/** A scenario as the text of a file: YAML, or JSON where the file is to be one. */
export const scenarioText = async (
  scenario: ScenarioInput,
  from: string,
  output: string | undefined,
): Promise<string> => {
  if (extname(output ?? '').toLowerCase() === '.json') return `${JSON.stringify(scenario, null, 2)}\n`
  const { stringify } = await import('yaml')
  return `# Made from ${from} by backlot scenario-from.\n${stringify(scenario, { lineWidth: 110 })}`
}
