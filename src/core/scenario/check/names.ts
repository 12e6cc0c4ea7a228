import { isNamed, listOf } from '../about.js'
import type { Step } from '../scenario.js'
import type { When } from '../when.js'
import { type Catalogue, familiesOf } from './catalogue.js'
import { type Complaint, type Path, unknownName } from './complaint.js'

/** The parts of a step that name something; each is undefined where it is not there or has not been understood. */
export interface Naming {
  readonly when: When | undefined
  readonly answer: Step['then']['answer']
  readonly task: Step['then']['task']
}

/** Names that do not exist: operations, families, models and errors, and patterns that are none. */
export const unknownNames = ({ when, answer, task }: Naming, at: Path, catalogue: Catalogue): Complaint[] => {
  if (when === undefined) return []
  const ofWhen = unknownInWhen(when, [...at, 'when'], catalogue)
  // Which errors there are follows from what the step is about, so that comes first.
  if (ofWhen.length > 0) return ofWhen
  return [
    ...unknownError(when, [...at, 'then', 'answer', 'error'], catalogue, answer?.error),
    ...unknownError(when, [...at, 'then', 'task', 'fails', 'error'], catalogue, task?.fails?.error),
  ]
}

const unknownInWhen = (when: When, at: Path, { operations, families }: Catalogue): Complaint[] => {
  const ids = families.map(({ id }) => id)
  const models = families.flatMap((family) => family.models)
  return [
    ...unknownIn([...at, 'operation'], 'operation', when.operation, operations),
    ...unknownIn([...at, 'family'], 'family', when.family, ids),
    ...unknownIn([...at, 'model'], 'model', when.model, [...new Set(models)]),
    ...badPattern(when.prompt, [...at, 'prompt', 'matches']),
  ]
}

const unknownIn = (
  at: Path,
  kind: string,
  written: string | readonly string[] | undefined,
  possible: readonly string[],
): Complaint[] =>
  listOf(written).flatMap((name, index) =>
    possible.some((one) => one === name || isNamed(name, one))
      ? []
      : [unknownName(typeof written === 'string' ? at : [...at, index], kind, name, possible)],
  )

const badPattern = (prompt: When['prompt'], path: Path): Complaint[] => {
  if (prompt === undefined || !('matches' in prompt)) return []
  try {
    new RegExp(prompt.matches, 'u')
    return []
  } catch (error) {
    return [{ path, message: `${JSON.stringify(prompt.matches)} is no pattern: ${(error as Error).message}` }]
  }
}

// An error has to be one of every family that the step is about: a name that only one of them knows would fail later.
const unknownError = (
  when: When,
  path: Path,
  catalogue: Catalogue,
  error: string | undefined,
): Complaint[] => {
  if (error === undefined) return []
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
