import { z } from 'zod'
import { type AnyTaskFamily, type DecisionContext, noMeta, type Prepared } from '../contract.js'
import type { Account } from '../model/account.js'
import type { Call } from '../model/call.js'
import { states, type Task, type TaskView } from '../model/task.js'
import { shapeRefusals } from '../request/shape.js'
import type { Instant } from '../schedule/timeline.js'
import { isVisible, readsOf, withOverrides } from './read.js'
import { refusalReply } from './refusals.js'
import { nextChange, viewAt } from './timeline.js'

// Those of more digits than a number holds are no page.
const page = (usual: number, error: string, most = Number.MAX_SAFE_INTEGER) =>
  z.int({ error }).min(1, { error }).max(most, { error }).default(usual)

/** The query of a task list (§B list, gap B5). */
export const listQuerySchema = z.object({
  page_num: page(1, 'a whole number from 1'),
  page_size: page(10, 'a whole number from 1 to 500', 500),
  'filter.status': z.enum(states).exclude(['pending']).optional(),
  'filter.model': z.string().optional(),
  'filter.task_ids': z.array(z.string()).optional(),
})
type ListQuery = z.output<typeof listQuerySchema>

/** Listing tasks: newest first, filtered, a page at a time. */
export const prepareList = (family: AnyTaskFamily, call: Call): Prepared => ({
  mediaRefs: [],
  decide: (world) => {
    const query = queryOf(call)
    const shape = listQuerySchema.safeParse(query)
    if (!shape.success) {
      const [first] = shapeRefusals(shape.error.issues, query).map(({ isMissing, ...refusal }) => ({
        ...refusal,
        error: family.wellKnownErrors.invalid,
        // Names such as filter.status hold a point themselves; a path would be read as a field of an object.
        rule: `${family.id}.list.${refusal.field}`,
        place: `docs/families/${family.id}.md#list`,
      }))
      if (first !== undefined)
        return {
          reply: refusalReply(family, first, world.requestId),
          changes: [],
          meta: { ...noMeta, refusedBy: [first] },
        }
    }
    const { items, total } = matching(family, shape.data as ListQuery, world)
    return {
      reply: { status: 200, body: family.respond.list?.(itemsOf(family, items, world), total) },
      changes: [],
      meta: noMeta,
    }
  },
})

const itemsOf = (family: AnyTaskFamily, views: readonly TaskView[], world: DecisionContext): unknown[] =>
  views.map((view) => withOverrides(family, family.respond.read?.(view, world), view))

const queryOf = ({ query }: Call): Record<string, unknown> => ({
  ...Object.fromEntries([...query].map(([name, text]) => [name, isPageField(name) ? numberIn(text) : text])),
  ...(query.has('filter.task_ids') ? { 'filter.task_ids': idsOf(query) } : {}),
})

const isPageField = (name: string): boolean => name === 'page_num' || name === 'page_size'

// Numbers of a query are texts. Only digits are one: neither "0x1" nor "1e1", which a language would read as a number.
const numberIn = (text: string): unknown => (/^-?\d+$/.test(text) ? Number(text) : text)

const idsOf = (query: URLSearchParams): string[] => query.getAll('filter.task_ids')

const matching = (family: AnyTaskFamily, query: ListQuery, { account, now }: DecisionContext) => {
  const { 'filter.status': status, 'filter.task_ids': ids, page_num, page_size } = query
  const families = readsOf(family)
  const offset = (page_num - 1) * page_size
  if (ids === undefined) {
    const { items, total } = account.tasks.page(
      (facts) =>
        facts.exposure === 'visible' &&
        families.includes(facts.family) &&
        (query['filter.model'] === undefined || facts.model === query['filter.model']) &&
        (status === undefined || facts.state === status),
      now,
      offset,
      page_size,
    )
    return { items: items.map((task) => viewAt(task, now)), total }
  }
  const views = askedAbout(family, query, account, now)
    .map((task) => viewAt(task, now))
    .filter(({ phase }) => status === undefined || phase.state === status)
  return { items: views.slice(offset, offset + page_size), total: views.length }
}

const isListed = (family: AnyTaskFamily, { 'filter.model': model }: ListQuery, task: Task): boolean =>
  readsOf(family).includes(task.family) && (model === undefined || task.model === model)

/** For on-poll clocks: a list that names its tasks is a status query of them; the soonest of their moments comes. */
export const nextOfListed =
  (family: AnyTaskFamily) =>
  (call: Call, account: Readonly<Account>, now: Instant): Instant | undefined => {
    if (!call.query.has('filter.task_ids')) return undefined
    const shape = listQuerySchema.safeParse(queryOf(call))
    // A list that is refused, or that has nothing to show whatever becomes of the tasks, asks about none.
    if (!shape.success) return undefined
    const tasks = askedAbout(family, shape.data, account, now)
    const { page_num, page_size } = shape.data
    if (tasks.length <= (page_num - 1) * page_size) return undefined
    const moments = tasks.flatMap((task) => nextChange(task, now) ?? [])
    return moments.length === 0 ? undefined : Math.min(...moments)
  }

// Newest first, and whatever their status: who lists the succeeded ones among them waits for them to become so.
const askedAbout = (
  family: AnyTaskFamily,
  query: ListQuery,
  { tasks }: Readonly<Account>,
  now: Instant,
): Task[] =>
  tasks
    .newestFirst(query['filter.task_ids'] ?? [])
    .filter((task) => isListed(family, query, task) && isVisible(family, viewAt(task, now)))
