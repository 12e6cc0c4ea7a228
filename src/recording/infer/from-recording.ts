import type { CallbackLine, CallLine, Line, Recording, TaskLine } from '../format.js'
import {
  type FailedTask,
  failedJobsIn,
  type LostCallback,
  type ObservedCall,
  type ObservedSession,
  operationOf,
} from './observed.js'

/** Accounts of a recording with their numbers of failures, the largest first. */
export const accountsIn = ({ lines }: Recording): { readonly id: string; readonly failures: number }[] => {
  const counts = new Map<string, number>()
  for (const { line } of lines) {
    const id = 'account' in line ? line.account : ''
    counts.set(id, (counts.get(id) ?? 0) + (isFailure(line) ? 1 : 0))
  }
  return [...counts].map(([id, failures]) => ({ id, failures })).sort((a, b) => b.failures - a.failures)
}

const isFailure = (line: Line): boolean =>
  line.kind === 'task' ||
  (line.kind === 'callback' && isLost(line)) ||
  (line.kind === 'call' && (line.answer.status === undefined || line.answer.status >= 400))

/** Session of one account of a recording. */
export const sessionInRecording = ({ lines }: Recording, id: string): ObservedSession => {
  const own = lines.flatMap(({ line }) => ('account' in line && line.account === id ? [line] : []))
  const byTask = new Map<string, ObservedCall>()
  const calls = own.flatMap((line) => {
    if (line.kind !== 'call') return []
    const call = observedCall(line)
    if (line.task !== undefined && operationOf(line)?.makes === 'task') byTask.set(line.task, call)
    return [call]
  })
  return {
    calls,
    failedTasks: own.flatMap((line) => (line.kind === 'task' ? failedTask(line, byTask.get(line.id)) : [])),
    lost: lostIn(own, byTask),
    failedJobs: failedJobsIn(calls),
  }
}

const observedCall = ({ at, operation, request, answer }: CallLine): ObservedCall => {
  const { form, headers: _, ...sent } = request
  const headers = Object.entries(answer.headers ?? {}).map(([name, value]) => [name.toLowerCase(), value])
  return {
    ...sent,
    at: Date.parse(at),
    operation,
    form: form?.fields,
    answer: { ...answer, headers: Object.fromEntries(headers) },
  }
}

const failedTask = (
  { at, createdAt, state, error }: TaskLine,
  create: ObservedCall | undefined,
): FailedTask[] => {
  if (create === undefined) return []
  return [{ create, state, error, afterMs: Date.parse(at) - Date.parse(createdAt) }]
}

const lostIn = (lines: readonly Line[], byTask: ReadonlyMap<string, ObservedCall>): LostCallback[] => {
  const callbacks = lines.filter((line) => line.kind === 'callback')
  const counts = new Map<string, number>()
  const unchallenged = new Set(
    callbacks.filter((one) => one.message === 'challenge' && isLost(one)).map(({ task }) => task),
  )
  return byFirstAttempt(callbacks).flatMap((callback) => {
    const { task, message, status } = callback
    const operation = byTask.get(task)?.operation
    if (operation === undefined) return []
    const name = `${operation} ${message} ${status}`
    const nth = (counts.get(name) ?? 0) + 1
    counts.set(name, nth)
    // After a failed handshake nothing else is sent: the lost challenge alone repeats that.
    if (!isLost(callback) || (message === 'delivery' && unchallenged.has(task))) return []
    return [{ operation, message, status, nth, at: sentAt(callback) }]
  })
}

const isLost = ({ state }: CallbackLine): boolean => state === 'failed' || state === 'skipped'

const sentAt = ({ attempts }: CallbackLine): number =>
  Date.parse(attempts[0]?.at ?? '') || Number.MAX_SAFE_INTEGER

// In the order of their first attempts. The last line of a callback that was sent again has its final state.
const byFirstAttempt = (callbacks: readonly CallbackLine[]): CallbackLine[] =>
  [...new Map(callbacks.map((callback) => [callback.id, callback])).values()].sort(
    (a, b) => sentAt(a) - sentAt(b),
  )
