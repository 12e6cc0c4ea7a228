import { Heap, type HeapEntry } from '../core/collections/heap.js'
import type { Account } from '../core/model/account.js'
import { type Instant, realMsUntil } from '../core/schedule/time.js'
import { type SetTimer, setUnrefTimer } from '../timers.js'

/** Wake time of an account: that of the system at its next moment; Infinity: there is none, or its clock stands. */
export const wakeTimeOf = (account: Account, systemNow: Instant): number =>
  systemNow + realMsUntil(account.clock, account.schedule.nextAt, systemNow)

interface Entry extends HeapEntry {
  readonly name: string
  readonly at: number
}

// The machine's clock may be set forward meanwhile, or the machine sleep: timers of the runtime do not notice.
const LONGEST_SLEEP_MS = 60_000

/** Wake timer, the only timer of a store: sleeps until the earliest of the times that were set. */
export interface WakeTimer {
  /** Wakes for a name at a time of the system clock, or at an earlier one that was set before. */
  set(name: string, at: number): void
  forget(name: string): void
  stop(): void
}

/**
 * @param onWake called with the names whose time has come
 */
export const createWakeTimer = (
  systemNow: () => number,
  onWake: (names: readonly string[]) => void,
  setTimer: SetTimer = setUnrefTimer,
): WakeTimer => {
  const entries = new Map<string, Entry>()
  const heap = new Heap<Entry>((one, other) => one.at < other.at)
  let cancel = () => {}
  let wakesAt = Number.POSITIVE_INFINITY
  let isStopped = false

  const sleepUntil = (at: number): void => {
    cancel()
    wakesAt = at
    if (!Number.isFinite(at) || isStopped) return
    cancel = setTimer(wake, Math.min(Math.max(0, Math.ceil(at - systemNow())), LONGEST_SLEEP_MS))
  }

  const forget = (entry: Entry): void => {
    heap.remove(entry)
    entries.delete(entry.name)
  }

  const wake = (): void => {
    const now = systemNow()
    const names: string[] = []
    for (let first = heap.peek(); first !== undefined && first.at <= now; first = heap.peek()) {
      forget(first)
      names.push(first.name)
    }
    sleepUntil(heap.peek()?.at ?? Number.POSITIVE_INFINITY)
    if (names.length > 0) onWake(names)
  }

  return {
    set: (name, at) => {
      const known = entries.get(name)
      if (!Number.isFinite(at) || (known !== undefined && at >= known.at)) return
      if (known !== undefined) forget(known)
      const entry: Entry = { name, at, heapIndex: -1 }
      entries.set(name, entry)
      heap.push(entry)
      if (at < wakesAt) sleepUntil(at)
    },
    forget: (name) => {
      const entry = entries.get(name)
      if (entry !== undefined) forget(entry)
    },
    stop: () => {
      isStopped = true
      cancel()
    },
  }
}
