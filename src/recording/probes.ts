import { builtIn, type Probe } from '../emulator/surface/registry.js'

/** The probes of `backlot verify`, in the order of the families. */
export const probes: readonly Probe[] = builtIn.families.flatMap((family) => family.probes ?? [])
