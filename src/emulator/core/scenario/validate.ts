import { z } from 'zod'
import {
  type Diagnostic,
  MAX_DIAGNOSTICS,
  type Path,
  type ShapeDiagnostic,
  shapeDiagnostics,
  withoutConsequences,
} from '../diagnostics.js'
import { isRecord, valueAt } from '../request.js'
import { retryAfterMsIn } from '../retry-after.js'
import { suggest, suggestion } from '../suggest.js'
import { skipsDecision } from './effects/answer.js'
import type { Part, Values } from './effects/effect.js'
import { effects, effectsOf, type StepEffects, thenSchema } from './effects/index.js'
import { oldSpellings, type Scenario, scenarioSchema, stepSchema } from './schema.js'
import {
  asList,
  type Catalogue,
  type CatalogueFamily,
  familiesOf,
  isNamed,
  operationsOf,
  type Selector,
  selectorProblems,
  whenSchema,
} from './selector.js'

/** A validated document: the scenario, or everything that is wrong with it. */
type Validated = { readonly scenario: Scenario } | { readonly diagnostics: readonly Diagnostic[] }

/** Validates a document, which is what a file holds once it is parsed. The first twenty diagnostics come at once. */
export const validateScenario = (given: unknown, catalogue: Catalogue): Validated => {
  const document = withoutStepsAfterMany(given)
  const shape = scenarioSchema.safeParse(document)
  const diagnostics = [
    ...withoutConsequences(
      [
        ...shapeDiagnostics(
          { schema: scenarioSchema, former: oldSpellings },
          shape.error?.issues ?? [],
          document,
        ),
        ...spellingDiagnostics(document),
      ],
      oldSpellings,
    ),
    ...survivableDiagnostics(document, catalogue),
    ...firstStepDiagnostics(stepsIn(document), catalogue),
    ...(shape.success ? waitDiagnostics(shape.data) : []),
  ]
  return shape.success && diagnostics.length === 0
    ? { scenario: shape.data }
    : { diagnostics: firstOf(diagnostics) }
}

/** Steps about calls before a `Retry-After` has passed, in a scenario whose other steps answer with none. */
const waitDiagnostics = ({ steps }: Scenario): readonly Diagnostic[] => {
  const asks = ({ when, then: { answer } }: Scenario['steps'][number]) =>
    when.beforeRetryAfter === undefined &&
    (answer?.retryAfter !== undefined || retryAfterMsIn(answer?.headers ?? {}, 0) !== undefined)
  if (steps.some(asks)) return []
  const message = 'beforeRetryAfter wants another step that answers such calls with retryAfter'
  return steps.flatMap(({ when }, index) =>
    when.beforeRetryAfter === undefined
      ? []
      : [{ path: ['steps', index, 'when', 'beforeRetryAfter'], isKey: true, message }],
  )
}

/** Families under `survivable` that there are not. */
const survivableDiagnostics = (document: unknown, { families }: Catalogue): Diagnostic[] => {
  const written = isRecord(document) && Array.isArray(document.survivable) ? document.survivable : []
  const possible = families.map(({ id }) => id)
  return written.flatMap((name, index) =>
    typeof name !== 'string' || possible.includes(name)
      ? []
      : [unknownName(['survivable', index], 'family', name, possible)],
  )
}

const firstStepDiagnostics = (steps: readonly unknown[], catalogue: Catalogue): readonly Diagnostic[] => {
  const found: Diagnostic[] = []
  for (const [index, step] of steps.entries()) {
    found.push(...stepDiagnostics(partsOf(step), index, catalogue))
    if (found.length > MAX_DIAGNOSTICS) break
  }
  return found
}

/** The document up to the step that is wrong after twenty others; itself where fewer are. */
const withoutStepsAfterMany = (document: unknown): unknown => {
  let wrong = 0
  const end = stepsIn(document).findIndex((step) => {
    if (!stepSchema.safeParse(step).success) wrong += 1
    return wrong > MAX_DIAGNOSTICS
  })
  return end === -1 ? document : { ...(document as object), steps: stepsIn(document).slice(0, end + 1) }
}

