import { comparePlaces, createGroupedList, type GroupedItem } from '../collections/grouped-list.js'
import { createHeap, type HeapEntry } from '../collections/heap.js'
import { type Exposure, FOR_EVER, isFinal, type Phase, type State, type Task } from '../model/task.js'
import { type Instant, lastOf, type Moment } from '../schedule/time.js'

/** The facts by which tasks are listed, counted and evicted. */
interface TaskFacts {
  readonly family: string
  readonly model: string
  /** The state that the task has reached; what is due has to be run before it is true of now. */
  readonly state: State
  /** Whether nothing more happens to it and all its callbacks are done: only then it can be evicted. */
  readonly hasEnded: boolean
  /** Whether a query shows it; `unreachable`: its results have expired as well. */
  readonly exposure: 'visible' | 'hidden' | 'unreachable'
}

/** Called before a change: of a task's record, which was `before` until now (undefined: it is new), or of its next moment. */
type OnTaskChange = (what: 'tasks' | 'open', id: string, before: Task | undefined) => void

/**
 * Task table: the tasks of an account by id and in the order of their creation, with an index by what lists filter by.
 * The oldest ended task, any page and any count are found without a look at the others.
 */
export interface TaskTable {
  readonly size: number
  /** The number of tasks with a moment to come. */
  readonly inFlight: number
  readonly ended: number
  /** Estimated memory of all tasks, and of those that have ended. */
  readonly bytes: number
  readonly endedBytes: number
  get(id: string): Task | undefined
  has(id: string): boolean
  /** Oldest first. */
  keys(): Generator<string>
  values(): Generator<Task>
  /** The ids of tasks with a moment to come, oldest first. */
  keysInFlight(): Generator<string>
  /** The tasks with these ids, newest first. Ids that are unknown or repeated do not count. */
  newestFirst(ids: Iterable<string>): Task[]
  /** Index of the next moment of a task; undefined: nothing more is to come. */
  nextOf(id: string): number | undefined
  /** Adds a task as the newest, or replaces it in its place. */
  set(task: Task, next: number | undefined): void
  setNext(id: string, next: number | undefined): void
  /** Says whether callbacks of a task are still to be sent. */
  setReporting(id: string, isReporting: boolean): void
  delete(id: string): void
  /** Tasks by their facts at an instant, newest first. */
  page(
    matches: (facts: TaskFacts) => boolean,
    now: Instant,
    offset: number,
    limit: number,
  ): { items: Task[]; total: number }
  /** The number of tasks for each set of facts. */
  counts(): { readonly facts: TaskFacts; readonly size: number }[]
  /** The oldest of the tasks that have ended. */
  oldestEnded(): Task | undefined
  /** The oldest of those that cannot be asked for any more. */
  oldestUnreachable(now: Instant): Task | undefined
  copy(): TaskTable
  /** Follows the changes from now on, and says how long tasks are exposed. Default: for ever. */
  follow(onChange: OnTaskChange, exposureOf: ExposureOf): void
  /** Undo log of the running transaction, to which the inverse of each change is added; undefined: none runs. */
  undo: (() => void)[] | undefined
}

/** Function that says how long a task is exposed that has reached a moment of its timeline. */
export type ExposureOf = (task: Task, moment: Moment<Phase>) => Exposure

/** What an entry holds, wherever it stands. */
interface EntryFields {
  task: Task
  next: number | undefined
  isReporting: boolean
  bytes: number
}

interface Entry extends EntryFields, GroupedItem<TaskFacts>, HeapEntry {
  /** The last instant of its present exposure. */
  until: Instant
}

const nameOf = ({ family, model, state, hasEnded, exposure }: TaskFacts): string =>
  `${family} ${model} ${state} ${hasEnded} ${exposure}`

const hasEnded = (facts: TaskFacts): boolean => facts.hasEnded

const isUnreachable = (facts: TaskFacts): boolean => facts.hasEnded && facts.exposure === 'unreachable'

