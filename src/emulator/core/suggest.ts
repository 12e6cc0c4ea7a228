/** Nearest name by Damerau-Levenshtein distance, or undefined where none is near. */
export const nearest = (written: string, names: readonly string[]): string | undefined => {
  // Two letters that are both different are another word.
  const maxDistance = Math.min(written.length - 1, Math.max(2, written.length / 3))
  const ranked = names
    // The distance is at least the difference in length. Without this a name of megabytes would be compared letter by letter.
    .filter((name) => Math.abs(name.length - written.length) <= maxDistance)
    .map((name) => ({ name, distance: distance(written.toLowerCase(), name.toLowerCase()) }))
    .sort((a, b) => a.distance - b.distance)
  const best = ranked[0]
  return best !== undefined && best.distance <= maxDistance ? best.name : undefined
}

// Damerau-Levenshtein distance (optimal string alignment): how many letters must be added, removed, changed or swapped with the next.
const distance = (a: string, b: string): number => {
  let before: number[] = []
  let row = Array.from({ length: b.length + 1 }, (_, index) => index)
  for (let i = 1; i <= a.length; i += 1) {
    const next = [i]
    for (let j = 1; j <= b.length; j += 1) {
      const change = (row[j - 1] as number) + (a[i - 1] === b[j - 1] ? 0 : 1)
      const isSwapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]
      const swap = isSwapped ? (before[j - 2] as number) + 1 : change
      next.push(Math.min(change, swap, (row[j] as number) + 1, (next[j - 1] as number) + 1))
    }
    before = row
    row = next
  }
  return row[b.length] as number
}

/** Suggestion for a misspelt name: the name that was probably meant; undefined when none is near. */
export const suggest = (written: string, possible: readonly string[]): string | undefined => {
  // `prob` is the beginning of `probability`, though fewer letters differ from `from`, and `b-video.create` that of
  // `b-video-task.create` in both of its parts, though fewer differ from `c-video.create`.
  const begun = written.length > 2 ? possible.find((name) => isBegun(written, name)) : undefined
  return begun ?? nearest(written, possible)
}

const isBegun = (written: string, name: string): boolean => {
  // Without this a name of megabytes would be split at each of its dots.
  if (written.length > name.length) return false
  const names = name.split('.')
  return written.split('.').every((part, index) => names[index]?.startsWith(part) === true)
}

/** The end of a message about an unknown name: `: did you mean …?`, or what is possible. */
export const suggestion = (written: string, possible: readonly string[]): string => {
  const meant = suggest(written, possible)
  if (meant === undefined) return possible.length === 0 ? '' : `: possible are ${possible.join(', ')}`
  const others = possible.filter((name) => name !== meant)
  return `: did you mean ${meant}?${others.length === 0 ? '' : ` Also possible: ${others.join(', ')}`}`
}

// A word alone in braces. JSON, an empty object, a number of repetitions and a shell's ${VARIABLE} are none.
const PLACEHOLDER = /(?<!\$)\{([A-Za-z]\w*)\}/g

/** The first placeholder of a template that is none of those that are filled in. */
export const unknownPlaceholder = (template: string, known: readonly string[]): string | undefined =>
  [...template.matchAll(PLACEHOLDER)].map(([, name = '']) => name).find((name) => !known.includes(name))

/**
 * Sentence about a name for which there is no rule, with the rule that was probably meant, or undefined where there is one.
 * @param isOf whether a rule is one of those that a name stands for
 */
export const unknownRule = (
  named: string,
  ids: readonly string[],
  isOf: (id: string, named: string) => boolean,
): string | undefined => {
  // Fields within those that are listed have rules too; the shape as a whole is no such field.
  const fields = ids.filter((id) => !id.endsWith('.schema'))
  if (ids.some((id) => isOf(id, named)) || fields.some((id) => named.startsWith(`${id}.`))) return undefined
  // There are hundreds of rules, so that only the nearest one is named.
  const meant = suggest(named, ids)
  return `There is no rule ${JSON.stringify(named)}${meant === undefined ? '.' : `: did you mean ${meant}?`}`
}
