import type { Placed } from './recording.js'

/**
 * The lines of a recording in the order in which they were decided. Long answers are written when they are over, so
 * that what was decided meanwhile on the same account can stand before them; the account's clock tells. Accounts keep
 * the places that they have between each other.
 */
export const inOrder = <L extends Placed>(lines: readonly L[]): L[] => {
  const ordered = [...lines]
  for (const places of stretches(lines).values()) {
    const sorted = places.map((place) => lines[place] as L).sort((a, b) => timeOf(a) - timeOf(b))
    for (const [index, place] of places.entries()) ordered[place] = sorted[index] as L
  }
  return ordered
}

/** The places of the calls of each account, from one reset to the next, since a clock begins anew with those. */
const stretches = (lines: readonly Placed[]): Map<string, number[]> => {
  const resets = new Map<string, number>()
  const places = new Map<string, number[]>()
  for (const [place, { line }] of lines.entries()) {
    if (line.kind === 'reset') resets.set(line.account, (resets.get(line.account) ?? 0) + 1)
    if (line.kind !== 'call' && line.kind !== 'control') continue
    const name = `${line.account} ${resets.get(line.account) ?? 0}`
    const known = places.get(name) ?? []
    places.set(name, known)
    known.push(place)
  }
  return places
}

const timeOf = ({ line }: Placed): number => ('at' in line ? Date.parse(line.at) : 0)
