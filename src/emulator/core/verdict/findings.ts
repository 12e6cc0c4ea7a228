import { groupBy } from '../collections/group-by.js'
import { redactedText } from '../journal/redact.js'
import type { CallbackRecord } from '../model/account.js'
import { textAt } from '../request.js'
import { formatDuration } from '../schedule/time.js'
import {
  factsOf,
  isSynchronous,
  type JudgedAccount,
  type JudgedCall,
  type JudgedTask,
  longestDelayOf,
  type VerdictFacts,
  wasAccepted,
} from './facts.js'
import {
  changes,
  hasFailed,
  isCharged,
  isEarly,
  isRefusedCallback,
  MIN_HAMMERING,
  openStates,
  repetitionsIn,
} from './faults.js'
import { type Finding, type FindingKind, findingKinds, findingOf, MATCHER_AGENT } from './kinds.js'

/**
 * Verdict: what the client of an account did that a robust client does not do, the gravest first. Pure: it needs no baseline,
 * and sees only what the journal and the callback log have not evicted.
 */
export const findingsOf = (account: JudgedAccount): Finding[] => {
  const facts = factsOf(account)
  return findingKinds.flatMap((kind) =>
    judges[kind](facts).map(({ message, calls }) => findingOf(kind, message, calls)),
  )
}

type Judge = (facts: VerdictFacts) => readonly Pick<Finding, 'message' | 'calls'>[]

const idsOf = (calls: readonly JudgedCall[]): string[] => calls.map(({ entry }) => entry.id)

const groupsOf = <T>(list: readonly T[], keyOf: (item: T) => string): T[][] => [
  ...groupBy(list, keyOf).values(),
]

/** Whether the answer of a create did not reach its client before the next one, and the client did not find its task otherwise. */
const wasMissed = (create: JudgedCall, next: JudgedCall, calls: readonly JudgedCall[]): boolean => {
  const isLate = next.wall - create.wall < longestDelayOf(create)
  if (!hasFailed(create) && !isLate) return false
  const between = calls.slice(calls.indexOf(create) + 1, calls.indexOf(next))
  return !between.some(({ task }) => task === create.task)
}

const orderedTwice: Judge = ({ tasks, calls }) => {
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
    const message = `The same order was placed again after its answer was lost or late: ${ids} of ${task.model}. What was ordered again costs ${price}.`
    return [{ message, calls: idsOf(orders.flatMap(({ create }) => create ?? [])) }]
  })
}

const didNotWait: Judge = ({ calls }) =>
  repetitionsIn(calls)
    .filter(([call, next]) => isEarly(call, next))
    .map(([call, next]) => {
      const asked = formatDuration(call.retryAfterMs ?? 0)
      const [onClock, inReality] = [next.at - call.at, next.wall - call.wall].map((ms) => formatDuration(ms))
      const message = `${nameOf(call)} was sent again after ${onClock} on the clock of the account and ${inReality} of real time; Retry-After was ${asked}. A pause that a test replaced counts as none unless it moves the clock, as emulator.pause does.`
      return { message, calls: idsOf([call, next]) }
    })

/** The name of a call's operation, or its method and path. */
const nameOf = ({ operation, method, entry }: JudgedCall): string =>
  operation ?? `${method} ${redactedText(entry.path, entry.account)}`

// One query more is what a client does that checks a callback, or that shows a page anew.
const TOLERATED_POLLS = 1

const polledOn: Judge = ({ calls, idlePolls }) =>
  groupsOf(idlePolls(calls), ({ task = '' }) => task)
    .filter(({ length }) => length > TOLERATED_POLLS)
    .map((polls) => ({
      message: `${polls[0]?.task} was queried ${polls.length} times after an answer had said that it was over.`,
      calls: idsOf(polls),
    }))

/** The pause below which calls are hammering, in milliseconds, by the clock of the account and in real time. */
const SHORTEST_PAUSE_MS = 100

