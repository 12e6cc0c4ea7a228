import type { IncomingHttpHeaders } from 'node:http'
import { EmulatorError } from '../../core/emulator-error.js'
import type { Scenario } from '../../core/scenario/scenario.js'

/** The header that names a scenario for one call. */
export const SCENARIO_HEADER = 'x-backlot-scenario'

/** Whether a call names a scenario for itself. */
export const namesScenario = (headers: IncomingHttpHeaders): boolean => headers[SCENARIO_HEADER] !== undefined

/** The scenario that a call names for itself alone, or why there is none of that name; undefined where it names none. */
export const requestScenario = async (
  headers: IncomingHttpHeaders,
  scenarioNamed: (name: string) => Promise<Scenario>,
): Promise<Scenario | EmulatorError | undefined> => {
  const name = headers[SCENARIO_HEADER]
  if (name === undefined) return undefined
  try {
    return await scenarioNamed(String(name))
  } catch (error) {
    if (error instanceof EmulatorError) return error
    throw error
  }
}
