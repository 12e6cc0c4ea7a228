import type { Line, Placed } from './recording.js'

/**
 * The lines of a recording in the order in which they were decided. Long answers are written when they are over, so
 * that what was decided meanwhile on the same account can stand before them; the account's clock tells. Accounts keep
 * the places that they have between each other.
 */
export const inOrder = <L extends Placed>(lines: readonly L[]): L[] => {
  const ordered = [...lines]
  for (const places of stretches(lines)) {
    const sorted = places.map((place) => lines[place] as L).sort((a, b) => timeOf(a) - timeOf(b))
    for (const [index, place] of places.entries()) ordered[place] = sorted[index] as L
  }
  return ordered
}

/** The places of what was done on each account while its clock went on without a break. */
const stretches = (lines: readonly Placed[]): number[][] => {
  const all: number[][] = []
  const open = new Map<string, number[]>()
  const openFor = (account: string): number[] => {
    const known = open.get(account)
    if (known !== undefined) return known
    const places: number[] = []
    open.set(account, places)
    all.push(places)
    return places
  }
  for (const [place, { line }] of lines.entries()) {
    if (line.kind === 'call' || line.kind === 'control') openFor(line.account).push(place)
    if (breaksTime(line)) open.delete(line.account)
  }
  return all
}

// After these a clock says another time than it has come to, earlier ones too. A clock is put to a time only before
// the first call of its account, so that no call that was decided earlier is written behind that.
const breaksTime = (line: Line): line is Extract<Line, { kind: 'reset' | 'control' }> =>
  line.kind === 'reset' ||
  (line.kind === 'control' && line.action === 'clock.change' && line.input.now !== undefined)

const timeOf = ({ line }: Placed): number => ('at' in line ? Date.parse(line.at) : 0)