const firstOf = (diagnostics: readonly Diagnostic[]): readonly Diagnostic[] => {
  const first = diagnostics.slice(0, MAX_DIAGNOSTICS)
  if (diagnostics.length === first.length) return first
  return [...first, { path: [], message: `there is more wrong than these ${MAX_DIAGNOSTICS} places` }]
}

const stepsIn = (document: unknown): readonly unknown[] => {
  const steps = isRecord(document) ? document.steps : undefined
  return Array.isArray(steps) ? steps : []
}

/** Keys that are given in the new spelling and in the old one, and the description that every scenario has. */
const spellingDiagnostics = (document: unknown): ShapeDiagnostic[] => {
  if (!isRecord(document)) return []
  const objects = [
    { at: [] as Path, object: document as unknown },
    ...stepsIn(document).map((object, index) => ({ at: ['steps', index] as Path, object })),
  ]
  const twice = objects.flatMap(({ at, object }) =>
    Object.entries(oldSpellings)
      .filter(([key, old]) => isRecord(object) && object[key] !== undefined && object[old] !== undefined)
      .map(([key, old]) => ({
        path: [...at, old],
        isKey: true,
        message: `${old} is the old word for ${key}: give one of them`,
      })),
  )
  if (document.description !== undefined || document.says !== undefined) return twice
  const message = 'description is missing: it must be a string that says what the scenario does to a client'
  return [...twice, { path: ['description'], isMissing: true, message }]
}

// Steps: names that do not exist, and what cannot be together.

/** A step as far as its parts have their shape. */
interface StepParts {
  readonly when: Selector
  readonly then: StepEffects
  /** Whether every key that says which calls the step is about has its shape. */
  readonly knowsSubject: boolean
  /** The errors that it names, each with its path in the step. */
  readonly errors: readonly { readonly path: Path; readonly name: string }[]
}

const partsOf = (step: unknown): StepParts => {
  const whole = stepSchema.safeParse(step)
  if (whole.success) return { ...whole.data, knowsSubject: true, errors: errorsIn(step) }
  const { when = {}, then = {} } = isRecord(step) ? step : {}
  const { part, rejected } = validPart(whenSchema, when)
  return {
    when: part,
    // biome-ignore lint/suspicious/noThenProperty: the word of the file format; it is never a function
    then: validPart(looseThenSchema, then).part,
    knowsSubject: isRecord(step) && isRecord(when) && !rejected.some(namesSubject),
    errors: errorsIn(step),
  }
}

// Without the rule that something is done.
const looseThenSchema = z.strictObject(thenSchema.shape)

/** Splits a value into the part that a schema accepts and the keys that it rejects. */
const validPart = <T extends z.ZodType>(
  schema: T,
  value: unknown,
): { part: z.output<T>; rejected: string[] } => {
  const record = isRecord(value) ? value : {}
  const rejected = new Set(
    (schema.safeParse(record).error?.issues ?? []).flatMap((issue) =>
      issue.code === 'unrecognized_keys' && issue.path.length === 0
        ? issue.keys
        : issue.path.slice(0, 1).map(String),
    ),
  )
  const rest = Object.entries(record).filter(([key]) => !rejected.has(key))
  return { part: schema.parse(Object.fromEntries(rest)), rejected: [...rejected].slice(0, MAX_DIAGNOSTICS) }
}

// A misspelt key counts as the nearest known key, or as any key if none is near.
const namesSubject = (key: string): boolean => {
  const meant = suggest(key, Object.keys(whenSchema.shape))
  return meant === undefined || ['operation', 'family', 'model', 'callback'].includes(meant)
}