/** @param given entries of another table, oldest first */
export const createTaskTable = (given: Iterable<EntryFields> = []): TaskTable => {
  const entries = new Map<string, Entry>()
  const list = createGroupedList<TaskFacts, Entry>(nameOf)
  const exposed = createHeap<Entry>((one, other) => one.until < other.until)
  let exposureOf: ExposureOf = () => FOR_EVER
  let onChange: OnTaskChange = () => {}
  let inFlight = 0
  let ended = 0
  let bytes = 0
  let endedBytes = 0

  /** Adds an entry to the sums, or takes it out. */
  const count = ({ next, bytes: its, group }: Entry, by: 1 | -1): void => {
    if (next !== undefined) inFlight += by
    bytes += by * its
    if (!group.facts.hasEnded) return
    ended += by
    endedBytes += by * its
  }

  const updateExposure = (entry: Entry): void => {
    const until = exposureOf(entry.task, reachedMoment(entry)).visibleUntil
    if (until === entry.until && entry.heapIndex >= 0) return
    exposed.remove(entry)
    entry.until = until
    if (Number.isFinite(until)) exposed.push(entry)
  }

  const change = (entry: Entry, task: Task, next: number | undefined, isReporting: boolean): void => {
    const before = { task: entry.task, next: entry.next, isReporting: entry.isReporting }
    table.undo?.push(() => rewrite(entry, before.task, before.next, before.isReporting))
    rewrite(entry, task, next, isReporting)
  }

  const rewrite = (entry: Entry, task: Task, next: number | undefined, isReporting: boolean): void => {
    count(entry, -1)
    if (task !== entry.task) entry.bytes = bytesOfTask(task)
    entry.task = task
    entry.next = next
    entry.isReporting = isReporting
    list.move(entry, factsOf(entry))
    updateExposure(entry)
    count(entry, 1)
  }

  const add = ({ task, next, isReporting, bytes: its }: EntryFields): Entry => {
    const fields = { task, next, isReporting, bytes: its }
    const entry = list.add({ until: 0, heapIndex: -1, ...fields }, factsOf(fields))
    insert(entry)
    return entry
  }

  const insert = (entry: Entry): void => {
    entries.set(entry.task.id, entry)
    updateExposure(entry)
    count(entry, 1)
  }

  const remove = (entry: Entry): void => {
    entries.delete(entry.task.id)
    list.remove(entry)
    exposed.remove(entry)
    count(entry, -1)
  }

  /** Brings the exposure of all tasks up to date. */
  const expireExposures = (now: Instant): void => {
    for (let first = exposed.peek(); first !== undefined && first.until < now; first = exposed.peek()) {
      const { reachableUntil } = exposureOf(first.task, reachedMoment(first))
      const isReachable = now <= reachableUntil
      list.move(first, { ...first.group.facts, exposure: isReachable ? 'hidden' : 'unreachable' })
      first.until = reachableUntil
      if (isReachable) exposed.update(first)
      else exposed.remove(first)
    }
  }

  const table: TaskTable = {
    undo: undefined,
    get size() {
      return entries.size
    },
    get inFlight() {
      return inFlight
    },
    get ended() {
      return ended
    },
    get bytes() {
      return bytes
    },
    get endedBytes() {
      return endedBytes
    },
    get: (id) => entries.get(id)?.task,
    has: (id) => entries.has(id),
    *keys() {
      for (const { task } of list.values()) yield task.id
    },
    *values() {
      for (const { task } of list.values()) yield task
    },
    *keysInFlight() {
      for (const { task, next } of list.values()) if (next !== undefined) yield task.id
    },
    newestFirst: (ids) => {
      const found = [...new Set(ids)].flatMap((id) => entries.get(id) ?? [])
      return found.sort((one, other) => comparePlaces(other, one)).map(({ task }) => task)
    },
    nextOf: (id) => entries.get(id)?.next,
    set: (task, next) => {
      const known = entries.get(task.id)
      onChange('tasks', task.id, known?.task)
      if (known?.next !== next) onChange('open', task.id, known?.task)
      if (known !== undefined) return change(known, task, next, known.isReporting)
      const entry = add({ task, next, isReporting: false, bytes: bytesOfTask(task) })
      table.undo?.push(() => remove(entry))
    },
    setNext: (id, next) => {
      const entry = entries.get(id)
      if (entry === undefined || entry.next === next) return
      onChange('open', id, entry.task)
      change(entry, entry.task, next, entry.isReporting)
    },
    setReporting: (id, isReporting) => {
      const entry = entries.get(id)
      if (entry !== undefined && entry.isReporting !== isReporting)
        change(entry, entry.task, entry.next, isReporting)
    },
    delete: (id) => {
      const entry = entries.get(id)
      if (entry === undefined) return
      onChange('tasks', id, entry.task)
      if (entry.next !== undefined) onChange('open', id, entry.task)
      remove(entry)
      table.undo?.push(() => {
        list.restore(entry)
        insert(entry)
      })
    },
    page: (matches, now, offset, limit) => {
      expireExposures(now)
      const { items, total } = list.page(matches, offset, limit)
      return { items: items.map(({ task }) => task), total }
    },
    counts: () => [...list.groups()],
    oldestEnded: () => list.oldest(hasEnded)?.task,
    oldestUnreachable: (now) => {
      expireExposures(now)
      return list.oldest(isUnreachable)?.task
    },
    copy: () => createTaskTable(list.values()),
    follow: (listener, exposure) => {
      onChange = listener
      exposureOf = exposure
      for (const entry of list.values()) updateExposure(entry)
    },
  }
  for (const fields of given) add(fields)
  return table
}

/** The moment that a task has reached. */
const reachedMoment = ({ task: { timeline }, next }: Pick<Entry, 'task' | 'next'>): Moment<Phase> =>
  timeline[(next ?? timeline.length) - 1] ?? lastOf(timeline)

const factsOf = (entry: Pick<Entry, 'task' | 'next' | 'isReporting'>): TaskFacts => {
  const { task, next, isReporting } = entry
  const { value } = reachedMoment(entry)
  return {
    family: task.family,
    model: task.model,
    state: value.state,
    hasEnded: next === undefined && !isReporting && isFinal(value),
    exposure: 'visible',
  }
}

/** A task without the texts that its request brought. */
const PLAIN_BYTES = 1_300

/** About how many bytes of memory a task takes: hardly ever less, since some texts need two bytes for a character. */
export const bytesOfTask = ({ params, callback }: Task): number =>
  PLAIN_BYTES + 2 * (lengthOfTexts(params) + (callback?.url.length ?? 0))

const lengthOfTexts = (value: unknown): number => {
  if (typeof value === 'string') return value.length
  if (value === null || typeof value !== 'object') return 0
  let sum = 0
  for (const name in value) sum += lengthOfTexts((value as Record<string, unknown>)[name])
  return sum
}
