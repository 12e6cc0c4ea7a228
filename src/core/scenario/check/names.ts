import { isNamed, listOf } from '../about.js'
import type { When } from '../when.js'
import { type Catalogue, familiesOf } from './catalogue.js'
import { type Diagnostic, type Path, suggest, unknownName } from './complaint.js'

/** Names in a selector that do not exist: operations, families and models, and patterns that are none. */
export const unknownInWhen = (when: When, at: Path, catalogue: Catalogue): Diagnostic[] => [
  ...namesOf(catalogue).flatMap(({ key, possible }) => unknownIn([...at, key], key, when[key], possible)),
  ...badPattern(when.prompt, [...at, 'prompt', 'matches']),
]

/**
 * The same selector with names that exist in the place of those that do not, as far as one can tell what was meant:
 * itself where they all exist, undefined where that cannot be told.
 */
export const withSuggestions = (when: When, catalogue: Catalogue): When | undefined => {
  const wrong = namesOf(catalogue).filter(
    ({ key, possible }) => !listOf(when[key]).every((name) => isOneOf(name, possible)),
  )
  if (wrong.length === 0) return when
  const meant = wrong.map(({ key, possible }) => ({ key, names: meantNames(listOf(when[key]), possible) }))
  if (meant.some(({ names }) => names.includes(undefined))) return undefined
  return { ...when, ...Object.fromEntries(meant.map(({ key, names }) => [key, names])) }
}

const meantNames = (written: readonly string[], possible: readonly string[]): (string | undefined)[] =>
  written.map((name) => (isOneOf(name, possible) ? name : suggest(name, possible)))

const namesOf = ({ operations, families }: Catalogue) =>
  [
    { key: 'operation', possible: operations },
    { key: 'family', possible: families.map(({ id }) => id) },
    { key: 'model', possible: [...new Set(families.flatMap(({ models }) => models))] },
  ] as const

const isOneOf = (name: string, possible: readonly string[]): boolean =>
  possible.some((one) => isNamed(name, one))

const unknownIn = (
  at: Path,
  kind: string,
  written: string | readonly string[] | undefined,
  possible: readonly string[],
): Diagnostic[] =>
  listOf(written).flatMap((name, index) =>
    isOneOf(name, possible)
      ? []
      : [unknownName(typeof written === 'string' ? at : [...at, index], kind, name, possible)],
  )

const badPattern = (prompt: When['prompt'], path: Path): Diagnostic[] => {
  if (prompt === undefined || !('matches' in prompt)) return []
  try {
    new RegExp(prompt.matches, 'u')
    return []
  } catch (error) {
    return [{ path, message: `${JSON.stringify(prompt.matches)} is no pattern: ${(error as Error).message}` }]
  }
}

/** An error has to be one of every family that the step is about: a name that only one of them knows would fail later. */
export const unknownError = (when: When, path: Path, catalogue: Catalogue, error: string): Diagnostic[] => {
  const about = familiesOf(when, catalogue)
  const lacking = about.find(({ errors }) => !errors.includes(error))
  if (lacking === undefined) return []
  const having = about.filter(({ errors }) => errors.includes(error)).map(({ id }) => id)
  if (having.length > 0) {
    const message = `${error} is an error of ${having.join(', ')} and not of ${lacking.id}, which this step is about too: name the operation`
    return [{ path, message }]
  }
  const complaint = unknownName(path, `error of ${lacking.id} named`, error, lacking.errors)
  return lacking.errors.length > 0
    ? [complaint]
    : [{ ...complaint, message: `${complaint.message}: ${lacking.id} has none by name, so write a status` }]
}
