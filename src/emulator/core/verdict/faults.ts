import type { ConnectionOutcome } from '../journal/entry.js'
import { isBeforeRetry } from '../retry-after.js'
import { breaks } from '../scenario/effects/index.js'
import type { Instant } from '../schedule/time.js'

/** Observed call: what the verdict and the ledger of a sweep look at. */
export interface ObservedCall {
  readonly account: string
  /** On the clock of the account. */
  readonly at: Instant
  /** When it was answered, in milliseconds of real time. */
  readonly wall: number
  /** When it had arrived, in milliseconds of real time; default: when the answer of the call before it was known. */
  readonly begun?: number | undefined
  readonly operation?: string | undefined
  readonly method: string
  /** Method, path, query and body, or a hash of them: the same where a call is repeated. */
  readonly request: string
  readonly status: number
  /** The header `Range`: a call for another part of a file is another call. Undefined where it has none. */
  readonly range?: string | undefined
  readonly connection?: ConnectionOutcome | undefined
  /** Whether its client left before the end of a file. */
  readonly hasLeft?: boolean | undefined
  /** The task that it made, read or fetched from. */
  readonly task?: string | undefined
  readonly retryAfterMs?: number | undefined
  /** Whether its answer says that the task is over. */
  readonly final?: boolean | undefined
  /** The step of a scenario that acted. */
  readonly acted?: { readonly effects: readonly string[] } | undefined
}

/** Whether a step that acted has an effect whose name matches. */
export const changes = (acted: ObservedCall['acted'], effect: RegExp): boolean =>
  acted?.effects.some((name) => effect.test(name)) === true

/** Whether a call was answered with an error, or with nothing that a client can read. */
export const hasFailed = ({ status, connection, acted }: ObservedCall): boolean =>
  // An answer that lacks a field, or has another header, is one that a client can read.
  status >= 400 || connection !== undefined || breaks(acted?.effects ?? [], 'answer')

/** Whether a call was sent after another one was answered: one that was under way meanwhile is no consequence of the answer. */
export const isAfter = (
  { begun = Number.POSITIVE_INFINITY }: ObservedCall,
  { wall }: ObservedCall,
): boolean => begun >= wall

/**
 * Repetitions: pairs of a call and a later one with the same request on the same account, in the order of the second. Where several
 * clients send the same at the same time, each call is repeated at most once, the first of them first.
 */
export const repetitionsIn = <T extends ObservedCall>(calls: readonly T[]): (readonly [T, T])[] => {
  const unrepeated = new Map<string, T[]>()
  return calls.flatMap((call) => {
    const id = `${call.account} ${call.request} ${call.range ?? ''}`
    const earlier = unrepeated.get(id) ?? []
    unrepeated.set(id, earlier)
    const [previous] = earlier
    const isRepetition = previous !== undefined && isAfter(call, previous)
    if (isRepetition) earlier.shift()
    earlier.push(call)
    return isRepetition ? [[previous, call] as const] : []
  })
}

/** Whether a call was repeated before the time that `Retry-After` of its answer asks for. */
export const isEarly = (call: ObservedCall, next: ObservedCall): boolean =>
  isBeforeRetry(call.retryAfterMs ?? 0, call, next)

/** Whether a file is valid, and not the one that was ordered. */
const isOther = ({ acted }: ObservedCall): boolean => breaks(acted?.effects ?? [], 'order')

const isDamaged = ({ connection, acted }: ObservedCall): boolean =>
  connection === 'cut-off' || breaks(acted?.effects ?? [], 'file')

/** Whether two calls ask for the same bytes of a file: where a download was cut off, its client may go on within it. */
const overlap = (one: string | undefined, other: string | undefined): boolean => {
  const [first, second] = [bytesIn(one), bytesIn(other)]
  return first.from <= second.to && second.from <= first.to
}