const hammered: Judge = ({ calls }) =>
  groupsOf(calls, ({ request }) => request).flatMap((repeated) => {
    let run: JudgedCall[] = []
    let longest = run
    for (const call of repeated) {
      const last = run.at(-1)
      const isClose =
        last !== undefined &&
        call.at - last.at < SHORTEST_PAUSE_MS &&
        call.wall - last.wall < SHORTEST_PAUSE_MS
      run = isClose ? [...run, call] : [call]
      if (run.length > longest.length) longest = run
    }
    const [first] = longest
    if (first === undefined || longest.length < MIN_HAMMERING) return []
    const about = first.task === undefined ? '' : ` of ${first.task}`
    const message = `${nameOf(first)}${about} was sent ${longest.length} times in a row with less than ${SHORTEST_PAUSE_MS} ms between two, on the clock of the account and in real time. A pause that a test replaced counts as none unless it moves the clock, as emulator.pause does.`
    return [{ message, calls: idsOf(longest) }]
  })

const fetchedTwice: Judge = ({ calls, isWhole }) => {
  const whole = calls.filter(
    (call) => isWhole(call) && call.status === 200 && call.entry.headers['user-agent'] !== MATCHER_AGENT,
  )
  return groupsOf(whole, ({ request }) => request)
    .filter(({ length }) => length > 1)
    .map((fetched) => ({
      message: `A result of ${fetched[0]?.task} was downloaded whole ${fetched.length} times.`,
      calls: idsOf(fetched),
    }))
}

const keptDamagedFile: Judge = ({ calls, keptDamaged }) =>
  keptDamaged(calls).map((call) => ({
    message: `The file of ${call.task} that was downloaded last was damaged${damageOf(call)}, and it was not fetched again.`,
    calls: idsOf([call]),
  }))

const keptOtherFile: Judge = ({ calls, keptOther }) =>
  keptOther(calls).map((call) => ({
    message: `The file of ${call.task} that was downloaded last is not what was ordered${damageOf(call)}, and it was not fetched again.`,
    calls: idsOf([call]),
  }))

const damageOf = ({ connection, acted }: JudgedCall): string => {
  if (connection === 'cut-off') return ' (the connection ended within it)'
  const effects = acted?.effects.filter((name) => name.startsWith('result.')) ?? []
  return ` (by the scenario: ${effects.join(', ')})`
}

/** Whether a client can know how a task ended: by a query, a list, a callback, its cancellation or a download. */
const knowsEnd = ({ task, create }: JudgedTask, { calls, callbacks, isFetched }: VerdictFacts): boolean =>
  (isSynchronous(task) && create !== undefined && !hasFailed(create)) ||
  calls.some(
    (call) =>
      (call.task === task.id && (call.final || isFetched(call) || isCancellation(call))) ||
      (call.operation === `${task.family}.list` && !hasFailed(call) && listsEnd(call, task.id)),
  ) ||
  callbacks.some(
    (callback) =>
      callback.taskId === task.id &&
      wasAccepted(callback) &&
      !openStates.includes(callback.status ?? 'queued'),
  )

const isCancellation = ({ operation, status }: JudgedCall): boolean =>
  operation?.endsWith('.cancel') === true && status < 300

const listsEnd = ({ entry: { responseBody } }: JudgedCall, id: string): boolean => {
  const { items } = (responseBody ?? {}) as { readonly items?: unknown }
  return (
    Array.isArray(items) &&
    items.some((item) => textAt(item, ['id']) === id && !openStates.includes(textAt(item, ['status']) ?? ''))
  )
}

const abandonedTask: Judge = (facts) =>
  facts.tasks.flatMap((judged) => {
    const { task, state, create, isOutOfReach } = judged
    if (create === undefined || isOutOfReach || knowsEnd(judged, facts)) return []
    // Without a list there is no way to learn of a task whose create had no answer.
    const isUnknown = hasFailed(create) && !facts.operations.includes(`${task.family}.list`)
    if (isUnknown) return []
    const stands = openStates.includes(state) ? `is ${state} at the end` : `is ${state}`
    const message = `${task.id} of ${task.model} ${stands}, and its client has never seen that it is over.`
    return [{ message, calls: idsOf([create]) }]
  })

