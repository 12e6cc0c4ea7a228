import { comparePlaces, GroupedItem, GroupedList } from '../collections/grouped-list.js'
import { Heap, type HeapEntry } from '../collections/heap.js'
import { type Exposure, FOR_EVER, isFinal, type Phase, type State, type Task } from '../model/task.js'
import { lengthOfTexts } from '../request.js'
import { type Instant, lastOf, type Moment } from '../schedule/time.js'

/** The facts by which tasks are listed, counted and evicted. */
export interface TaskFacts {
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
export type OnTaskChange = (what: 'tasks' | 'open', id: string, before: Task | undefined) => void

/** Function that says how long a task is exposed that has reached a moment of its timeline. */
export type ExposureOf = (task: Task, moment: Moment<Phase>) => Exposure

class Entry extends GroupedItem<TaskFacts> implements HeapEntry {
  heapIndex = -1
  /** The last instant of its present exposure. */
  until: Instant = 0

  constructor(
    public task: Task,
    public next: number | undefined,
    public isReporting: boolean,
    public bytes: number,
  ) {
    super()
  }
}

const areSame = (one: TaskFacts, other: TaskFacts): boolean =>
  one.state === other.state &&
  one.hasEnded === other.hasEnded &&
  one.exposure === other.exposure &&
  one.model === other.model &&
  one.family === other.family

const hasEnded = (facts: TaskFacts): boolean => facts.hasEnded

const isUnreachable = (facts: TaskFacts): boolean => facts.hasEnded && facts.exposure === 'unreachable'

/** How many tasks a table has, and their estimated memory. */
interface TaskUsage {
  readonly size: number
  /** Those that have not reached a final state, those that a scenario or the control API holds included. */
  readonly inFlight: number
  /** Those that can be evicted. */
  readonly ended: number
  readonly bytes: number
  readonly endedBytes: number
}

/**
 * Task table: the tasks of an account by id and in the order of their creation, with an index by what lists filter by.
 * The oldest ended task, any page and any count are found without a look at the others.
 */
export class TaskTable {
  /** Undo log of the running transaction, to which the inverse of each change is added, or undefined where none runs. */
  undo: (() => void)[] | undefined
  readonly #entries = new Map<string, Entry>()
  readonly #list = new GroupedList<TaskFacts, Entry>(areSame)
  /** Entries whose present exposure ends some time, the first to end on top. */
  readonly #exposed = new Heap<Entry>((one, other) => one.until < other.until)
  #exposureOf: ExposureOf = () => FOR_EVER
  #onChange: OnTaskChange | undefined
  readonly #usage = { size: 0, inFlight: 0, ended: 0, bytes: 0, endedBytes: 0 }
  /** What the tasks take, as it is now: quotas and rules look at it with every create. */
  readonly usage: TaskUsage = this.#usage

  /** @param entries of another table, oldest first */
  constructor(entries: Iterable<Entry> = []) {
    for (const { task, next, isReporting, bytes } of entries)
      this.#add(new Entry(task, next, isReporting, bytes))
  }

  get size(): number {
    return this.#entries.size
  }

  get(id: string): Task | undefined {
    return this.#entries.get(id)?.task
  }

  has(id: string): boolean {
    return this.#entries.has(id)
  }

