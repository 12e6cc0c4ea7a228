import type { SetTimer } from '../src/emulator/timers.js'

/** Timer of the globals, for a part that takes its timer: `vi.useFakeTimers` then moves its time, and that of nothing else. */
export const fakedTimer: SetTimer = (callback, ms) => {
  const timer = setTimeout(callback, ms)
  return () => clearTimeout(timer)
}