const neverFetched: Judge = (facts) => {
  const { tasks, calls, isFetched } = facts
  const fetched = new Set(calls.filter(isFetched).map(({ task }) => task))
  return tasks.flatMap((judged) => {
    const { task, state, create, isOutOfReach } = judged
    if (create === undefined || state !== 'succeeded' || isOutOfReach || fetched.has(task.id)) return []
    if (!knowsEnd(judged, facts) || !hasFile(judged) || isUsed(task.id, facts)) return []
    const message = `${task.id} of ${task.model} has succeeded, and its result was never downloaded.`
    return [{ message, calls: idsOf([create]) }]
  })
}

/** Whether the result of a task is a file to fetch: a synchronous answer may have held it as Base64. */
const hasFile = ({ task, create }: JudgedTask): boolean =>
  !isSynchronous(task) || JSON.stringify(create?.entry.responseBody ?? '').includes('/results/')

/** Whether a result was handed to a later call, as an input or in a deletion of the task. */
const isUsed = (id: string, { calls }: VerdictFacts): boolean =>
  calls.some(({ request }) => request.includes('/results/') && request.includes(`/${id}/`))

const callbackNotAnswered: Judge = ({ callbacks }) =>
  groupsOf(callbacks.filter(isUnanswered), ({ taskId }) => taskId).map((unanswered) => {
    const [{ taskId, attempts }] = unanswered as [CallbackRecord]
    const last = attempts.at(-1)
    const why = last?.error ?? `The receiver answered ${last?.status}.`
    const about = unanswered.map(({ status, kind }) => status ?? kind).join(', ')
    const message = `Callbacks of ${taskId} were not accepted: ${about}. ${why}`
    return { message, calls: unanswered.map(({ id }) => id) }
  })

const isUnanswered = ({ attempts, state, scenario }: CallbackRecord): boolean => {
  const last = attempts.at(-1)
  const isAnswered = last?.status !== undefined && last.status >= 200 && last.status < 300
  const isRefused =
    last !== undefined && last.outcome !== 'refused-address' && !(isAnswered && state !== 'failed')
  return isRefusedCallback({ isRefused, acted: scenario?.acted ?? undefined })
}

const finalWords = ['succeeded', 'completed', 'failed', 'cancelled', 'expired']

const believedCallback: Judge = ({ callbacks, calls }) =>
  callbacks.flatMap((callback) => {
    const { id, taskId, status, body, attempts, scenario } = callback
    const said = textAt(body, ['status']) ?? textAt(body, ['task', 'status']) ?? ''
    const isFalse = changes(scenario?.acted ?? undefined, /^callback\.status$/) && finalWords.includes(said)
    const at = attempts.at(-1)?.at
    if (!isFalse || !wasAccepted(callback) || at === undefined) return []
    const isChecked = calls.some(
      (call) =>
        call.at >= at &&
        (call.operation?.endsWith('.list') ||
          (call.task === taskId && call.operation?.endsWith('.read') && !hasFailed(call))),
    )
    if (isChecked) return []
    const message = `A callback said that ${taskId} is ${said} while a query would have answered ${status}, and no query followed.`
    return [{ message, calls: [id] }]
  })

const ignoredFields: Judge = ({ calls }) =>
  groupsOf(
    calls.filter(({ entry }) => entry.ignored.length > 0),
    (call) => `${call.operation} ${call.entry.ignored.join()}`,
  ).map((sent) => {
    const [first] = sent as [JudgedCall]
    const { ignored, account } = first.entry
    const fields = ignored.map((field) => redactedText(field, account)).join(', ')
    const message = `${nameOf(first)} does not know ${ignored.length === 1 ? 'the field' : 'the fields'} ${fields}, and ignored what was sent there.`
    return { message, calls: idsOf(sent) }
  })

const judges: Readonly<Record<FindingKind, Judge>> = {
  'ordered-twice': orderedTwice,
  'kept-damaged-file': keptDamagedFile,
  'kept-other-file': keptOtherFile,
  'believed-callback': believedCallback,
  'abandoned-task': abandonedTask,
  'never-fetched': neverFetched,
  'callback-not-answered': callbackNotAnswered,
  'did-not-wait': didNotWait,
  hammered,
  'polled-on': polledOn,
  'fetched-twice': fetchedTwice,
  'ignored-fields': ignoredFields,
}
