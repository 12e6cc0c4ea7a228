import type { SharedAccess } from '../accounts/store.js'

/** Interval at which the entries of other replicas are applied while a call waits for them. */
const FOLLOW_INTERVAL_MS = 100

/**
 * Polling of followed accounts: an interval that runs as long as there are some.
 * @param onTick applies what others have appended to accounts; undefined: to all that are in memory
 */
export const createFollowing = (onTick: (keys: readonly string[] | undefined) => void) => {
  const followed = new Map<string | undefined, number>()
  let interval: NodeJS.Timeout | undefined

  const stop = (): void => {
    clearInterval(interval)
    interval = undefined
  }

  const follow: SharedAccess['follow'] = (key) => {
    followed.set(key, (followed.get(key) ?? 0) + 1)
    interval ??= setInterval(() => onTick(keysIn(followed)), FOLLOW_INTERVAL_MS).unref()
    return () => {
      const left = (followed.get(key) ?? 1) - 1
      if (left > 0) followed.set(key, left)
      else followed.delete(key)
      if (followed.size === 0) stop()
    }
  }

  return { follow, stop }
}

const keysIn = (followed: ReadonlyMap<string | undefined, number>): readonly string[] | undefined =>
  followed.has(undefined) ? undefined : [...followed.keys()].filter((key) => key !== undefined)
