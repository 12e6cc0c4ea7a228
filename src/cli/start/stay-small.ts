import { getHeapStatistics, setFlagsFromString } from 'node:v8'

const LARGE_BYTES = 150 * 2 ** 20
const BETWEEN_LOOKS_MS = 5_000

/**
 * How far a heap may grow before the runtime looks through all of it for what can go. Left to itself, the runtime decides
 * between a tenth and four times, by how busy the processor is.
 *
 * A small heap may grow to four times what is in use. With less room, the bytes of uploads, which are gone in a moment,
 * have it look through everything every few megabytes, and an upload takes twice as long. A program that runs for weeks
 * is to look at a third more, from a size on at which the difference is noticed.
 */
export const staySmall = (): void => {
  setFlagsFromString('--heap-growing-percent=300')
  const timer = setInterval(() => {
    if (getHeapStatistics().total_heap_size < LARGE_BYTES) return
    setFlagsFromString('--heap-growing-percent=30')
    clearInterval(timer)
  }, BETWEEN_LOOKS_MS)
  timer.unref()
}
