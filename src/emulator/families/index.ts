import type { ExposureOf } from '../core/account/task-table.js'
import type { AnyTaskFamily, FamilyDescription, Gap, Operation } from '../core/contract.js'
import { type Exposure, FOR_EVER, type Phase, statesOf, type Task } from '../core/model/task.js'
import { isRecord, shapeRefusals, valueAt } from '../core/request.js'
import { resultRules } from '../core/result.js'
import { type Catalogue, type CatalogueFamily, RESULTS } from '../core/scenario/selector.js'
import type { Instant, Moment } from '../core/schedule/time.js'
import { operationsOf } from '../core/task/operations.js'
import { visibleUntilOf } from '../core/task/read.js'
import { image } from './a-image/index.js'
import { image2 } from './a2-image/index.js'
import { videoTask } from './b-video-task/index.js'
import { unifiedVideo } from './c-video/index.js'
import { assetLibrary } from './d-assets/index.js'
import { referenceVideo } from './e-video-reference/index.js'
import { videoV2 } from './f-video-v2/index.js'
import { commonGaps } from './shared/gaps.js'

/** Table of contents: one line a family, in the order of the specification. */
export const families: readonly (AnyTaskFamily | FamilyDescription)[] = [
  image,
  image2,
  videoTask,
  unifiedVideo,
  assetLibrary,
  referenceVideo,
  videoV2,
]

const isTaskFamily = (family: AnyTaskFamily | FamilyDescription): family is AnyTaskFamily =>
  'routes' in family

/** Families that make tasks. */
export const taskFamilies: readonly AnyTaskFamily[] = families.filter(isTaskFamily)

/** What costs money: models with their resolutions, `gamma-H3 2K`. */
export const pricedVideos: readonly string[] = [
  ...new Set(taskFamilies.flatMap(({ price }) => Object.keys(price?.perSecond ?? {}))),
]

const familiesById = new Map(taskFamilies.map((family) => [family.id, family]))

/** Exposure of a task: how long it can be queried, as its family says. */
export const exposureOf: ExposureOf = (task, moment) => {
  const family = familiesById.get(task.family)
  return family === undefined ? FOR_EVER : exposureIn(family, task, moment)
}

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

/** Deadline at which an unfinished task expires; undefined: never. */
export const deadlineOf = ({ family, params, createdAt }: Task): Instant | undefined =>
  familiesById.get(family)?.deadline?.(params, createdAt)

/** Operations of all families. On a shared route the first one answers for models that no family has. */
export const operations: readonly Operation[] = families.flatMap((family) => [
  ...(isTaskFamily(family) ? operationsOf(family) : []),
  ...(family.operations ?? []),
])

/** Operations whose answer is the file of a result: its download, and those of families that send one by the id of its task. */
export const fileOperations: readonly string[] = [
  'results.download',
  ...operations.filter(({ rules = [] }) => rules.includes(resultRules.range)).map(({ id }) => id),
]

/** Problem of the stored params of a task, as its family sees it; undefined: none. */
export const checkParams = ({ family: id, params }: Task): string | undefined => {
  const shape = familiesById.get(id)?.paramsSchema?.safeParse(params)
  if (shape === undefined || shape.success) return undefined
  return shapeRefusals(shape.error.issues, params)
    .map(({ message }) => `params.${message}`)
    .join('; ')
}

/** Keys of request bodies under which media stand. Base64 of a large body is taken out of these and no others. */
export const mediaKeys: readonly string[] = [
  ...new Set(families.flatMap(({ mediaFields = [] }) => mediaFields)),
]

/** Paths of the task's id in a callback, the deepest first. */
export const callbackTaskIdPaths: readonly string[] = [
  ...new Set(
    taskFamilies
      .filter(({ callback }) => callback !== undefined)
      .map(({ taskAt }) => (taskAt === undefined ? 'id' : `${taskAt}.id`)),
  ),
].sort((a, b) => b.split('.').length - a.split('.').length)

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

/** Name of the error whose code a failed task of a family shows; undefined: no row of its table has that code. */
export const errorOfTask = (
  { errors, failureCode }: Pick<FamilyDescription, 'errors'> & Pick<AnyTaskFamily, 'failureCode'>,
  code: unknown,
): string | undefined =>
  Object.keys(errors).find((error) =>
    [error, failureCode?.(error) ?? errors[error]?.code].includes(String(code)),
  )

/** Table of gaps: every point that the specification leaves open, in the order of its chapters. */
export const gaps: readonly Gap[] = [
  ...commonGaps.everywhere,
  ...families.flatMap((family) => family.gaps ?? []),
  ...commonGaps.openPoints,
  ...commonGaps.foundWhileBuilding,
]

const entryOf = (family: AnyTaskFamily | FamilyDescription): CatalogueFamily => ({
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

const withoutTasks = { models: [], hasTimelines: false, states: [], reports: 'never' } as const

// A HEAD is answered wherever a GET is.
const methodsOf = (method: string): readonly string[] => (method === 'GET' ? ['GET', 'HEAD'] : [method])

/** Catalogue of everything that a scenario may name. */
export const catalogue: Catalogue = {
  operations: [...operations.map(({ id }) => id), `${RESULTS}.download`],
  methods: {
    ...Object.fromEntries(operations.map(({ id, route }) => [id, methodsOf(route.method)])),
    [`${RESULTS}.download`]: methodsOf('GET'),
  },
  uploads: operations.filter(({ makes }) => makes === 'asset').map(({ id }) => id),
  families: [...families.map(entryOf), { id: RESULTS, errors: [], ...withoutTasks }],
}
