import { setTimeout } from 'node:timers/promises'
import { connectTo } from '../test/hostile/wire.js'
import { handlesOf, memoryOf, startEmulatorProcess } from './emulator.js'
import { impatient } from './hostile/wave.js'
import { waves } from './hostile/waves.js'
import { startLatencyProbe } from './latency-probe.js'
import { type Part, say } from './part.js'

// Twice: what grows the second time as much as the first would grow for ever.
const ROUNDS = 2
const MOST_GROWTH_MIB = 100
const MOST_P99_MS = 500
// Of fewer, the slowest of a hundred says nothing that the slowest of all does not.
const LEAST_ASKED = 100
const MOST_WORST_MS = 3_000

const COLLECT = new URL('./collect.mjs', import.meta.url).href

/** Many clients that misbehave, one kind after the other, beside one that does not and whose answers are timed. */
export const hostile: Part = async ({ times = ROUNDS }) => {
  const emulator = await startEmulatorProcess(
    Object.entries(impatient).flatMap(([name, value]) => ['--set', `${name}=${value}`]),
    { environment: { NODE_OPTIONS: `--import ${COLLECT}` } },
  )
  const target = { port: emulator.port, connect: () => connectTo(emulator.port) }
  const probe = startLatencyProbe(emulator.port, '/provB/api/v3/contents/generations/tasks')
  const failures: string[] = []
  const memory: number[] = []
  let p99 = 0
  let worst = 0
  let asked = 0

  for (let round = 1; round <= times; round += 1) {
    for (const { name, run } of waves) {
      await probe.take()
      const begun = performance.now()
      const done = await run(target).catch((error) => {
        failures.push(`${name}: ${String(error)}`)
        return `FAILED (${String(error).slice(0, 200)})`
      })
      const beside = await probe.take()
      asked += beside.asked
      p99 = Math.max(p99, beside.p99Ms)
      worst = Math.max(worst, beside.worstMs)
      for (const trouble of new Set(beside.troubles)) failures.push(`beside "${name}": ${trouble}`)
      const isSlow = beside.asked >= LEAST_ASKED && beside.p99Ms > MOST_P99_MS
      if (isSlow || beside.worstMs > MOST_WORST_MS)
        failures.push(`beside "${name}": p99 ${ms(beside.p99Ms)}, worst ${ms(beside.worstMs)}`)
      say(
        `  ${name}: ${done} in ${ms(performance.now() - begun)}; beside it ${beside.asked} queries, ` +
          `p50 ${ms(beside.p50Ms)}, p99 ${ms(beside.p99Ms)}, worst ${ms(beside.worstMs)}; ` +
          `${memoryOf(emulator.pid).toFixed(0)} MiB`,
      )
    }
    // When to look for what can go is the runtime's own affair, and what has not gone yet is no growth.
    if (handlesOf(emulator.pid) > 0) process.kill(emulator.pid, 'SIGUSR2')
    await setTimeout(5_000)
    memory.push(memoryOf(emulator.pid))
    say(`  after round ${round}: ${memory.at(-1)?.toFixed(0)} MiB, ${handlesOf(emulator.pid)} handles`)
  }

  const grown = (memory.at(-1) ?? 0) - (memory[0] ?? 0)
  if (!(grown <= MOST_GROWTH_MIB))
    failures.push(`memory grew by ${grown.toFixed(0)} MiB from the first round to the last`)
  if (/\bError\b/.test(emulator.errors())) failures.push(`it said: ${emulator.errors().slice(0, 1_000)}`)
  await probe.stop()
  await emulator.stop().catch((error) => void failures.push(String(error)))
  return {
    line:
      `${waves.length} kinds of input, ${times} rounds; beside them ${asked} queries, p99 at most ${ms(p99)}, ` +
      `worst ${ms(worst)}; memory ${memory.map((mib) => `${mib.toFixed(0)} MiB`).join(', then ')}`,
    failures,
  }
}

const ms = (time: number): string => (time < 10 ? `${time.toFixed(1)} ms` : `${time.toFixed(0)} ms`)
