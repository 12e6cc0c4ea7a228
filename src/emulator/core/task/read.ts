import { z } from 'zod'
import type { TaskFacts } from '../account/task-table.js'
import {
  type AnyTaskFamily,
  asDecision,
  type Decision,
  type DecisionContext,
  noMeta,
  type PreparedCall,
} from '../contract.js'
import type { Account } from '../model/account.js'
import { type Call, taskIdIn } from '../model/call.js'
import { isFinal, type Phase, states, type Task, type TaskView, viewAt } from '../model/task.js'
import { shapeRefusals, textAt } from '../request.js'
import { type Instant, type Moment, nextChange } from '../schedule/time.js'
import { errorOf, pageOf, refused, ruleRef, taskExists } from './refusals.js'

/** Query response with the overrides of the task's scenario applied; the body itself if there are none. */
export const withOverrides = (
  { urlFields = ['url'] }: Pick<AnyTaskFamily, 'urlFields'>,
  body: unknown,
  { task, phase }: TaskView,
): unknown => {
  const { responseOverrides: overrides } = task
  if (overrides === undefined) return body
  const word =
    overrides.statusWords?.[phase.state] ?? (phase.state === 'running' ? overrides.statusWord : undefined)
  return mapFields(body, (key, value) => {
    // Answers have these fields only once the task has succeeded.
    if (overrides.withoutUrl && urlFields.includes(key)) return undefined
    if (word !== undefined && key === 'status') return word
    return key === 'progress' && typeof value === 'number' ? progressWith(overrides, value) : value
  })
}

const progressWith = (
  { progressJumpsBack, progressAsFraction }: NonNullable<Task['responseOverrides']>,
  progress: number,
): number => {
  if (progressJumpsBack) return progress >= 50 && progress < 100 ? progress - 45 : progress
  return progressAsFraction ? progress / 100 : progress
}

const mapFields = (value: unknown, change: (key: string, value: unknown) => unknown): unknown => {
  if (Array.isArray(value)) return value.map((item) => mapFields(item, change))
  if (value === null || typeof value !== 'object') return value
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, inner]) => {
      const changed = change(key, inner)
      return changed === undefined ? [] : [[key, mapFields(changed, change)]]
    }),
  )
}

/** Read operation. Changes nothing: the state of a task follows from its record and the clock. */
export const prepareRead = (family: AnyTaskFamily, call: Call): PreparedCall =>
  decideOnTask(family, call, (view, context) => {
    const body = withOverrides(family, family.respond.read?.(view, context, family.errors), view)
    return asDecision({ status: 200, body }, { task: view.task.id, ...noMeta })
  })

/** Prepares a decision on the task that a call names; it is refused unless the task is the family's and can still be seen. */
export const decideOnTask = (
  family: AnyTaskFamily,
  call: Call,
  decide: (view: TaskView, context: DecisionContext) => Decision,
): PreparedCall => ({
  decide: (context) => {
    const task = taskNamed(family, call, context.account)
    const view = task && viewAt(task, context.now)
    if (view !== undefined && isVisible(family, view)) return decide(view, context)
    return unknownTask(family, call, context)
  },
})

/** Until when a family shows a task that has reached a moment. A scenario can have a task vanish at its end. */
export const visibleUntilOf = (
  { visibleUntil }: Pick<AnyTaskFamily, 'visibleUntil'>,
  task: Task,
  moment: Moment<Phase>,
): Instant =>
  task.responseOverrides?.vanishes === true && isFinal(moment.value)
    ? moment.at - 1
    : (visibleUntil?.(task, moment) ?? Number.POSITIVE_INFINITY)

/** Whether a task can still be queried (§B query, §Task states). */
export const isVisible = (family: Pick<AnyTaskFamily, 'visibleUntil'>, view: TaskView): boolean =>
  view.now <= visibleUntilOf(family, view.task, { at: view.since, value: view.phase })

const taskNamed = (family: AnyTaskFamily, call: Call, account: Readonly<Account>): Task | undefined => {
  const task = account.tasks.get(idOf(call))
  return task !== undefined && readableFamilies(family).includes(task.family) ? task : undefined
}

const readableFamilies = (family: AnyTaskFamily): readonly string[] => family.reads ?? [family.id]

/** The one path parameter: `{id}` or `{task_id}`. */
const idOf = ({ params }: Call): string => taskIdIn(params) ?? ''

const unknownTask = (family: AnyTaskFamily, call: Call, context: DecisionContext): Decision => {
  const rule = taskExists(family)
  const refusal = family.notFound?.(idOf(call)) ?? { error: family.wellKnownErrors.invalid }
  const error = errorOf(family, rule, refusal.error)
  return refused(family, [{ ...refusal, error, ...ruleRef(family.id, rule), found: idOf(call) }], context)
}

/** Whether a call on a shared route asks for one of this family's tasks. */
export const namesTaskOf =
  (family: AnyTaskFamily) =>
  (call: Call, account: Readonly<Account>): boolean =>
    taskNamed(family, call, account) !== undefined

/** Next moment of the task that a call names, or undefined where there is none. */
export const nextMomentOfTask =
  (family: AnyTaskFamily) =>
  (call: Call, account: Readonly<Account>, now: Instant): Instant | undefined => {
    const task = taskNamed(family, call, account)
    return task === undefined ? undefined : nextChange(task, now)
  }

const pageNumber = (defaultValue: number, error: string, max = Number.MAX_SAFE_INTEGER) =>
  z.int({ error }).min(1, { error }).max(max, { error }).default(defaultValue)

