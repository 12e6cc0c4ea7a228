import type { AnyFamily, AnyTaskFamily, FamilyDescription, Gap, Operation } from '../core/contract.js'
import { type Exposure, FOR_EVER, type Phase, statesOf, type Task } from '../core/model/task.js'
import { isRecord, shapeRefusals, valueAt } from '../core/request.js'
import { resultRules } from '../core/result.js'
import { type Catalogue, type CatalogueFamily, RESULTS } from '../core/scenario/selector.js'
import type { Instant, Moment } from '../core/schedule/time.js'
import { operationsOf } from '../core/task/operations.js'
import { visibleUntilOf } from '../core/task/read.js'
import { commonGaps } from './shared/gaps.js'

/** Whether a family makes tasks. */
export const isTaskFamily = (family: AnyFamily): family is AnyTaskFamily => 'routes' in family

/**
 * Registry: the families that an emulator has, and what follows from their list. Everything that is about families in general
 * reads the registry of its emulator, or `builtIn` where there is no emulator.
 */
export class Registry {
  #content: Content

  constructor(families: readonly AnyFamily[]) {
    this.#content = contentOf(families)
  }

  /** Puts other families in place: whatever holds the registry reads them from its next call on. */
  replace(families: readonly AnyFamily[]): void {
    this.#content = contentOf(families)
  }

  /** In the order of the table of contents. */
  get families(): readonly AnyFamily[] {
    return this.#content.families
  }

  /** Families that make tasks. */
  get taskFamilies(): readonly AnyTaskFamily[] {
    return this.#content.taskFamilies
  }

  /** Operations of all families. On a shared route the first one answers for models that no family has. */
  get operations(): readonly Operation[] {
    return this.#content.operations
  }

  /** Everything that a scenario may name. */
  get catalogue(): Catalogue {
    return this.#content.catalogue
  }

  /** Table of gaps: every point that the specification leaves open, in the order of its chapters. */
  get gaps(): readonly Gap[] {
    return this.#content.gaps
  }

  /** What costs money: models with their resolutions, `gamma-H3 2K`. */
  get pricedVideos(): readonly string[] {
    return this.#content.pricedVideos
  }

  /** Operations whose answer is the file of a result: its download, and those of families that send one by the id of its task. */
  get fileOperations(): readonly string[] {
    return this.#content.fileOperations
  }

  /** Keys of request bodies under which media stand. Base64 of a large body is taken out of these and no others. */
  get mediaKeys(): readonly string[] {
    return this.#content.mediaKeys
  }

  /** Paths of the task's id in a callback, the deepest first. */
  get callbackTaskIdPaths(): readonly string[] {
    return this.#content.callbackTaskIdPaths
  }

  /** The family of an id, or undefined where there is none. */
  family(id: string): AnyFamily | undefined {
    return this.#content.byId.get(id)
  }

  /** The family of an id, where it makes tasks. */
  taskFamily(id: string): AnyTaskFamily | undefined {
    return this.#content.taskFamilyById.get(id)
  }

  /** How long a task can be queried, as its family says. */
  exposureOf(task: Task, moment: Moment<Phase>): Exposure {
    const family = this.taskFamily(task.family)
    return family === undefined ? FOR_EVER : exposureIn(family, task, moment)
  }

  /** Deadline at which an unfinished task expires, or undefined where it never does. */
  deadlineOf({ family, params, createdAt }: Task): Instant | undefined {
    return this.taskFamily(family)?.deadline?.(params, createdAt)
  }

  /**
   * Ids of the gaps on which an answer of an operation relies: an accepted one on those of its verb; a refusal on those of all
   * refusals of its family, and on those that its rule names. Messages to receivers are `callback` and `challenge` of a family.
   * @param place reference of the rule that refused, or undefined where none did
   */
  gapsBehind(operation: string, status: number, place?: string): readonly string[] {
    const [id = '', verb = ''] = operation.split('.')
    const family = this.family(id)
    const reliesOn = family === undefined ? downloadsRelyOn : (family.reliesOn ?? {})
    if (status < 400) return reliesOn[verb] ?? []
    return place === undefined ? [] : unique([...(reliesOn.refusal ?? []), ...gapsAt(place)])
  }

  /** Problem of a stored task, whose family has to be here and its params as that says, or undefined where there is none. */
  paramsProblem({ family, params }: Task): string | undefined {
    const known = this.taskFamily(family)
    if (known === undefined)
      return `family must be one of ${this.taskFamilies.map(({ id }) => id).join(', ')}, found ${JSON.stringify(family)}: the setting families names those from outside`
    const shape = known.paramsSchema?.safeParse(params)
    if (shape === undefined || shape.success) return undefined
    return shapeRefusals(shape.error.issues, params)
      .map(({ message }) => `params.${message}`)
      .join('; ')
  }
}

/** Registry of a list of families. */
export const createRegistry = (families: readonly AnyFamily[]): Registry => new Registry(families)

// Downloads belong to no family.
const downloadsRelyOn: NonNullable<AnyFamily['reliesOn']> = { download: ['X9'] }

