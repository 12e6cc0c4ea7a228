import { z } from 'zod'
import { nearest } from '../errors.js'
import { states } from '../model/task.js'
import { isRecord } from '../request/body-checks.js'
import { allowedBy, shown, valueAt } from '../request/shape.js'
import { type Diagnostic, keysAt, type Path, suggest, unknownKey, unknownName } from '../suggest.js'
import { type Catalogue, type CatalogueFamily, familiesOf, operationsOf } from './catalogue.js'
import { answerComplaints } from './effects/answer.js'
import { callbackComplaints } from './effects/callback.js'
import { taskComplaints } from './effects/task.js'
import { resultComplaints, transportComplaints } from './effects/transport.js'
import { isNamed, listOf } from './match.js'
import {
  type Scenario,
  type Step,
  scenarioSchema,
  stepSchema,
  type Then,
  thenSchema,
  type When,
  whenSchema,
} from './schema.js'

type Issue = z.core.$ZodIssue

/** What the schema has against a document, in words: unknown keys with the nearest known one, values with what may stand there. */
const shapeComplaints = (issues: readonly Issue[], document: unknown): Diagnostic[] =>
  withoutConsequences(issues.flatMap((issue) => complaintsOfIssue(issue, document)))

interface ShapeComplaint extends Diagnostic {
  /** The key that was probably meant, where an unknown one stands. */
  readonly meant?: string
  readonly isMissing?: boolean
  readonly isEmpty?: boolean
}

const complaintsOfIssue = (issue: Issue, document: unknown): ShapeComplaint[] => {
  if (issue.code === 'unrecognized_keys')
    return issue.keys.map((key) => complaintOfKey(issue.path as Path, key))
  const ways = issue.code === 'invalid_union' ? nearestWay(issue, document) : undefined
  return ways ?? [badValue(issue, document)]
}

const complaintOfKey = (at: Path, key: string): ShapeComplaint => {
  const known = keysAt(scenarioSchema, at)
  const meant = nearest(key, known)
  return {
    path: [...at, key],
    isKey: true,
    message: unknownKey(key, known),
    ...(meant === undefined ? {} : { meant }),
  }
}

type UnionIssue = Extract<Issue, { code: 'invalid_union' }>

/** Of the ways in which a value could have fitted, what stands against the one that it is nearest to; undefined when it is near none. */
const nearestWay = (issue: UnionIssue, document: unknown): ShapeComplaint[] | undefined => {
  const ways = issue.errors
    .filter((way) => !way.some(isOfTheWhole))
    .map((way) => way.map((one) => ({ ...one, path: [...issue.path, ...one.path] }) as Issue))
    .map((way) => withoutConsequences(way.flatMap((one) => complaintsOfIssue(one, document))))
    .sort((a, b) => a.length - b.length)
  return ways[0]
}

// Then the value is of another kind altogether, and nothing inside of it has been looked at.
const isOfTheWhole = ({ code, path }: Issue): boolean => path.length === 0 && code !== 'unrecognized_keys'

const badValue = (issue: Issue, document: unknown): ShapeComplaint => {
  const found = valueAt(document, issue.path)
  const path = issue.path as Path
  const name = String(path.findLast((step) => typeof step === 'string') ?? 'the file')
  const allowed = allowedIn(issue)
  if (found === undefined && path.length > 0)
    return { path, isMissing: true, message: `${name} is missing: it must be ${allowed}` }
  const hint = typeof found === 'string' ? meantValue(issue, found) : ''
  return {
    path,
    message: `${name} must be ${allowed}, found ${shown(found)}${hint}`,
    ...(issue.code === 'custom' ? { isEmpty: true } : {}),
  }
}

const allowedIn = (issue: Issue): string => {
  if (issue.code === 'invalid_value') return issue.values.map((value) => JSON.stringify(value)).join(' or ')
  if (issue.code !== 'invalid_union') return allowedBy(issue)
  const ways = issue.errors.flatMap((way) => way.filter(({ path }) => path.length === 0).map(allowedIn))
  return [...new Set(ways)].join(', or ')
}