/** First and last byte that a `Range` of one part asks for, with both its ends or the first; every other one is the whole file. */
const bytesIn = (range = ''): { readonly from: number; readonly to: number } => {
  const [, from = '0', to = ''] = /^bytes=(\d+)-(\d*)$/i.exec(range.replaceAll(' ', '')) ?? []
  return { from: Number(from), to: to === '' ? Number.POSITIVE_INFINITY : Number(to) }
}

/**
 * Faults about files, and about tasks whose files they are.
 * @param isDownload whether a call asks for the file of a result
 */
export const fileFaults = <T extends ObservedCall>(isDownload: (call: T) => boolean) => {
  /** Whether a call brought a client a result, whole or not. */
  const isFetched = (call: T): boolean => {
    const { status, method, connection } = call
    const hasArrived = connection === undefined || connection === 'cut-off'
    return isDownload(call) && status >= 200 && status < 300 && method !== 'HEAD' && hasArrived
  }

  /** Whether a call brought a client the file that it ordered, or a part of it, without damage. */
  const isWhole = (call: T): boolean =>
    isFetched(call) && !isDamaged(call) && !isOther(call) && call.hasLeft !== true

  /** The last download of each file, or of each part of it, where it is a bad one. */
  const lastOnes = (calls: readonly T[], isBad: (call: T) => boolean): T[] => {
    const bad = new Map<string, T[]>()
    for (const call of calls.filter(isFetched)) {
      const file = `${call.account} ${call.task} ${call.request}`
      const others = (bad.get(file) ?? []).filter((earlier) => !overlap(earlier.range, call.range))
      bad.set(file, isBad(call) ? [...others, call] : others)
    }
    return [...bad.values()].flat()
  }

  return {
    isFetched,
    isWhole,
    /** Downloads of damaged files that were never downloaded whole afterwards. */
    keptDamaged: (calls: readonly T[]): T[] => lastOnes(calls, isDamaged),
    /** Downloads of valid files that are not what was ordered, where the right one was never downloaded afterwards. */
    keptOther: (calls: readonly T[]): T[] => lastOnes(calls, (call) => isOther(call) && !isDamaged(call)),
    /** Queries of a task after an answer that said that it is over. After a failed download or query another query is of use. */
    idlePolls: (calls: readonly T[]): T[] => {
      const over = new Set<string>()
      const failed = new Set<string>()
      return calls.filter((call) => {
        const { task, operation = '', final } = call
        if (task === undefined) return false
        const isPoll = operation.endsWith('.read') && over.has(task) && !failed.delete(task)
        if (hasFailed(call)) failed.add(task)
        if (final) over.add(task)
        else if (isDownload(call) && !isWhole(call)) over.delete(task)
        return isPoll
      })
    },
  }
}

/** Whether a callback was refused by its receiver, or got no answer, and no scenario had made it a bad one. */
export const isRefusedCallback = ({
  isRefused,
  acted,
}: {
  readonly isRefused: boolean
  readonly acted?: ObservedCall['acted']
}): boolean => isRefused && !breaks(acted?.effects ?? [], 'message')

/** Number of calls from which on a loop counts as hammering. */
export const MIN_HAMMERING = 50

/** States of tasks that have not ended. */
export const openStates: readonly string[] = ['pending', 'queued', 'running']

/** Whether a scenario keeps the end of a task, or its result, from every client. */
export const isWithheld = (acted: ObservedCall['acted'], state: string, canCancel: boolean): boolean =>
  changes(acted, /^task\.(vanishes|withoutUrl)$/) ||
  (state === 'running' && changes(acted, /^task\.runningFor$/)) ||
  (state === 'queued' && changes(acted, /^task\.queuedFor$/) && !canCancel)

/** Whether a scenario has refused the key of an account, by the latest call that needs a key. */
export const isLockedOut = (latest: ObservedCall | undefined): boolean =>
  latest?.acted !== undefined && (latest.status === 401 || latest.status === 403)

/** Whether a task is charged, or will be. Those that failed or were cancelled cost nothing. */
export const isCharged = (state: string): boolean => !['failed', 'cancelled', 'expired'].includes(state)