/** Gaps that a reference names: `docs/gaps.md#x6` is X6. */
const gapsAt = (place: string): string[] =>
  [...place.matchAll(/docs\/gaps\.md#([a-z]+\d+)/g)].map(([, id = '']) => id.toUpperCase())

type Content = ReturnType<typeof contentOf>

const contentOf = (given: readonly AnyFamily[]) => {
  const families = given.map((family) => withNeighbours(family, given))
  const taskFamilies = families.filter(isTaskFamily)
  const operations: readonly Operation[] = families.flatMap((family) => {
    const own = [
      ...(isTaskFamily(family) ? operationsOf(family) : []),
      ...(family.operations?.(family) ?? []),
    ]
    return family.reroute === undefined
      ? own
      : own.map((operation) => family.reroute?.(operation) ?? operation)
  })
  return {
    families,
    byId: new Map(families.map((family) => [family.id, family])),
    taskFamilies,
    taskFamilyById: new Map(taskFamilies.map((family) => [family.id, family])),
    operations,
    catalogue: catalogueOf(families, operations),
    gaps: [
      ...commonGaps.everywhere,
      ...families.flatMap((family) => family.gaps ?? []),
      ...commonGaps.openPoints,
      ...commonGaps.foundWhileBuilding,
    ],
    pricedVideos: unique(taskFamilies.flatMap(({ price }) => Object.keys(price?.perSecond ?? {}))),
    fileOperations: [
      `${RESULTS}.download`,
      ...operations.filter(({ rules = [] }) => rules.includes(resultRules.range)).map(({ id }) => id),
    ],
    mediaKeys: unique(families.flatMap(({ mediaFields = [] }) => mediaFields)),
    callbackTaskIdPaths: callbackTaskIdPathsOf(taskFamilies),
  }
}

/** A family whose error about a model lists those of all families on its route, such as were added to it. */
const withNeighbours = (family: AnyFamily, all: readonly AnyFamily[]): AnyFamily => {
  if (!isTaskFamily(family)) return family
  const { path } = family.routes.create
  const sharing = all.filter(isTaskFamily).filter(({ routes }) => routes.create.path === path)
  // The first one answers for models that no family has.
  if (sharing[0] !== family || sharing.length === 1) return family
  const modelsBeside = sharing.slice(1).flatMap(({ models }) => models)
  const isSame = modelsBeside.join() === family.modelsBeside?.join()
  return isSame ? family : { ...family, modelsBeside }
}

const unique = (names: readonly string[]): readonly string[] => [...new Set(names)]

const callbackTaskIdPathsOf = (families: readonly AnyTaskFamily[]): readonly string[] =>
  unique(
    families
      .filter(({ callback }) => callback !== undefined)
      .map(({ taskAt }) => (taskAt === undefined ? 'id' : `${taskAt}.id`)),
  ).toSorted((a, b) => b.split('.').length - a.split('.').length)

const withoutTasks = { models: [], hasTimelines: false, states: [], reports: 'never' } as const

const catalogueOf = (families: readonly AnyFamily[], operations: readonly Operation[]): Catalogue => ({
  operations: [...operations.map(({ id }) => id), `${RESULTS}.download`],
  methods: {
    ...Object.fromEntries(operations.map(({ id, route }) => [id, methodsOf(route.method)])),
    [`${RESULTS}.download`]: methodsOf('GET'),
  },
  uploads: operations.filter(({ makes }) => makes === 'asset').map(({ id }) => id),
  families: [...families.map(entryOf), { id: RESULTS, errors: [], ...withoutTasks }],
})

const entryOf = (family: AnyFamily): CatalogueFamily => ({
  id: family.id,
  errors: Object.keys(family.errors),
  ...(isTaskFamily(family)
    ? {
        models: family.models,
        hasTimelines: family.routes.read !== undefined,
        states: statesOf(family),
        reports: reportsOf(family),
      }
    : withoutTasks),
})

const reportsOf = ({ callback }: AnyTaskFamily): CatalogueFamily['reports'] => {
  if (callback === undefined) return 'never'
  return callback.handshake ? 'handshake' : 'plainly'
}

// A HEAD is answered wherever a GET is.
const methodsOf = (method: string): readonly string[] => (method === 'GET' ? ['GET', 'HEAD'] : [method])

/**
 * Until when a task can be asked for that has reached a moment: the time of queries (§B query, 7 days; 24 hours once
 * cancelled) and that of its result URLs. The answer of an expired URL needs no record of the task.
 */
export const exposureIn = (family: AnyTaskFamily, task: Task, moment: Moment<Phase>): Exposure => {
  const shown = visibleUntilOf(family, task, moment)
  // Where tasks cannot be queried there is nothing but the results.
  const queried = family.routes.read === undefined ? Number.NEGATIVE_INFINITY : shown
  const hasResults = moment.value.state === 'succeeded'
  const downloaded = hasResults ? moment.at + family.resultTtlMs - 1 : Number.NEGATIVE_INFINITY
  const reachableUntil = Math.max(queried, downloaded)
  return { visibleUntil: Math.min(shown, reachableUntil), reachableUntil }
}

/** The tasks that an answer of a family shows: one, or those of a list. */
export const tasksIn = (
  { taskAt, listAt }: Pick<FamilyDescription, 'taskAt' | 'listAt'>,
  body: unknown,
): Record<string, unknown>[] => {
  const list = listAt === undefined ? undefined : valueAt(body, [listAt])
  return (Array.isArray(list) ? list : [body])
    .map((item) => (taskAt === undefined ? item : valueAt(item, taskAt.split('.'))))
    .filter(isRecord)
}

/** Name of the error whose code a failed task of a family shows, or undefined where no row of its table has that code. */
export const errorOfTask = (
  { errors, failureCode }: Pick<FamilyDescription, 'errors'> & Pick<AnyTaskFamily, 'failureCode'>,
  code: unknown,
): string | undefined =>
  Object.entries(errors).find(([error, row]) =>
    [error, failureCode?.(error, row) ?? row.code].includes(String(code)),
  )?.[0]