const errorsIn = (step: unknown): StepParts['errors'] =>
  effects.flatMap(({ part, key, errorName }) => {
    if (errorName === undefined) return []
    const path = ['then', part, key, ...errorName]
    const name = valueAt(step, path)
    return typeof name === 'string' && name !== '' ? [{ path, name }] : []
  })

const stepDiagnostics = (
  { when, then, knowsSubject, errors }: StepParts,
  index: number,
  catalogue: Catalogue,
): Diagnostic[] => {
  const at = ['steps', index]
  // Which errors there are follows from what the step is about, so that is put right first.
  const meant = knowsSubject ? withSuggestions(when, catalogue) : undefined
  return [
    ...unknownNames(when, [...at, 'when'], catalogue),
    ...errors.flatMap(({ path, name }) =>
      meant === undefined ? [] : unknownError(meant, [...at, ...path], catalogue, name),
    ),
    // What is only guessed is not called impossible.
    ...conflictDiagnostics(when, then, at, meant === when ? catalogue : undefined),
  ]
}

const namesOf = ({ operations, families }: Catalogue) =>
  [
    { key: 'operation', possible: operations },
    { key: 'family', possible: families.map(({ id }) => id) },
    { key: 'model', possible: [...new Set(families.flatMap(({ models }) => models))] },
  ] as const

// `.*` stands for the operations of a family. In a family or a model it would match nothing.
const exists = (key: string, name: string, possible: readonly string[]): boolean =>
  possible.some((one) => (key === 'operation' ? isNamed(name, one) : name === one))

const unknownName = (path: Path, kind: string, name: string, possible: readonly string[]): Diagnostic => ({
  path,
  message: `there is no ${kind} ${JSON.stringify(name)}${suggestion(name, possible)}`,
})

/** Names in a selector that do not exist: operations, families and models, and patterns that are none. */
const unknownNames = (when: Selector, at: Path, catalogue: Catalogue): Diagnostic[] => [
  ...namesOf(catalogue).flatMap(({ key, possible }) => {
    const written = when[key]
    const unknown = [...asList(written).entries()].filter(([, name]) => !exists(key, name, possible))
    return unknown.slice(0, MAX_DIAGNOSTICS + 1).map(([index, name]) => {
      const path = [...at, key, ...(typeof written === 'string' ? [] : [index])]
      return unknownName(path, key, name, possible)
    })
  }),
  ...badPattern(when.prompt, [...at, 'prompt', 'matches']),
]

const badPattern = (prompt: Selector['prompt'], path: Path): Diagnostic[] => {
  if (prompt === undefined || !('matches' in prompt)) return []
  try {
    new RegExp(prompt.matches, 'u')
    return []
  } catch (error) {
    return [{ path, message: `${JSON.stringify(prompt.matches)} is no pattern: ${(error as Error).message}` }]
  }
}

/** The same selector with the names that were probably meant: itself where all exist, undefined where that is unknown. */
const withSuggestions = (when: Selector, catalogue: Catalogue): Selector | undefined => {
  const changes = namesOf(catalogue).flatMap(({ key, possible }) => {
    const written = asList(when[key])
    if (written.length > MAX_DIAGNOSTICS) return []
    const names = written.map((name) => (exists(key, name, possible) ? name : suggest(name, possible)))
    return names.every((name, index) => name === written[index]) ? [] : [[key, names] as const]
  })
  if (changes.some(([, names]) => names.includes(undefined))) return undefined
  return changes.length === 0 ? when : { ...when, ...Object.fromEntries(changes) }
}

/** An error has to be one of every family that the step is about: a name that only one of them knows would fail later. */
const unknownError = (when: Selector, path: Path, catalogue: Catalogue, error: string): Diagnostic[] => {
  const about = familiesOf(when, catalogue)
  const lacking = about.find(({ errors }) => !errors.includes(error))
  if (lacking === undefined) return []
  const having = about.filter(({ errors }) => errors.includes(error)).map(({ id }) => id)
  if (having.length > 0) {
    const message = `${error} is an error of ${having.join(', ')} and not of ${lacking.id}, which this step is about too: name the operation`
    return [{ path, message }]
  }
  const unknown = unknownName(path, `error of ${lacking.id} named`, error, lacking.errors)
  return lacking.errors.length > 0
    ? [unknown]
    : [{ path, message: `${unknown.message}: ${lacking.id} has none by name, so write a status` }]
}

