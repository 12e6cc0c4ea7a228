import { z } from 'zod'
import { states, statesOf } from '../../emulator/surface/records.js'
import { builtIn, grades, type Operation, type Registry, rulesOf } from '../../emulator/surface/registry.js'
import { RESULTS } from '../../emulator/surface/scenarios.js'

/**
 * Stage at which a rule is checked. `key`: the credentials; `rate`: the rate limit; `body`: whether the body can be read;
 * `shape`: a field of it; `rule`: everything else, in order; `job`: limits of an uploaded file, which its job checks. A call that is
 * refused at one stage is not checked at the next.
 */
type Stage = (typeof stages)[number]
const stages = ['key', 'rate', 'body', 'shape', 'rule', 'job'] as const

const stageOf = (name: string): Stage => {
  if (/^(content-type|body-)/.test(name)) return 'body'
  if (/^(schema|list)(\.|$)/.test(name)) return 'shape'
  return ownStages[name] ?? 'rule'
}

const ownStages: Readonly<Record<string, Stage>> = {
  credentials: 'key',
  'rate-limit': 'rate',
  // Of the asset library: a form without a file has nothing that its rules are about.
  file: 'body',
}

/** Name of a rule: its id without its family. */
export const nameOf = (id: string): string => id.slice(id.indexOf('.') + 1)

// What the emulator alone has: bounds of its memory and disk, and its setting strict. The service has no such rules.
const OWN_RULES = /\.(room-for-(body|task|asset)|body-can-be-kept|assets-(most|bytes)|strict)$/

/** Rules of operations. `field`: the path of the field that a rule of the shape is about, such as `content[].text`. */
const coveredRules = (registry: Registry, family: string, of: readonly Operation[]) => {
  const limits = registry.family(family)?.jobLimits ?? []
  const rules = rulesOf(of, registry.taskFamilies)
    .filter(({ id }) => id.startsWith(`${family}.`) && !OWN_RULES.test(id))
    .map((rule) => {
      const name = nameOf(rule.id)
      const limit = limits.find(({ id }) => id === name)
      const ofRule = family === RESULTS ? 'rule' : stageOf(name)
      const stage = limit === undefined ? ofRule : 'job'
      return { ...rule, stage, limit, field: /\.(?:schema|list)\.(.+)$/.exec(rule.id)?.[1] }
    })
  return stages.flatMap((stage) => rules.filter((rule) => rule.stage === stage))
}

/** Families with the states and callbacks of their tasks that can be covered. */
const coveredFamiliesOf = (registry: Registry) =>
  registry.families.map((family) => {
    const { operations } = registry
    const { id, errors, taskAt, listAt, otherStatusWords } = family
    const task = registry.taskFamily(family.id)
    return {
      id,
      errors,
      failureCode: task?.failureCode,
      taskAt,
      listAt,
      otherStatusWords,
      /** Its operation that makes a task or an asset: `d-assets.upload`. Undefined where none does. */
      makes: operations.find(({ family, makes }) => family === id && makes !== undefined)?.id,
      /** The states of tasks that can be asked for; empty where there is no query. */
      states: task?.routes.read === undefined ? [] : statesOf(task),
      canCancel: task?.routes.cancel !== undefined,
      /** Undefined where status changes are not reported. */
      callback: task?.callback,
    }
  })
export type CoveredFamily = ReturnType<typeof coveredFamiliesOf>[number]

/**
 * Operations with their rules, in the order in which they are checked. `checksAll`: whether all rules of the stage `rule` are
 * checked, rather than those up to the first refusal.
 */
const coveredOperationsOf = (registry: Registry) => [
  ...registry.operations.map((operation) => {
    const { id, family, route, makes, possibleErrors } = operation
    const rules = coveredRules(registry, family, [operation])
    return { id, family, route, possibleErrors, rules, checksAll: makes !== undefined }
  }),
  {
    id: `${RESULTS}.download`,
    family: RESULTS,
    route: { method: 'GET', path: '/results/{account}/{task_id}/{file}' },
    possibleErrors: [] as readonly string[],
    rules: coveredRules(registry, RESULTS, []),
    checksAll: false,
  },
]
export type CoveredOperation = ReturnType<typeof coveredOperationsOf>[number]

/** What can be covered of the families of a registry, and the gaps on which it can rely. */
export const coverageSpecOf = (registry: Registry) => ({
  registry,
  families: coveredFamiliesOf(registry),
  operations: coveredOperationsOf(registry),
})
export type CoverageSpec = ReturnType<typeof coverageSpecOf>