  /** Oldest first. */
  *keys(): Generator<string> {
    for (const { task } of this.#list.values()) yield task.id
  }

  *values(): Generator<Task> {
    for (const { task } of this.#list.values()) yield task
  }

  /** The ids of tasks with a moment to come, oldest first. */
  *keysWithNext(): Generator<string> {
    for (const { task, next } of this.#list.values()) if (next !== undefined) yield task.id
  }

  /** The tasks with these ids, newest first. Ids that are unknown or repeated do not count. */
  newestFirst(ids: Iterable<string>): Task[] {
    const entries = [...new Set(ids)].flatMap((id) => this.#entries.get(id) ?? [])
    return entries.sort((one, other) => comparePlaces(other, one)).map(({ task }) => task)
  }

  /** Index of the next moment of a task, or undefined where nothing more is to come. */
  nextOf(id: string): number | undefined {
    return this.#entries.get(id)?.next
  }

  /** Adds a task as the newest, or replaces it in its place. */
  set(task: Task, next: number | undefined): void {
    const known = this.#entries.get(task.id)
    this.#onChange?.('tasks', task.id, known?.task)
    if (known?.next !== next) this.#onChange?.('open', task.id, known?.task)
    if (known === undefined) {
      const entry = this.#add(new Entry(task, next, false, bytesOfTask(task)))
      this.undo?.push(() => this.#remove(entry))
    } else this.#change(known, task, next, known.isReporting)
  }

  setNext(id: string, next: number | undefined): void {
    const entry = this.#entries.get(id)
    if (entry === undefined || entry.next === next) return
    this.#onChange?.('open', id, entry.task)
    this.#change(entry, entry.task, next, entry.isReporting)
  }

  /** Says whether callbacks of a task are still to be sent. */
  setReporting(id: string, isReporting: boolean): void {
    const entry = this.#entries.get(id)
    if (entry !== undefined && entry.isReporting !== isReporting)
      this.#change(entry, entry.task, entry.next, isReporting)
  }

  delete(id: string): void {
    const entry = this.#entries.get(id)
    if (entry === undefined) return
    this.#onChange?.('tasks', id, entry.task)
    if (entry.next !== undefined) this.#onChange?.('open', id, entry.task)
    this.#remove(entry)
    this.undo?.push(() => {
      this.#list.restore(entry)
      this.#insert(entry)
    })
  }

  /** Tasks by their facts at an instant, newest first. */
  page(matches: (facts: TaskFacts) => boolean, now: Instant, offset: number, limit: number) {
    this.#expireExposures(now)
    const { items, total } = this.#list.page(matches, offset, limit)
    return { items: items.map(({ task }) => task), total }
  }

  /** The number of tasks for each set of facts. */
  counts(): { readonly facts: TaskFacts; readonly size: number }[] {
    return this.#list.groups()
  }

  /** The oldest of the tasks that have ended. */
  oldestEnded(): Task | undefined {
    return this.#list.oldest(hasEnded)?.task
  }

  /** The oldest of those that cannot be asked for any more. */
  oldestUnreachable(now: Instant): Task | undefined {
    this.#expireExposures(now)
    return this.#list.oldest(isUnreachable)?.task
  }

  copy(): TaskTable {
    return new TaskTable(this.#list.values())
  }

  /** Says how long tasks are exposed (default: for ever), and has changes followed from now on (undefined: they are not). */
  follow(onChange: OnTaskChange | undefined, exposureOf: ExposureOf): void {
    this.#onChange = onChange
    this.#exposureOf = exposureOf
    for (const entry of this.#list.values()) this.#updateExposure(entry)
  }

  #change(entry: Entry, task: Task, next: number | undefined, isReporting: boolean): void {
    const before = { task: entry.task, next: entry.next, isReporting: entry.isReporting }
    this.undo?.push(() => this.#rewrite(entry, before.task, before.next, before.isReporting))
    this.#rewrite(entry, task, next, isReporting)
  }

  #rewrite(entry: Entry, task: Task, next: number | undefined, isReporting: boolean): void {
    this.#count(entry, -1)
    if (task !== entry.task) entry.bytes = bytesOfTask(task)
    entry.task = task
    entry.next = next
    entry.isReporting = isReporting
    this.#list.move(entry, factsOf(entry))
    this.#updateExposure(entry)
    this.#count(entry, 1)
  }

  #add(entry: Entry): Entry {
    this.#list.add(entry, factsOf(entry))
    this.#insert(entry)
    return entry
  }

  #insert(entry: Entry): void {
    this.#entries.set(entry.task.id, entry)
    this.#updateExposure(entry)
    this.#count(entry, 1)
  }

  #remove(entry: Entry): void {
    this.#entries.delete(entry.task.id)
    this.#list.remove(entry)
    this.#exposed.remove(entry)
    this.#count(entry, -1)
  }

  /** Adds an entry to the sums, or takes it out. */
  #count(entry: Entry, by: 1 | -1): void {
    const { bytes, group } = entry
    const usage = this.#usage
    usage.size += by
    usage.bytes += by * bytes
    if (!isFinal(reachedMoment(entry).value)) usage.inFlight += by
    if (!group.facts.hasEnded) return
    usage.ended += by
    usage.endedBytes += by * bytes
  }

  #updateExposure(entry: Entry): void {
    const until = this.#exposureOf(entry.task, reachedMoment(entry)).visibleUntil
    if (until === entry.until && entry.heapIndex >= 0) return
    this.#exposed.remove(entry)
    entry.until = until
    if (Number.isFinite(until)) this.#exposed.push(entry)
  }

  /** Brings the exposure of all tasks up to date. */
  #expireExposures(now: Instant): void {
    const exposed = this.#exposed
    for (let first = exposed.peek(); first !== undefined && first.until < now; first = exposed.peek()) {
      const { reachableUntil } = this.#exposureOf(first.task, reachedMoment(first))
      const isReachable = now <= reachableUntil
      this.#list.move(first, { ...first.group.facts, exposure: isReachable ? 'hidden' : 'unreachable' })
      first.until = reachableUntil
      if (isReachable) exposed.update(first)
      else exposed.remove(first)
    }
  }
}

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