/** What cannot be together, or cannot be about these calls. Without a catalogue it is unknown what the step is about. */
const conflictDiagnostics = (
  when: Selector,
  then: StepEffects,
  at: Path,
  catalogue?: Catalogue,
): Diagnostic[] => {
  const about = catalogue === undefined ? [] : familiesOf(when, catalogue)
  const families = about.filter(({ hasTimelines }) => hasTimelines)
  const parts = (Object.keys(then) as Part[]).flatMap((part) =>
    partProblems(part, then, when, families).map((message) => [part, message] as const),
  )
  return [
    ...selectorProblems(when, catalogue).map((message) => ({ path: [...at, 'when'], isKey: true, message })),
    ...[...(catalogue === undefined ? [] : misplacedParts(when, then, families, catalogue)), ...parts].map(
      ([part, message]) => ({ path: [...at, 'then', part], isKey: true, message }),
    ),
  ]
}

// The other parts may be empty, and do nothing then.
const nonEmptyParts: readonly Part[] = ['answer', 'transport', 'result', 'callback', 'clock']

const partProblems = (
  part: Part,
  then: StepEffects,
  when: Selector,
  families: readonly CatalogueFamily[],
): string[] => {
  const values: Values = then[part] ?? {}
  if (part === 'callback' && when.callback === undefined) return []
  const listed = effectsOf(part)
  if (Object.keys(values).length === 0 && nonEmptyParts.includes(part))
    return [`${part} names at least one of ${listed.map(({ key }) => key).join(', ')}`]
  const problems = listed.flatMap(({ key, conflicts = {}, problems }) => {
    const value = values[key]
    if (value === undefined) return []
    const others = Object.entries(conflicts).filter(([other]) => values[other] !== undefined)
    return [
      ...others.map(([other, why]) => `${key} and ${other} cannot be together: ${why}`),
      ...(problems?.(value, { when, values, families }) ?? []),
    ].filter((problem) => problem !== false)
  })
  return part === 'answer' && skipsDecision(values) ? [...problems, ...idleParts(then)] : problems
}

const idleParts = (then: StepEffects): string[] =>
  (['task', 'asset', 'result'] as const)
    .filter((part) => then[part] !== undefined)
    .map(
      (part) =>
        `${part} finds nothing to act on where an answer takes the place of the call: add stillHappens`,
    )

/** Parts that the step's calls have no use for. */
const misplacedParts = (
  when: Selector,
  then: StepEffects,
  families: readonly CatalogueFamily[],
  catalogue: Catalogue,
): [Part, string][] => {
  const parts = Object.keys(then) as Part[]
  if (when.callback !== undefined)
    return parts
      .filter((part) => part !== 'callback')
      .map((part) => [part, `${part} is for calls, and this step is about messages to a receiver`])
  const operations = operationsOf(when, catalogue)
  const useful: Partial<Record<Part, readonly [names: readonly string[], text: string]>> = {
    task: [families.map(({ id }) => `${id}.create`), 'creates of tasks that can be queried'],
    asset: [catalogue.uploads, catalogue.uploads.join(' or ')],
    result: [['results.download'], 'results.download'],
    callback: [[], 'messages to a receiver, which a step is about when it names when.callback'],
  }
  return parts.flatMap((part): [Part, string][] => {
    const [names, text] = useful[part] ?? [operations, '']
    const other = operations.find((name) => !names.includes(name))
    const too = names.some((name) => operations.includes(name)) ? ' too' : ''
    return other === undefined ? [] : [[part, `${part} is for ${text}; this step is about ${other}${too}`]]
  })
}
