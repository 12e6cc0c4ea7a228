import { redactedText } from '../journal/redact.js'
import type { CallbackRecord } from '../model/account.js'
import { formatDuration } from '../schedule/time.js'
import type { JudgedCall } from './facts.js'
import { hasFailed, isEarly, MIN_HAMMERING, repetitionsIn } from './faults.js'
import { groupsOf, idsOf, type Judge } from './judge.js'

export const didNotWait: Judge = ({ calls }) =>
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

// One query more is what a client does that shows a page anew.
const TOLERATED_POLLS = 1

export const polledOn: Judge = ({ calls, callbacks, idlePolls }) =>
  groupsOf(idlePolls(calls), ({ task = '' }) => task)
    .filter((polls) => polls.length > TOLERATED_POLLS + messagesOf(polls[0]?.task, callbacks))
    .map((polls) => ({
      message: `${polls[0]?.task} was queried ${polls.length} times after an answer had said that it was over.`,
      calls: idsOf(polls),
    }))

/** Number of messages about a task that a receiver got: a careful client checks each of them by a query. */
const messagesOf = (task: string | undefined, callbacks: readonly CallbackRecord[]): number =>
  callbacks
    .filter(({ taskId, kind }) => taskId === task && kind === 'delivery')
    .reduce((sum, { attempts }) => sum + attempts.length, 0)

/** The pause below which calls are hammering, in milliseconds, by the clock of the account and in real time. */
const SHORTEST_PAUSE_MS = 100

/** Whether a call can be one of a loop: one that has made something can not, nor one for a part of a file. */
const mayHammer = (call: JudgedCall): boolean =>
  hasFailed(call) || (call.method === 'GET' && call.status !== 206)

export const hammered: Judge = ({ calls }) =>
  groupsOf(calls.filter(mayHammer), ({ request }) => request).flatMap((same) => {
    const longest = longestRunIn(same)
    const [first] = longest
    if (first === undefined || longest.length < MIN_HAMMERING) return []
    const about = first.task === undefined ? '' : ` of ${first.task}`
    const message = `${nameOf(first)}${about} was sent ${longest.length} times in a row with less than ${SHORTEST_PAUSE_MS} ms between two, on the clock of the account and in real time. A pause that a test replaced counts as none unless it moves the clock, as emulator.pause does.`
    return [{ message, calls: idsOf(longest) }]
  })

/** The longest run of calls with no pause between two. */
const longestRunIn = (same: readonly JudgedCall[]): readonly JudgedCall[] => {
  let run: JudgedCall[] = []
  let longest = run
  for (const call of same) {
    const last = run.at(-1)
    const isClose =
      last !== undefined && call.at - last.at < SHORTEST_PAUSE_MS && call.wall - last.wall < SHORTEST_PAUSE_MS
    if (isClose) run.push(call)
    else run = [call]
    if (run.length > longest.length) longest = run
  }
  return longest
}

export const ignoredFields: Judge = ({ calls }) =>
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