const meantValue = (issue: Issue, found: string): string => {
  const meant = nearest(found, valuesOf(issue))
  return meant === undefined ? '' : `: did you mean ${meant}?`
}

const valuesOf = (issue: Issue): string[] => {
  if (issue.code === 'invalid_value') return issue.values.map(String)
  return issue.code === 'invalid_union' ? issue.errors.flatMap((way) => way.flatMap(valuesOf)) : []
}

// A key that was misspelt is also missing, and its object is empty without it; one complaint is enough.
const withoutConsequences = (diagnostics: readonly ShapeComplaint[]): ShapeComplaint[] => {
  const unknown = diagnostics.filter(({ isKey }) => isKey)
  const isSameObject = (a: Path, b: Path) =>
    a.length === b.length && a.every((step, index) => step === b[index])
  return diagnostics.filter(
    ({ path, isMissing, isEmpty }) =>
      !(
        isMissing &&
        unknown.some(
          (one) => one.meant === path.at(-1) && isSameObject(one.path.slice(0, -1), path.slice(0, -1)),
        )
      ) && !(isEmpty && unknown.some((one) => isSameObject(one.path.slice(0, -1), path))),
  )
}

/** A step as far as its parts have their shape: those that have not are left out. */
interface StepParts {
  readonly when: When
  readonly then: Then
  /** Whether nothing is left out that says which calls the step is about. */
  readonly isAboutKnown: boolean
  /** The errors that it names, each with its path in the step. */
  readonly errors: readonly { readonly path: Path; readonly name: string }[]
}

const partsOfStep = ({ when, then }: Step): StepParts => ({
  when,
  then,
  isAboutKnown: true,
  errors: errorsIn({ then }),
})

/** What can be understood of something that should be a step and is none. */
const partsIn = (step: unknown): StepParts => {
  const { when = {}, then = {} } = isRecord(step) ? step : {}
  const { part, lost } = goodPart(whenSchema, when)
  return {
    when: part,
    // biome-ignore lint/suspicious/noThenProperty: the word of the file format; it is never a function
    then: goodPart(looseThen, then).part,
    isAboutKnown: isRecord(step) && isRecord(when) && !lost.some(saysWhatItIsAbout),
    errors: errorsIn(step),
  }
}

// Without the rule that something is done.
const looseThen = z.strictObject(thenSchema.shape)

/** What is left of a value without the keys that a schema has something against, and those keys. */
const goodPart = <T extends z.ZodType>(schema: T, value: unknown): { part: z.output<T>; lost: string[] } => {
  const record = isRecord(value) ? value : {}
  const lost = (schema.safeParse(record).error?.issues ?? []).flatMap((issue) =>
    issue.code === 'unrecognized_keys' && issue.path.length === 0
      ? issue.keys
      : issue.path.slice(0, 1).map(String),
  )
  const rest = Object.entries(record).filter(([key]) => !lost.includes(key))
  return { part: schema.parse(Object.fromEntries(rest)), lost }
}

const whenKeys = Object.keys(whenSchema.shape)
const selectors = ['operation', 'family', 'model', 'callback']

// A misspelt key stands for the one that was meant, and might be any where none is near.
const saysWhatItIsAbout = (key: string): boolean => {
  const meant = suggest(key, whenKeys)
  return meant === undefined || selectors.includes(meant)
}

const errorPaths = [
  ['then', 'answer', 'error'],
  ['then', 'task', 'fails', 'error'],
] as const

const errorsIn = (step: unknown): StepParts['errors'] =>
  errorPaths.flatMap((path) => {
    const name = valueAt(step, path)
    return typeof name === 'string' && name !== '' ? [{ path, name }] : []
  })

