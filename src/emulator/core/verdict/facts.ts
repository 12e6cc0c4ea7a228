import { connectionOutcomeOf, type JournalEntry } from '../journal/entry.js'
import type { CallbackRecord } from '../model/account.js'
import { type State, type Task, viewAt } from '../model/task.js'
import { isRecord, textAt } from '../request.js'
import { retryAfterMsIn } from '../retry-after.js'
import type { StepEffects } from '../scenario/effects/index.js'
import { scenarioResultOf } from '../scenario/explain.js'
import { type Instant, momentAt } from '../schedule/time.js'
import {
  changes,
  fileFaults,
  hasFailed,
  isLockedOut,
  isWithheld,
  type ObservedCall,
  openStates,
} from './faults.js'

/** What is judged: an account at an instant, with what its journal and callback log still have. */
export interface JudgedAccount {
  /** Oldest first. */
  readonly entries: readonly JournalEntry[]
  readonly tasks: readonly Task[]
  /** Oldest first. */
  readonly callbacks: readonly CallbackRecord[]
  readonly now: Instant
  /** Ids of the operations that there are, and of those that answer with a file. */
  readonly operations: readonly string[]
  readonly fileOperations: readonly string[]
}

/** Call of the journal as the verdict looks at it. */
export interface JudgedCall extends ObservedCall {
  readonly entry: JournalEntry
  /** Whether its answer shows that the task is over, though perhaps late, or with other fields changed. */
  readonly showsEnd: boolean
}

/** Task as the verdict looks at it. */
export interface JudgedTask {
  readonly task: Task
  readonly state: State
  /** Undefined where the journal no longer has it. */
  readonly create: JudgedCall | undefined
  /** Whether no client can get its end or its result. */
  readonly isOutOfReach: boolean
}

/** Whether the create of a task answered with its end: there is nothing to follow. */
export const isSynchronous = ({ timeline: [first] }: Task): boolean =>
  first !== undefined && !openStates.includes(first.value.state)

/** Facts that several kinds of findings need. */
export const factsOf = ({ entries, tasks, callbacks, now, operations, fileOperations }: JudgedAccount) => {
  const byId = new Map(tasks.map((task) => [task.id, task]))
  const calls = entries.map((entry) => callOf(entry, taskOf(entry, byId)))
  const isDownload = ({ operation = '' }: JudgedCall) => fileOperations.includes(operation)
  // The URL of a result needs no key.
  const isLocked = isLockedOut(calls.findLast((call) => !isDownload(call)))
  const creates = new Map<string | undefined, JudgedCall>()
  for (const call of calls) if (call.operation?.endsWith('.create')) creates.set(call.task, call)
  const judgedTasks = tasks.map((task): JudgedTask => {
    const { state } = viewAt(task, now).phase
    const create = creates.get(task.id)
    const canCancel = operations.includes(`${task.family}.cancel`)
    return { task, state, create, isOutOfReach: isLocked || isWithheld(create?.acted, state, canCancel) }
  })
  return { calls, tasks: judgedTasks, callbacks, operations, isDownload, ...fileFaults(isDownload) }
}

export type VerdictFacts = ReturnType<typeof factsOf>

/** The task that a call is about; of one that a scenario has answered without a decision, that of its path. */
const taskOf = ({ task, path }: JournalEntry, byId: ReadonlyMap<string, Task>): Task | undefined =>
  byId.get(task ?? path.split('/').find((segment) => byId.has(segment)) ?? '')

const callOf = (entry: JournalEntry, task: Task | undefined): JudgedCall => {
  const { account, at, wall = 0, begun, operation, method, path, query } = entry
  const { requestBody, status, played, answered } = entry
  const acted = (played?.step && scenarioResultOf(played).acted) ?? undefined
  const isOver = task !== undefined && hasEnd(entry, momentAt(task.timeline, at).value.state)
  const body = requestBody === undefined ? '' : JSON.stringify(requestBody)
  return {
    entry,
    account,
    at,
    wall,
    begun,
    operation,
    method,
    request: `${method} ${path}${query === '' ? '' : `?${query}`} ${body}`,
    status,
    acted,
    range: entry.headers.range,
    connection: connectionOutcomeOf(entry),
    hasLeft: answered?.hasLeft,
    task: entry.task ?? task?.id,
    retryAfterMs: answered?.headers && retryAfterMsIn(answered.headers, at),
    showsEnd: isOver,
    final: isOver && isUnchanged(acted),
  }
}

