import { IDEMPOTENCY_KEY } from '../journal/entry.js'
import {
  hidesResult,
  isSynchronous,
  isTold,
  type JudgedCall,
  type JudgedTask,
  lists,
  listsEnd,
  longestDelayOf,
  type VerdictFacts,
  wasAccepted,
} from './facts.js'
import { hasFailed, isAfter, isCharged, openStates } from './faults.js'
import { groupsOf, idsOf, isRead, type Judge } from './judge.js'

/** Whether the answer of a create did not reach its client before the next one, and the client did not find its task otherwise. */
const wasMissed = (create: JudgedCall, next: JudgedCall, calls: readonly JudgedCall[]): boolean => {
  const isLate = next.wall - create.wall < longestDelayOf(create)
  if (!isAfter(next, create) || (isTold(create) && !isLate)) return false
  const between = calls.slice(calls.indexOf(create) + 1, calls.indexOf(next))
  const finds = (call: JudgedCall) => !hasFailed(call) && lists(call, create.task ?? '')
  return !between.some((call) => call.task === create.task || finds(call))
}

export const orderedTwice: Judge = ({ tasks, calls }) => {
  const charged = tasks.filter(({ create, state }) => create !== undefined && isCharged(state))
  return groupsOf(charged, ({ create }) => create?.request ?? '').flatMap((orders) => {
    const again = orders.filter(({ create }, index) => {
      const previous = orders[index - 1]?.create
      return previous !== undefined && create !== undefined && wasMissed(previous, create, calls)
    })
    const [{ task } = {}] = again
    if (task === undefined) return []
    const price = Math.round(again.reduce((sum, { task }) => sum + task.price, 0) * 1e6) / 1e6
    const ids = orders.map(({ task }) => task.id).join(' and ')
    const keys = orders.flatMap(({ create }) => create?.entry.headers[IDEMPOTENCY_KEY] ?? [])
    const sameKey =
      new Set(keys).size < keys.length
        ? ' The service does not know Idempotency-Key, which was the same.'
        : ''
    const message = `The same order was placed again after its answer was lost or late: ${ids} of ${task.model}. What was ordered again costs ${price}.${sameKey}`
    return [{ message, calls: idsOf(orders.flatMap(({ create }) => create ?? [])) }]
  })
}

/** Whether a client can know how a task ended: by a query, a list, a callback, its cancellation or a download. */
const knowsEnd = ({ task, create }: JudgedTask, { calls, callbacks, isFetched }: VerdictFacts): boolean =>
  (isSynchronous(task) && create !== undefined && isTold(create)) ||
  calls.some((call) => call.task === task.id && (isFetched(call) || isCancellation(call))) ||
  answersOfEnd(task.id, calls).length > 0 ||
  hearsEnd(task.id, callbacks)

/** Answers of queries and lists that say that a task is over. */
const answersOfEnd = (id: string, calls: readonly JudgedCall[]): readonly JudgedCall[] =>
  calls.filter((call) => !hasFailed(call) && ((call.task === id && call.showsEnd) || listsEnd(call, id)))

/** Whether a receiver has accepted a callback that says that a task is over. */
const hearsEnd = (id: string, callbacks: VerdictFacts['callbacks']): boolean =>
  callbacks.some(
    (callback) =>
      callback.taskId === id && wasAccepted(callback) && !openStates.includes(callback.status ?? 'queued'),
  )

const isCancellation = ({ operation, status }: JudgedCall): boolean =>
  operation?.endsWith('.cancel') === true && status < 300

export const abandonedTask: Judge = (facts) =>
  facts.tasks.flatMap((judged) => {
    const { task, state, create, isOutOfReach } = judged
    if (create === undefined || isOutOfReach || knowsEnd(judged, facts)) return []
    if (hasTried(facts.calls.filter((call) => call.task === task.id && isRead(call)))) return []
    // Without a list there is no way to learn of a task whose create had no answer, or one without its id, or a late one for which
    // its client may not have waited.
    const hasAnswer = isTold(create) && longestDelayOf(create) === 0
    const isUnknown = !hasAnswer && !facts.operations.includes(`${task.family}.list`)
    if (isUnknown) return []
    const stands = openStates.includes(state) ? `is ${state} at the end` : `is ${state}`
    const message = `${task.id} of ${task.model} ${stands}, and its client has never seen that it is over.`
    return [{ message, calls: idsOf([create]) }]
  })

/** How often a client tries in vain before it may give up. */
const MIN_TRIES = 3

/** Whether the latest calls of a client have failed so often that it may give up: it has an error to report. */
const hasTried = (tries: readonly JudgedCall[]): boolean =>
  tries.length >= MIN_TRIES && tries.slice(-MIN_TRIES).every(hasFailed)

export const neverFetched: Judge = (facts) => {
  const { tasks, calls, isFetched, isDownload } = facts
  const fetched = new Set(calls.filter(isFetched).map(({ task }) => task))
  return tasks.flatMap((judged) => {
    const { task, state, create, isOutOfReach } = judged
    if (create === undefined || state !== 'succeeded' || isOutOfReach || fetched.has(task.id)) return []
    if (!knowsEnd(judged, facts) || !hasFile(judged) || isUsed(task.id, facts)) return []
    const tries = calls.filter((call) => call.task === task.id && isDownload(call))
    if (hasTried(tries) || isKeptFrom(task.id, facts)) return []
    const tried = tries.length === 0 ? '' : `; tries that failed: ${tries.length}`
    const message = `${task.id} of ${task.model} has succeeded, and its result was never downloaded${tried}.`
    return [{ message, calls: idsOf([create]) }]
  })
}

/** Whether a scenario has kept the URL of a result from a client: it stood in no answer at its place. */
const isKeptFrom = (id: string, { calls, callbacks }: VerdictFacts): boolean => {
  const answers = answersOfEnd(id, calls)
  return answers.length > 0 && !hearsEnd(id, callbacks) && answers.every((call) => hidesResult(call, id))
}

/** Whether the result of a task is a file to fetch: a synchronous answer may have held it as Base64. */
const hasFile = ({ task, create }: JudgedTask): boolean =>
  !isSynchronous(task) || JSON.stringify(create?.entry.responseBody ?? '').includes('/results/')

/** Whether a result was handed to a later call, as an input or in a deletion of the task. */
const isUsed = (id: string, { calls, isDownload }: VerdictFacts): boolean =>
  calls.some(
    (call) => !isDownload(call) && call.request.includes('/results/') && call.request.includes(`/${id}/`),
  )
