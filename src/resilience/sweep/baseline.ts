import { groupBy } from '../../emulator/surface/faults.js'
import { findingKinds } from '../../emulator/surface/verdict.js'
import type { Report } from './report.js'
import type { Run } from './run.js'
import { leftAloneIn, type Sighting } from './sighting.js'

const MAX_EXAMPLES = 3

/** Facts of the run without a scenario, as reports have them, with the verdict on its client. */
export const baselineFacts = ({
  outcome,
  durationMs,
  sightings,
}: Pick<Run, 'outcome' | 'durationMs' | 'sightings'>): Report['baseline'] => ({
  tests: outcome,
  durationMs: Math.round(durationMs),
  calls: sightings.filter(({ kind }) => kind === 'call').length,
  tasks: sightings.filter((sighting) => sighting.kind === 'call' && sighting.makes).length,
  leftAlone: leftAloneIn(sightings),
  findings: findingsIn(sightings),
})

/** Findings of the verdict by their kinds, the gravest first. */
const findingsIn = (sightings: readonly Sighting[]): NonNullable<Report['baseline']['findings']> => {
  const found = groupBy(
    sightings.filter((sighting) => sighting.kind === 'finding'),
    ({ finding }) => finding,
  )
  return findingKinds.flatMap((kind) => {
    const all = found.get(kind) ?? []
    const examples = all.slice(0, MAX_EXAMPLES).map(({ message }) => message)
    return all.length === 0 ? [] : [{ kind, count: all.length, examples }]
  })
}
