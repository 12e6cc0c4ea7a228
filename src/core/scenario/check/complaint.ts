import { nearest } from '../../request/nearest.js'

export type Path = readonly (string | number)[]

/** Something in a scenario that cannot be. The path leads to it in the document. */
export interface Diagnostic {
  readonly path: Path
  /** The key at the path is meant rather than its value. */
  readonly isKey?: boolean
  /** A sentence without a full stop. */
  readonly message: string
}

/** A name that does not exist, with the one that was probably meant and all that do. */
export const unknownName = (
  path: Path,
  kind: string,
  found: string,
  possible: readonly string[],
): Diagnostic => ({
  path,
  message: `there is no ${kind} ${JSON.stringify(found)}${suggestion(found, possible)}`,
})

/** A key that does not exist, in the same words. */
export const unknownKey = (found: string, possible: readonly string[]): string =>
  `there is no key ${JSON.stringify(found)} here${suggestion(found, possible)}`

/** The name that was probably meant; undefined when none is near. */
export const suggest = (found: string, possible: readonly string[]): string | undefined => {
  // Whoever wrote `prob` began to write `probability`, though `from` has fewer letters that differ.
  const begun = found.length > 2 ? possible.find((name) => name.startsWith(found)) : undefined
  return begun ?? nearest(found, possible)
}

export const suggestion = (found: string, possible: readonly string[]): string => {
  const meant = suggest(found, possible)
  if (meant === undefined) return possible.length === 0 ? '' : `: possible are ${possible.join(', ')}`
  const others = possible.filter((name) => name !== meant)
  return `: did you mean ${meant}?${others.length === 0 ? '' : ` Also possible: ${others.join(', ')}`}`
}
