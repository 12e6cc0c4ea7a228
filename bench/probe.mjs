import { monitorEventLoopDelay } from 'node:perf_hooks'

// Loaded into every server that is measured (`node --expose-gc --import`), the emulator and its peers alike: says how much
// processor time the process has used, how late its event loop was, and what memory it holds.

const RESOLUTION_MS = 1
const delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS })

process.on('message', (asked) => {
  const { user, system } = process.cpuUsage()
  // From then on: it wakes the process a thousand times a second.
  if (asked === 'lateness') delay.enable()
  // Two collections: what finalizers let go in the first is freed in the second.
  if (asked === 'memory') for (let nth = 0; nth < 2; nth += 1) globalThis.gc()
  const { heapUsed, external } = process.memoryUsage()
  const lateMs = Math.max(0, delay.max / 1e6 - RESOLUTION_MS)
  delay.reset()
  process.send({ cpuMs: (user + system) / 1_000, lateMs, heapBytes: heapUsed + external })
})
// It ends like any other, even while its parent listens. Its worker threads load this too, and have no channel.
process.channel?.unref()
