/**
 * Monotonic wall clock: never goes back. After the machine's clock is set back, it continues from its latest time, so
 * that no wait gets longer and nothing happens twice. It follows when the machine's clock is set forward.
 */
export const monotonicNow = (systemNow: () => number): (() => number) => {
  let latest = Number.NEGATIVE_INFINITY
  let ahead = 0
  return () => {
    const now = systemNow()
    if (now + ahead < latest) ahead = latest - now
    latest = now + ahead
    return latest
  }
}

/** The one timer of the program: sleeps until the soonest of the times that were set, and says whose it was. */
interface WakeTimer {
  /** Rings for a name no later than at a time of the system clock. An earlier time that was set before holds. */
  set(name: string, at: number): void
  forget(name: string): void
  stop(): void
}

// The machine's clock may be set forward meanwhile, or the machine sleep: timers of the runtime do not notice.
const LONGEST_SLEEP_MS = 60_000

export const createWakeTimer = (
  systemNow: () => number,
  ring: (names: readonly string[]) => void,
): WakeTimer => {
  const times = new Map<string, number>()
  let timer: NodeJS.Timeout | undefined
  let ringsAt = Number.POSITIVE_INFINITY
  let isStopped = false

  const sleepUntil = (at: number): void => {
    clearTimeout(timer)
    ringsAt = at
    if (!Number.isFinite(at) || isStopped) return
    timer = setTimeout(wake, Math.min(Math.max(0, Math.ceil(at - systemNow())), LONGEST_SLEEP_MS))
    timer.unref()
  }

  const soonest = (): number => {
    let found = Number.POSITIVE_INFINITY
    for (const at of times.values()) if (at < found) found = at
    return found
  }

  const wake = (): void => {
    const now = systemNow()
    const names = [...times].filter(([, at]) => at <= now).map(([name]) => name)
    for (const name of names) times.delete(name)
    sleepUntil(soonest())
    if (names.length > 0) ring(names)
  }

  return {
    set: (name, at) => {
      if (!Number.isFinite(at) || at >= (times.get(name) ?? Number.POSITIVE_INFINITY)) return
      times.set(name, at)
      if (at < ringsAt) sleepUntil(at)
    },
    forget: (name) => void times.delete(name),
    stop: () => {
      isStopped = true
      clearTimeout(timer)
    },
  }
}