/** Names in a selector that do not exist: operations, families and models, and patterns that are none. */
const unknownInWhen = (when: When, at: Path, catalogue: Catalogue): Diagnostic[] => [
  ...namesOf(catalogue).flatMap(({ key, possible }) => unknownIn([...at, key], key, when[key], possible)),
  ...badPattern(when.prompt, [...at, 'prompt', 'matches']),
]

/**
 * The same selector with names that exist in the place of those that do not, as far as one can tell what was meant:
 * itself where they all exist, undefined where that cannot be told.
 */
const withSuggestions = (when: When, catalogue: Catalogue): When | undefined => {
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
const unknownError = (when: When, path: Path, catalogue: Catalogue, error: string): Diagnostic[] => {
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

/**
 * Selectors that no occasion can fulfil together.
 * @param catalogue left out where it is not known what the step is about
 */
const whenComplaints = (when: When, catalogue: Catalogue | undefined): string[] => {
  if (catalogue === undefined) return countless(when)
  if (operationsOf(when, catalogue).length === 0)
    return ['no call is of this operation, this family and this model at once', ...countless(when)]
  return [...silent(when, catalogue), ...countless(when)]
}

const silent = (when: When, catalogue: Catalogue): string[] => {
  if (when.callback === undefined) return []
  const isHandshake = when.callback === 'challenge'
  const creates = operationsOf(when, catalogue)
  const reporting = familiesOf(when, catalogue).filter(
    ({ id, reports }) =>
      creates.includes(`${id}.create`) && (isHandshake ? reports === 'handshake' : reports !== 'never'),
  )
  if (reporting.length > 0) return neverReported(when, reporting)
  const able = catalogue.families.filter(
    ({ reports }) => reports === 'handshake' || (!isHandshake && reports !== 'never'),
  )
  return [
    `${isHandshake ? 'challenges are sent' : 'callbacks are sent'} for tasks of ${able.map(({ id }) => `${id}.create`).join(' and ')} alone`,
  ]
}

/** Statuses that none of the families ever has to report. */
const neverReported = ({ callback }: When, families: readonly CatalogueFamily[]): string[] => {
  const possible = states.filter((state) => families.some((family) => family.states.includes(state)))
  const wanted = typeof callback === 'object' ? listOf(callback.status) : []
  return wanted
    .filter((status) => !possible.includes(status))
    .map(
      (status) =>
        `no callback of ${families.map(({ id }) => id).join(' and ')} says ${status}: possible are ${possible.join(', ')}`,
    )
}

const countless = ({ nth, first, after = 0, from = 0, until }: When): string[] => [
  ...(listOf(nth).length > 0 && listOf(nth).every((n) => n <= after || n > (first ?? n))
    ? [`nth ${listOf(nth).join(', ')} lies outside of first and after`]
    : []),
  ...(first !== undefined && first <= after
    ? [`the first ${first} are none of those after the first ${after}`]
    : []),
  ...(until !== undefined && until <= from ? ['until is not after from'] : []),
]

/**
 * What cannot be together, or cannot be about what the step is about.
 * @param catalogue left out where it is not known what the step is about
 */
const impossibleCombinations = (
  step: Pick<Step, 'when' | 'then'>,
  at: Path,
  catalogue?: Catalogue,
): Diagnostic[] => {
  const { when, then } = step
  const inThen = (part: string) => (message: string) => ({
    path: [...at, 'then', part],
    isKey: true,
    message,
  })
  return [
    ...whenComplaints(when, catalogue).map((message) => ({ path: [...at, 'when'], isKey: true, message })),
    ...(catalogue === undefined ? [] : misplaced(step, catalogue)).map(([part, message]) =>
      inThen(part)(message),
    ),
    ...taskComplaints(then.task, familiesAbout(when, catalogue)).map(inThen('task')),
    ...answerComplaints(then).map(inThen('answer')),
    ...transportComplaints(then.transport).map(inThen('transport')),
    ...resultComplaints(then).map(inThen('result')),
    ...callbackComplaints(step).map(inThen('callback')),
  ]
}

const familiesAbout = (when: Step['when'], catalogue: Catalogue | undefined): readonly CatalogueFamily[] =>
  catalogue === undefined ? [] : familiesOf(when, catalogue).filter(({ hasLives }) => hasLives)

type Part = keyof Step['then']

const ofCalls: readonly Part[] = ['answer', 'transport', 'task', 'asset', 'result', 'account', 'clock']

/** Parts that the step's occasions have no use for. */
const misplaced = ({ when, then }: Pick<Step, 'when' | 'then'>, catalogue: Catalogue): [Part, string][] => {
  const isThere = (part: Part) => then[part] !== undefined
  if (when.callback !== undefined)
    return ofCalls
      .filter(isThere)
      .map((part) => [part, `${part} is for calls, and this step is about messages to a receiver`])
  const operations = operationsOf(when, catalogue)
  const creates = familiesAbout(when, catalogue).map(({ id }) => `${id}.create`)
  const useful: readonly [Part, readonly string[], string][] = [
    ['task', creates, 'creates of video tasks'],
    ['asset', ['d-assets.upload'], 'd-assets.upload'],
    ['result', ['results.download'], 'results.download'],
    ['callback', [], 'messages to a receiver, which a step is about when it names when.callback'],
  ]
  return useful
    .filter(([part]) => isThere(part))
    .flatMap(([part, names, what]) => {
      const other = operations.find((name) => !names.includes(name))
      return other === undefined
        ? []
        : [
            [
              part,
              `${part} is for ${what}; this step is about ${other}${names.some((name) => operations.includes(name)) ? ' too' : ''}`,
            ],
          ]
    })
}

/** What a scenario of the right shape still names that does not exist, and combines that cannot be together. */
const complaintsOf = (scenario: Scenario, catalogue: Catalogue): Diagnostic[] =>
  scenario.steps.flatMap((step, index) => complaintsOfStep(partsOfStep(step), index, catalogue))

/** The complaints about what has its shape of one step; `index` is its place from 0. */
const complaintsOfStep = (parts: StepParts, index: number, catalogue: Catalogue): Diagnostic[] => {
  const at = ['steps', index]
  const { when, then, isAboutKnown, errors } = parts
  // Which errors there are follows from what the step is about, so that is put right first.
  const meant = isAboutKnown ? withSuggestions(when, catalogue) : undefined
  return [
    ...unknownInWhen(when, [...at, 'when'], catalogue),
    ...errors.flatMap(({ path, name }) =>
      meant === undefined ? [] : unknownError(meant, [...at, ...path], catalogue, name),
    ),
    // What only a guess is about is not said to be impossible.
    ...impossibleCombinations({ when, then }, at, meant === when ? catalogue : undefined),
  ]
}

/** A document understood as a scenario, or everything that is wrong with it. */
type Validated = { readonly scenario: Scenario } | { readonly diagnostics: readonly Diagnostic[] }

/** Reads a document, that is what a file holds once it is parsed, as a scenario. All complaints come at once. */
export const validateScenario = (document: unknown, catalogue: Catalogue): Validated => {
  const shape = scenarioSchema.safeParse(document)
  if (shape.success) {
    const diagnostics = complaintsOf(shape.data, catalogue)
    return diagnostics.length === 0 ? { scenario: shape.data } : { diagnostics }
  }
  return {
    diagnostics: [
      ...shapeComplaints(shape.error.issues, document),
      ...complaintsOfGoodParts(document, catalogue),
    ],
  }
}

// Where the shape of one part is wrong, the others are looked at all the same.
const complaintsOfGoodParts = (document: unknown, catalogue: Catalogue): Diagnostic[] => {
  const steps = (document as { steps?: unknown } | null | undefined)?.steps
  if (!Array.isArray(steps)) return []
  return steps.flatMap((step, index) => {
    const whole = stepSchema.safeParse(step)
    return complaintsOfStep(whole.success ? partsOfStep(whole.data) : partsIn(step), index, catalogue)
  })
}
