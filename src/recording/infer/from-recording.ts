import type { CallbackLine, CallLine, Line, Recording, TaskLine } from '../format.js'
import { failedJobsIn } from './failures.js'
import type { FailedTask, LostCallback, ObservedCall, ObservedSession } from './observed.js'

/** The accounts of a recording, those in which most went wrong first, with how much that was. */
export const accountsIn = ({ lines }: Recording): { readonly tag: string; readonly wrongs: number }[] => {
  const counts = new Map<string, number>()
  for (const { line } of lines) {
    const tag = 'account' in line ? line.account : ''
    counts.set(tag, (counts.get(tag) ?? 0) + (isWrong(line) ? 1 : 0))
  }
  return [...counts].map(([tag, wrongs]) => ({ tag, wrongs })).sort((a, b) => b.wrongs - a.wrongs)
}

const isWrong = (line: Line): boolean =>
  line.kind === 'task' ||
  (line.kind === 'callback' && isLost(line)) ||
  (line.kind === 'call' && (line.answer.status === undefined || line.answer.status >= 400))

/** What an account of a recording went through. */
export const witnessedIn = ({ lines }: Recording, tag: string): ObservedSession => {
  const own = lines.flatMap(({ line }) => ('account' in line && line.account === tag ? [line] : []))
  const byTask = new Map<string, ObservedCall>()
  const calls = own.flatMap((line) => {
    if (line.kind !== 'call') return []
    const seen = seenIn(line)
    if (line.task !== undefined && line.operation?.endsWith('.create')) byTask.set(line.task, seen)
    return [seen]
  })
  return {
    calls,
    failedTasks: own.flatMap((line) => (line.kind === 'task' ? badEnd(line, byTask.get(line.id)) : [])),
    lost: lostIn(
      own.filter((line) => line.kind === 'callback'),
      byTask,
    ),
    failedJobs: failedJobsIn(calls),
  }
}

const seenIn = ({ at, operation, request, answer }: CallLine): ObservedCall => {
  const { method, path, query, json, media, form } = request
  const { status, headers = {}, broken } = answer
  return {
    at: Date.parse(at),
    ...{ method, path, json },
    ...(operation === undefined ? {} : { operation }),
    ...(query === undefined ? {} : { query }),
    ...(media === undefined ? {} : { media }),
    ...(form === undefined ? {} : { form: form.fields }),
    answer: {
      ...(status === undefined ? {} : { status }),
      headers: Object.fromEntries(
        Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]),
      ),
      json: answer.json,
      ...(answer.text === undefined ? {} : { text: answer.text }),
      ...(broken === undefined ? {} : { broken }),
    },
  }
}

const badEnd = ({ at, createdAt, state, error }: TaskLine, create: ObservedCall | undefined): FailedTask[] =>
  create === undefined
    ? []
    : [
        {
          create,
          state,
          ...(error === undefined ? {} : { error }),
          afterMs: Date.parse(at) - Date.parse(createdAt),
        },
      ]

const lostIn = (
  callbacks: readonly CallbackLine[],
  byTask: ReadonlyMap<string, ObservedCall>,
): LostCallback[] => {
  const counts = new Map<string, number>()
  const unchallenged = new Set(
    callbacks.flatMap((one) => (one.message === 'challenge' && isLost(one) ? [one.task] : [])),
  )
  return inOrder(callbacks).flatMap((callback) => {
    const { task, message, status } = callback
    const operation = byTask.get(task)?.operation
    if (operation === undefined) return []
    const name = `${operation} ${message} ${status}`
    const nth = (counts.get(name) ?? 0) + 1
    counts.set(name, nth)
    // Where the handshake failed nothing else is sent, and that follows by itself.
    if (!isLost(callback) || (message === 'delivery' && unchallenged.has(task))) return []
    return [{ operation, message, nth, at: sentAt(callback), ...(status === undefined ? {} : { status }) }]
  })
}

const isLost = ({ state }: CallbackLine): boolean => state === 'failed' || state === 'skipped'

const sentAt = ({ attempts }: CallbackLine): number =>
  Date.parse(attempts[0]?.at ?? '') || Number.MAX_SAFE_INTEGER

// As they were sent first; the last line of one that was sent again says what became of it.
const inOrder = (callbacks: readonly CallbackLine[]): CallbackLine[] =>
  [...new Map(callbacks.map((callback) => [callback.id, callback])).values()].sort(
    (a, b) => sentAt(a) - sentAt(b),
  )
