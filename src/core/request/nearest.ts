/** The name that was probably meant; undefined when none is near. */
export const nearest = (written: string, names: readonly string[]): string | undefined => {
  const ranked = names
    .map((name) => ({ name, distance: distance(written.toLowerCase(), name.toLowerCase()) }))
    .sort((a, b) => a.distance - b.distance)
  const best = ranked[0]
  return best !== undefined && best.distance <= Math.max(2, written.length / 3) ? best.name : undefined
}

// Levenshtein's: how many letters must be added, dropped or changed.
const distance = (a: string, b: string): number => {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index)
  for (let i = 1; i <= a.length; i += 1) {
    const next = [i]
    for (let j = 1; j <= b.length; j += 1) {
      const change = (row[j - 1] as number) + (a[i - 1] === b[j - 1] ? 0 : 1)
      next.push(Math.min(change, (row[j] as number) + 1, (next[j - 1] as number) + 1))
    }
    row = next
  }
  return row[b.length] as number
}
