import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { type EmulatorProcess, handlesOf, memoryOf, startEmulatorProcess } from './emulator.js'
import { createClient } from './load/client.js'
import { randomOf } from './load/random.js'
import { startReceiver } from './load/receiver.js'
import { say } from './part.js'
import { recordTrouble, type SoakLog, takeTurn } from './soak/load.js'
import { findings, type Minute } from './soak/verdict.js'

/**
 * Uses an emulator for a while as its users do, restarts included, and says whether memory, handles and latency stay
 * where they were: `npm run soak -- --minutes 10 [--seed N]`. Ends with 1 where they do not.
 */

const { values } = parseArgs({ options: { minutes: { type: 'string' }, seed: { type: 'string' } } })
const minutesInAll = Number(values.minutes ?? 10)
const seed = Number(values.seed ?? 1)

const CALLERS = 4
const ACCOUNTS = 40
// A share of what it could take: a server that is used, not one that is measured.
const PAUSE_MS = 10

const folder = await mkdtemp(join(tmpdir(), 'backlot-soak-'))
const receiver = await startReceiver()
const random = randomOf(seed)
const log: SoakLog = { timesMs: [], troubles: new Map(), calls: 0 }
const minutes: Minute[] = []
let isOver = false
/** Resolves when the emulator runs: it is not called while it starts again. */
let running: Promise<void> = Promise.resolve()

const start = (port: number): Promise<EmulatorProcess> =>
  startEmulatorProcess(
    [
      ...['--state', join(folder, 'state.db'), '--speed', '60', '--port', String(port)],
      // Bounds that a few minutes reach, as days reach the others.
      ...['--set', `mediaFolder=${join(folder, 'media')}`, '--set', 'tasksPerAccount=500'],
      ...['--set', 'journalEntries=200', '--set', 'callbackLogEntries=200'],
      ...['--set', 'mediaMemoryBytes=16777216'],
    ],
    { environment: { NODE_OPTIONS: `--import=${new URL('soak/collect.mjs', import.meta.url)}` } },
  )

let emulator = await start(0)
const { port } = emulator

/** Callers share no account: each resets its own now and then, which would disturb another one. */
const caller = async (nth: number): Promise<void> => {
  while (!isOver) {
    await running
    const account = nth + CALLERS * Math.floor(random() * (ACCOUNTS / CALLERS))
    const client = createClient(port, `soak-${account}`, 1)
    for (let turn = 0; turn < 20 && !isOver; turn += 1) {
      await running
      await takeTurn(client, receiver.url, random(), log).catch((error) => recordTrouble(log, String(error)))
      await setTimeout(PAUSE_MS)
    }
    client.leave()
  }
}

const restart = async (): Promise<void> => {
  let go = () => {}
  running = new Promise((resolve) => {
    go = resolve
  })
  // Calls in flight get their answers first.
  await setTimeout(2_000)
  const begun = performance.now()
  await emulator.stop()
  emulator = await start(port)
  say(`  stopped and started again in ${(performance.now() - begun).toFixed(0)} ms`)
  go()
}

const heapMib = async (): Promise<number> => {
  const text = await (await fetch(`${emulator.url}/_backlot/metrics`)).text()
  return Number(/kind="heap_used"\} (\d+)/.exec(text)?.[1]) / 2 ** 20
}

const measure = async (minute: number): Promise<void> => {
  const times = log.timesMs.splice(0).sort((a, b) => a - b)
  const at = (share: number) => times[Math.floor(times.length * share)] ?? 0
  process.kill(emulator.pid, 'SIGUSR2')
  // Answered once the collection is over.
  await heapMib()
  const now = {
    memoryMib: memoryOf(emulator.pid),
    heapMib: await heapMib(),
    handles: handlesOf(emulator.pid),
    p50Ms: at(0.5),
    p99Ms: at(0.99),
  }
  minutes.push(now)
  say(
    `minute ${minute}: ${now.memoryMib.toFixed(0)} MiB, heap ${now.heapMib.toFixed(0)} MiB, ${now.handles} handles, ${times.length} calls, ` +
      `p50 ${now.p50Ms.toFixed(1)} ms, p99 ${now.p99Ms.toFixed(1)} ms, ${receiver.deliveries.length} callbacks`,
  )
  receiver.clear()
}

const callers = Array.from({ length: CALLERS }, (_, nth) => caller(nth))
const quarter = Math.max(1, Math.floor(minutesInAll / 4))
for (let minute = 1; minute <= minutesInAll; minute += 1) {
  await setTimeout(60_000)
  await measure(minute)
  // At the end of every quarter, so that each is as long after a start as the others.
  if (minute % quarter === 0 && minute < minutesInAll) await restart()
}
isOver = true
await Promise.all(callers)
await emulator.stop().catch((error) => recordTrouble(log, String(error)))
receiver.stop()
await rm(folder, { recursive: true, force: true })

for (const [trouble, count] of log.troubles) say(`TROUBLE ${count}x ${trouble}`)
const results = findings(minutes)
for (const { name, before, after, isFlat } of results)
  say(
    `${isFlat ? 'flat' : 'NOT FLAT'}: ${name}, ${before.toFixed(1)} in the second quarter, ${after.toFixed(1)} in the last`,
  )
const isFine = results.every(({ isFlat }) => isFlat) && log.troubles.size === 0
say(
  `soak of ${minutesInAll} minutes, seed ${seed}: ${log.calls} calls, ${isFine ? 'all flat' : 'NOT as it should be'}`,
)
process.exit(isFine ? 0 : 1)
