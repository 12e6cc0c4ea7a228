import { connectionOutcomeOf, type JournalEntry } from '../journal/entry.js'
import type { CallbackRecord } from '../model/account.js'
import { type State, type Task, viewAt } from '../model/task.js'
import { textAt } from '../request.js'
import { retryAfterMsIn } from '../retry-after.js'
import type { StepEffects } from '../scenario/effects/index.js'
import { scenarioResultOf } from '../scenario/explain.js'
import { type Instant, momentAt } from '../schedule/time.js'
import { changes, fileFaults, isWithheld, type ObservedCall, openStates } from './faults.js'

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
export const isSynchronous = ({ timeline, createdAt }: Task): boolean =>
  !openStates.includes(momentAt(timeline, createdAt).value.state)

/** Facts that several kinds of findings need. */
export const factsOf = ({ entries, tasks, callbacks, now, operations, fileOperations }: JudgedAccount) => {
  const byId = new Map(tasks.map((task) => [task.id, task]))
  const calls = entries.map((entry) => callOf(entry, byId.get(entry.task ?? '')))
  const creates = new Map<string | undefined, JudgedCall>()
  for (const call of calls) if (call.operation?.endsWith('.create')) creates.set(call.task, call)
  const judgedTasks = tasks.map((task): JudgedTask => {
    const { state } = viewAt(task, now).phase
    const create = creates.get(task.id)
    const canCancel = operations.includes(`${task.family}.cancel`)
    return { task, state, create, isOutOfReach: isWithheld(create?.acted, state, canCancel) }
  })
  const faults = fileFaults<JudgedCall>(({ operation = '' }) => fileOperations.includes(operation))
  return { calls, tasks: judgedTasks, callbacks, operations, ...faults }
}

export type VerdictFacts = ReturnType<typeof factsOf>

const callOf = (entry: JournalEntry, task: Task | undefined): JudgedCall => {
  const { account, at, wall = 0, operation, method, path, requestBody, status, played, answered } = entry
  const acted = (played?.step && scenarioResultOf(played).acted) ?? undefined
  const body = requestBody === undefined ? '' : JSON.stringify(requestBody)
  return {
    entry,
    account,
    at,
    wall,
    operation,
    method,
    request: `${method} ${path} ${body}`,
    status,
    acted,
    connection: connectionOutcomeOf(entry),
    task: entry.task,
    retryAfterMs: answered?.headers && retryAfterMsIn(answered.headers, at),
    final: task !== undefined && saysFinal(entry, momentAt(task.timeline, at).value.state, acted),
  }
}

/**
 * Whether a client that reads the answer knows that the task is over.
 * @param state of the task, as it was then
 */
export const saysFinal = (
  { operation, status, responseBody }: Pick<JournalEntry, 'operation' | 'status' | 'responseBody'>,
  state: State,
  acted: ObservedCall['acted'],
): boolean =>
  operation?.endsWith('.read') === true &&
  status === 200 &&
  !openStates.includes(state) &&
  !openStates.includes(textAt(responseBody, ['status']) ?? '') &&
  !changes(acted, /^(answer|transport)\./)

/** How long a scenario delayed the first byte of an answer, at most, in milliseconds of real time. */
export const longestDelayOf = ({ entry: { played } }: JudgedCall): number => {
  const { delay }: NonNullable<StepEffects['transport']> = played?.step?.effects.transport ?? {}
  if (delay === undefined || typeof delay === 'number') return delay ?? 0
  return 'to' in delay ? delay.to : delay.median
}

/** Whether a receiver has accepted a callback. */
export const wasAccepted = ({ state }: CallbackRecord): boolean => state === 'delivered'
