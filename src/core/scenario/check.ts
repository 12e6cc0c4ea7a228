import { nearest } from '../request/nearest.js'
import { isNamed } from './match.js'
import type { Scenario, Step } from './scenario.js'

/** What a scenario may name. */
export interface Catalogue {
  readonly operations: readonly string[]
  readonly families: readonly {
    readonly id: string
    readonly models: readonly string[]
    readonly errors: readonly string[]
  }[]
}

/** Something in a scenario that cannot be. The path leads to it in the document. */
export interface Complaint {
  readonly path: readonly (string | number)[]
  readonly message: string
}

/** Names that do not exist and combinations that make no sense. */
export const complaintsOf = (scenario: Scenario, catalogue: Catalogue): Complaint[] =>
  scenario.steps.flatMap((step, index) => {
    const at = ['steps', index]
    return [...names(step, at, catalogue), ...combinations(step, at, catalogue)]
  })

type At = readonly (string | number)[]

const listOf = <T>(one: T | readonly T[] | undefined): readonly T[] =>
  one === undefined ? [] : Array.isArray(one) ? one : [one as T]

const unknownName = (path: At, kind: string, found: string, possible: readonly string[]): Complaint => {
  const meant = nearest(found, possible)
  const hint = meant === undefined ? `possible are ${possible.join(', ')}` : `did you mean ${meant}?`
  return { path, message: `there is no ${kind} ${JSON.stringify(found)}: ${hint}` }
}

const unknownIn = (
  path: At,
  kind: string,
  found: readonly string[],
  possible: readonly string[],
): Complaint[] =>
  found
    .filter((name) => !possible.some((one) => one === name || isNamed(name, one)))
    .map((name) => unknownName(path, kind, name, possible))

const names = ({ when, then }: Step, at: At, { operations, families }: Catalogue): Complaint[] => {
  const ids = families.map(({ id }) => id)
  const models = families.flatMap((family) => family.models)
  const regular =
    when.prompt !== undefined && 'matches' in when.prompt ? badPattern(when.prompt.matches) : undefined
  return [
    ...unknownIn([...at, 'when', 'operation'], 'operation', listOf(when.operation), operations),
    ...unknownIn([...at, 'when', 'family'], 'family', listOf(when.family), ids),
    ...unknownIn([...at, 'when', 'model'], 'model', listOf(when.model), models),
    ...(regular === undefined ? [] : [{ path: [...at, 'when', 'prompt', 'matches'], message: regular }]),
    ...errorNames(when, at, { operations, families }, 'answer', then.answer?.error),
    ...errorNames(when, at, { operations, families }, 'task', then.task?.fails?.error),
  ]
}

const badPattern = (pattern: string): string | undefined => {
  try {
    new RegExp(pattern, 'u')
    return undefined
  } catch (error) {
    return `${JSON.stringify(pattern)} is no regular expression: ${(error as Error).message}`
  }
}

// An error has to be one of every family that the step is about: a name that only one of them knows would fail later.
const errorNames = (
  when: Step['when'],
  at: At,
  catalogue: Catalogue,
  part: 'answer' | 'task',
  error: string | undefined,
): Complaint[] => {
  if (error === undefined) return []
  const path =
    part === 'answer' ? [...at, 'then', 'answer', 'error'] : [...at, 'then', 'task', 'fails', 'error']
  return familiesOf(when, catalogue)
    .filter(({ errors }) => !errors.includes(error))
    .slice(0, 1)
    .map((family) => unknownName(path, `error of ${family.id} named`, error, family.errors))
}

/** The families whose calls a step may act on. */
const familiesOf = (when: Step['when'], { operations, families }: Catalogue): Catalogue['families'] => {
  const named = listOf(when.operation).flatMap((name) => operations.filter((one) => isNamed(name, one)))
  return families.filter(
    ({ id, models }) =>
      (when.operation === undefined || named.some((operation) => operation.startsWith(`${id}.`))) &&
      (when.family === undefined || listOf(when.family).includes(id)) &&
      (when.model === undefined || listOf(when.model).some((model) => models.includes(model))),
  )
}

const combinations = ({ when, then }: Step, at: At, catalogue: Catalogue): Complaint[] => {
  const complain = (part: string, message: string): Complaint => ({ path: [...at, 'then', part], message })
  const acts = (test: (operation: string) => boolean) =>
    when.callback === undefined && operationsOf(when, catalogue).some(test)
  const isAbout = (
    part: keyof Step['then'],
    test: (operation: string) => boolean,
    what: string,
  ): Complaint[] =>
    then[part] === undefined || acts(test)
      ? []
      : [complain(part, `${part} is for ${what}; this step is about none`)]
  const { answer, callback } = then
  return [
    ...isAbout(
      'task',
      (name) => name.endsWith('.create') && !/^a2?-image\./.test(name),
      'creates of video tasks',
    ),
    ...isAbout('asset', (name) => name === 'd-assets.upload', 'd-assets.upload'),
    ...isAbout('result', (name) => name === 'results.download', 'results.download'),
    ...isAbout('answer', () => true, 'calls'),
    ...isAbout('transport', () => true, 'calls'),
    ...(callback !== undefined && when.callback === undefined
      ? [
          complain(
            'callback',
            'callback is for messages to the receiver: name when.callback (challenge, delivery or a status)',
          ),
        ]
      : []),
    ...(answer !== undefined &&
    answer.error === undefined &&
    answer.status === undefined &&
    answer.cutAt === undefined &&
    answer.text === undefined &&
    answer.body === undefined &&
    answer.headers === undefined
      ? [complain('answer', 'answer names an error of the family, or a status, headers, body or text')]
      : []),
    ...(answer?.error !== undefined && answer.status !== undefined
      ? [complain('answer', 'answer has either error, whose status is in the family’s table, or status')]
      : []),
    ...(answer !== undefined && answer.stillHappens === undefined && then.task !== undefined
      ? [complain('task', 'there is no task where an answer takes its place: add stillHappens, or two steps')]
      : []),
  ]
}

const operationsOf = (when: Step['when'], { operations }: Catalogue): readonly string[] =>
  operations.filter(
    (operation) =>
      (when.operation === undefined || listOf(when.operation).some((name) => isNamed(name, operation))) &&
      (when.family === undefined || listOf(when.family).some((id) => operation.startsWith(`${id}.`))),
  )
