import { usageError } from '../command/command.js'
import type { Registry } from '../emulator/surface/registry.js'
import type { Recording } from '../traffic/format.js'

/**
 * Checks that the families from outside with which a recording was made are here.
 * @throws EmulatorError `wrong-usage`, which names those that are missing
 */
export const checkFamilies = ({ head }: Pick<Recording, 'head'>, registry: Registry): void => {
  const missing = (head.families ?? []).filter((id) => registry.family(id) === undefined)
  if (missing.length === 0) return
  const named = missing.length === 1 ? `the family ${missing[0]}` : `the families ${missing.join(' and ')}`
  throw usageError(
    `The recording was made with ${named} from outside, which Backlot does not have by itself.`,
    'Name what brings it: --families ./acme.family.ts, or the key families of the configuration file.',
  )
}