type Answer = Pick<JournalEntry, 'operation' | 'status' | 'responseBody'>

/** Whether the answer to a query was made of a task that is over. */
const hasEnd = ({ operation, status, responseBody }: Answer, state: State): boolean =>
  operation?.endsWith('.read') === true &&
  status === 200 &&
  !openStates.includes(state) &&
  !openStates.includes(textAt(responseBody, ['status']) ?? '')

const isUnchanged = (acted: ObservedCall['acted']): boolean => !changes(acted, /^(answer|transport)\./)

/**
 * Whether a client that reads the answer knows that the task is over.
 * @param state of the task, as it was then
 */
export const saysFinal = (answer: Answer, state: State, acted: ObservedCall['acted']): boolean =>
  hasEnd(answer, state) && isUnchanged(acted)

/** Whether a text is the URL of a result of a task. */
const isResultOf = (id: string | undefined, text: string): boolean =>
  text.includes('/results/') && text.includes(`/${id}/`)

/**
 * Whether a client can know what a create made: it has the answer, and no scenario has moved or changed the id of the task or the URL
 * of its result in it.
 */
export const isTold = (create: JudgedCall): boolean =>
  !hasFailed(create) && !isHidden(create, (text) => text === create.task || isResultOf(create.task, text))

/** Whether a scenario has moved or changed the URL of a result, or the word for success, in an answer that tells the end of a task. */
export const hidesResult = (call: JudgedCall, id: string): boolean =>
  isHidden(call, (text) => text === 'succeeded' || isResultOf(id, text))

/** Whether a text of an answer went out elsewhere in its body, as something else, or not at all. */
const isHidden = (
  { entry: { responseBody, answered } }: JudgedCall,
  isMeant: (text: string) => boolean,
): boolean => answered?.changed !== undefined && lacks(answered.changed.body, responseBody, isMeant)

const lacks = (sent: unknown, decided: unknown, isMeant: (text: string) => boolean): boolean => {
  if (typeof decided === 'string') return sent !== decided && isMeant(decided)
  if (Array.isArray(decided))
    return decided.some((item, index) => lacks(Array.isArray(sent) ? sent[index] : undefined, item, isMeant))
  return (
    isRecord(decided) &&
    Object.entries(decided).some(([key, value]) =>
      lacks(isRecord(sent) ? sent[key] : undefined, value, isMeant),
    )
  )
}

/** Whether the answer of a list has a task. */
export const lists = ({ operation, entry: { responseBody } }: JudgedCall, id: string): boolean =>
  operation?.endsWith('.list') === true && itemsIn(responseBody).some((item) => textAt(item, ['id']) === id)

/** Whether the answer of a list says that a task is over. */
export const listsEnd = (call: JudgedCall, id: string): boolean =>
  lists(call, id) &&
  itemsIn(call.entry.responseBody).some(
    (item) => textAt(item, ['id']) === id && !openStates.includes(textAt(item, ['status']) ?? ''),
  )

const itemsIn = (body: unknown): readonly unknown[] => {
  const { items } = (body ?? {}) as { readonly items?: unknown }
  return Array.isArray(items) ? items : []
}

/** How long a scenario delayed the first byte of an answer, at most, in milliseconds of real time. */
export const longestDelayOf = ({ entry: { played } }: JudgedCall): number => {
  const { delay }: NonNullable<StepEffects['transport']> = played?.step?.effects.transport ?? {}
  if (delay === undefined || typeof delay === 'number') return delay ?? 0
  return 'to' in delay ? delay.to : delay.median
}

/** Whether a receiver has accepted a callback. */
export const wasAccepted = ({ state }: CallbackRecord): boolean => state === 'delivered'