/** Zod schema of the points of families, as a part of coverage carries those that are not built in. */
export const pointSpecSchema = z.object({
  families: z.array(
    z.object({
      id: z.string(),
      errors: z.array(z.string()),
      /** The HTTP status of each error, or no entry where it is unknown. */
      errorStatuses: z.record(z.string(), z.int()).default({}),
      makes: z.string().optional(),
      states: z.array(z.enum(states)).readonly(),
      canCancel: z.boolean(),
      callback: z.object({ handshake: z.boolean() }).optional(),
    }),
  ),
  operations: z.array(
    z.object({
      id: z.string(),
      family: z.string(),
      route: z.object({ method: z.string(), path: z.string() }),
      possibleErrors: z.array(z.string()).readonly(),
      rules: z.array(
        z.object({ id: z.string(), sentence: z.string(), place: z.string(), field: z.string().optional() }),
      ),
    }),
  ),
  gaps: z.array(z.object({ id: z.string(), grade: z.enum(grades), place: z.string(), answer: z.string() })),
})

/** What reports have to know of families: everything that there is to cover, as plain data. */
export type PointSpec = z.output<typeof pointSpecSchema>
export type PointFamily = PointSpec['families'][number]
export type PointOperation = PointSpec['operations'][number]
export type PointRule = PointOperation['rules'][number]

/** Points of the families of a registry as plain data. */
export const pointSpecOf = ({ registry, families, operations }: CoverageSpec): PointSpec =>
  pointSpecSchema.parse({
    families: families.map(({ errors, ...family }) => ({
      ...family,
      errors: Object.keys(errors),
      errorStatuses: Object.fromEntries(Object.entries(errors).map(([name, { status }]) => [name, status])),
    })),
    operations,
    gaps: registry.gaps,
  })

/** Points of several emulators: of two that know a family or an operation, the later one counts. */
export const mergeSpecs = (specs: readonly PointSpec[]): PointSpec => ({
  families: lastOfEach(specs.flatMap(({ families }) => families)),
  operations: lastOfEach(specs.flatMap(({ operations }) => operations)),
  gaps: lastOfEach(specs.flatMap(({ gaps }) => gaps)),
})

const lastOfEach = <T extends { readonly id: string }>(all: readonly T[]): T[] => [
  ...new Map(all.map((one) => [one.id, one])).values(),
]

let builtInPoints: PointSpec | undefined

/** Points of the built-in families. */
export const usualPoints = (): PointSpec => {
  builtInPoints ??= pointSpecOf(usualSpec())
  return builtInPoints
}

let builtInSpec: CoverageSpec | undefined

/** What can be covered of the built-in families. */
export const usualSpec = (): CoverageSpec => {
  builtInSpec ??= coverageSpecOf(builtIn)
  return builtInSpec
}

/** Kinds of what tests can cover, in the order of reports. */
export const coverageKinds = [
  'operations',
  'rules',
  'errors',
  'statuses',
  'transitions',
  'callbacks',
  'results',
  'limits',
  'scenarios',
] as const
export type CoverageKind = (typeof coverageKinds)[number]

/** Kinds of hits: those of coverage, and the gaps of the specification that tests rely on. No test has to cover a gap. */
export const hitKinds = [...coverageKinds, 'gaps'] as const
type HitKind = (typeof hitKinds)[number]

/**
 * Coverage counters: by kind, how often each item was covered. Items are `b-video-task.create`, `b-video-task.ratio:broken`,
 * `b-video-task/ServerOverloaded`, `b-video-task/queued>running`, `fetched`, `callback-lost#1`, `X9`. 0: known, and not covered.
 */
export type Hits = Readonly<Record<HitKind, Readonly<Record<string, number>>>>

/** Adds to an item. `by` 0 makes it known. */
export type AddHit = (kind: HitKind, item: string, by?: number) => void

/** Hit counter: hits, and a function that adds to them. */
export const createHitCounter = (): { readonly add: AddHit; readonly hits: Hits } => {
  const hits = Object.fromEntries(hitKinds.map((kind) => [kind, {}])) as Record<
    HitKind,
    Record<string, number>
  >
  const add: AddHit = (kind, item, by = 1) => {
    hits[kind][item] = (hits[kind][item] ?? 0) + by
  }
  return { add, hits }
}

/** Sum of hits. */
export const mergeHits = (all: readonly Hits[]): Hits => {
  const { add, hits } = createHitCounter()
  for (const single of all)
    for (const kind of hitKinds)
      for (const [item, count] of Object.entries(single[kind])) add(kind, item, count)
  return hits
}

/** Whether an item was covered. */
export const isHit = (hits: Hits, kind: HitKind, item: string): boolean => (hits[kind][item] ?? 0) > 0
