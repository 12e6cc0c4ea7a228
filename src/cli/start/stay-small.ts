import { getHeapStatistics, setFlagsFromString } from 'node:v8'

const LARGE_BYTES = 150 * 2 ** 20
const BETWEEN_LOOKS_MS = 5_000

/**
 * Left to itself, the runtime lets a heap of some size grow to several times what is in use before it looks for what can
 * go. A program that runs for weeks is to look at a third more, from a size on at which the difference is noticed; below
 * that, looking often would only cost time.
 */
export const staySmall = (): void => {
  const timer = setInterval(() => {
    if (getHeapStatistics().total_heap_size < LARGE_BYTES) return
    setFlagsFromString('--heap-growing-percent=30')
    clearInterval(timer)
  }, BETWEEN_LOOKS_MS)
  timer.unref()
}
