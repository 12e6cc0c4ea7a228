/** Headers by name, in any case; null takes one away. */
type Changes = Readonly<Record<string, string | null>>

// As replies spell them: what the emulator writes by itself is looked for under these names.
const OWN_NAMES: Readonly<Record<string, string>> = {
  'content-type': 'Content-Type',
  'x-request-id': 'X-Request-Id',
}

/** Headers with the names that the emulator writes itself spelt as replies spell them: they are written as a list, in which two spellings would both stand. */
export const withOwnNames = <T>(headers: Readonly<Record<string, T>>): Record<string, T> =>
  Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [OWN_NAMES[name.toLowerCase()] ?? name, value]),
  )

/** Headers with others in the place of those of the same name, in whichever case; null takes one away. */
export const changedHeaders = (before: Readonly<Record<string, string>>, changes: Changes) => {
  const replaced = Object.keys(changes).map((name) => name.toLowerCase())
  const kept = Object.entries(before).filter(([name]) => !replaced.includes(name.toLowerCase()))
  const added = Object.entries(changes).filter((entry): entry is [string, string] => entry[1] !== null)
  return withOwnNames(Object.fromEntries([...kept, ...added]))
}

/** Headers of several rows as one: of those of one name, in whichever case, the later one counts. */
export const mergedHeaders = <T extends string | null>(
  earlier: Readonly<Record<string, T>>,
  later: Readonly<Record<string, T>>,
): Record<string, T> => {
  const replaced = Object.keys(later).map((name) => name.toLowerCase())
  const kept = Object.entries(earlier).filter(([name]) => !replaced.includes(name.toLowerCase()))
  return { ...Object.fromEntries(kept), ...later }
}

/** Names of the headers that an answer does not have, in lower case: those of before, as changes take away and set others. */
export const takenAway = (changes: Changes, before: readonly string[] = []): readonly string[] => {
  const changed = Object.entries(changes).map(([name, value]) => [name.toLowerCase(), value] as const)
  const gone = changed.flatMap(([name, value]) => (value === null ? [name] : []))
  return [...before.filter((name) => !changed.some(([other]) => other === name)), ...gone]
}