/** The query of a task list (§B list, gap B5). */
export const listQuerySchema = z.object({
  page_num: pageNumber(1, 'a whole number from 1'),
  page_size: pageNumber(10, 'a whole number from 1 to 500', 500),
  'filter.status': z.enum(states).exclude(['pending']).optional(),
  'filter.model': z.string().optional(),
  'filter.service_tier': z.enum(['default', 'flex']).optional(),
  'filter.task_ids': z.array(z.string()).optional(),
  id: z.string().optional(),
})
type ListQuery = z.output<typeof listQuerySchema>

/** List operation: paging of tasks, newest first, filtered. */
export const prepareList = (family: AnyTaskFamily, call: Call): PreparedCall => ({
  decide: (context) => {
    const query = queryOf(call)
    const ignored = unknownParameters(call)
    const shape = listQuerySchema.safeParse(query)
    if (!shape.success) {
      const refusals = shapeRefusals(shape.error.issues, query).map(({ isMissing, ...refusal }) => ({
        ...refusal,
        error: family.wellKnownErrors.invalid,
        // Names such as filter.status hold a point themselves; a path would be read as a field of an object.
        rule: `${family.id}.list.${refusal.field}`,
        place: `${pageOf(family)}#list`,
      }))
      return refused(family, refusals, context, { ignored })
    }
    const { items, total } = pageOfTasks(family, shape.data, context)
    const { errors, respond } = family
    const shown = items.map((view) => withOverrides(family, respond.read?.(view, context, errors), view))
    // A list of one id is a query of that task.
    const [asked] = shape.data.id === undefined ? [] : items
    const about = asked === undefined ? {} : { task: asked.task.id }
    return asDecision(
      { status: 200, body: family.respond.list?.(shown, total) },
      { ...about, ...noMeta, ignored },
    )
  },
})

const queryOf = ({ query }: Call): Record<string, unknown> =>
  Object.fromEntries(
    Object.keys(listQuerySchema.shape)
      .filter((name) => query.has(name))
      .map((name) => [name, parameterOf(name, query.getAll(name))]),
  )

/** Names of the parameters that a list does not know (gap X11): with a misspelt filter it shows more than was asked for. */
const unknownParameters = ({ query }: Call): string[] =>
  [...new Set(query.keys())].filter((name) => !Object.hasOwn(listQuerySchema.shape, name))

// A parameter that comes more than once stays a list, which the schema refuses (gap N21).
const parameterOf = (name: string, texts: readonly string[]): unknown => {
  if (name === 'filter.task_ids') return texts.flatMap((text) => text.split(',').map((id) => id.trim()))
  const values = name.startsWith('page_') ? texts.map(numberIn) : texts
  return values.length === 1 ? values[0] : values
}

// Only digits count as a number: Number() would also read "0x1" and "1e1". More digits than a JavaScript integer holds stay
// text, so that the refusal shows them as they were sent.
const numberIn = (text: string): unknown => {
  const number = Number(text)
  return /^-?\d+$/.test(text) && Number.isSafeInteger(number) ? number : text
}

const pageOfTasks = (family: AnyTaskFamily, query: ListQuery, { account, now }: DecisionContext) => {
  const { 'filter.status': status, 'filter.model': model, 'filter.service_tier': tier } = query
  const families = readableFamilies(family)
  const limit = query.page_size
  const offset = (query.page_num - 1) * limit
  if (idsIn(query) === undefined && tier === undefined) {
    const isListed = (facts: TaskFacts): boolean =>
      facts.exposure === 'visible' &&
      families.includes(facts.family) &&
      (model === undefined || facts.model === model) &&
      (status === undefined || facts.state === status)
    const { items, total } = account.tasks.page(isListed, now, offset, limit)
    return { items: items.map((task) => viewAt(task, now)), total }
  }
  const views = tasksAskedFor(family, query, account, now)
    .map((task) => viewAt(task, now))
    .filter(({ phase }) => status === undefined || phase.state === status)
  return { items: views.slice(offset, offset + limit), total: views.length }
}

/** Next moment of the tasks that a list names: with an on-poll clock such a list is a status query of them. */
export const nextMomentOfList =
  (family: AnyTaskFamily) =>
  (call: Call, account: Readonly<Account>, now: Instant): Instant | undefined => {
    if (!call.query.has('filter.task_ids') && !call.query.has('id')) return undefined
    const shape = listQuerySchema.safeParse(queryOf(call))
    // A list that is refused, or that has nothing to show whatever becomes of the tasks, asks about none.
    if (!shape.success) return undefined
    const tasks = tasksAskedFor(family, shape.data, account, now)
    const { page_num, page_size } = shape.data
    if (tasks.length <= (page_num - 1) * page_size) return undefined
    const moments = tasks.flatMap((task) => nextChange(task, now) ?? [])
    return moments.length === 0 ? undefined : Math.min(...moments)
  }

// Newest first, and whatever their status: a client that lists the succeeded ones waits for the others to succeed.
const tasksAskedFor = (
  family: AnyTaskFamily,
  query: ListQuery,
  { tasks }: Readonly<Account>,
  now: Instant,
): Task[] => {
  const { 'filter.model': model, 'filter.service_tier': tier } = query
  return tasks
    .newestFirst(idsIn(query) ?? tasks.keys())
    .filter((task) => readableFamilies(family).includes(task.family))
    .filter((task) => model === undefined || task.model === model)
    .filter((task) => tier === undefined || tierOf(task) === tier)
    .filter((task) => isVisible(family, viewAt(task, now)))
}

/** The ids that a list names, by either parameter or by both, or undefined where it names none. */
const idsIn = ({ 'filter.task_ids': ids, id }: ListQuery): readonly string[] | undefined => {
  if (id === undefined) return ids
  return ids === undefined || ids.includes(id) ? [id] : []
}

const tierOf = ({ params }: Task): string => textAt(params, ['serviceTier']) ?? 'default'
