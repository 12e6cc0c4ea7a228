import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { type EmulatorProcess, startEmulatorProcess } from './emulator.js'
import { broken } from './kill/check.js'
import { type Kill, wrongDeliveries } from './kill/deliveries.js'
import { startLoad } from './kill/load.js'
import type { Promised } from './kill/promises.js'
import { createClient } from './load/client.js'
import { randomOf } from './load/random.js'
import { type Delivery, startReceiver } from './load/receiver.js'
import { type Part, say } from './part.js'

const ROUNDS = 200
const KEY = 'kill-9'
/** How long before a kill a receiver may have answered without the emulator having come to write that down. */
const LATE_MS = 250
/** What was promised longer ago is looked at in part, or the last round would take as long as all the others. */
const OLDER_CHECKED = 40

/**
 * Kills an emulator under load, starts it again on the same state file, and looks whether everything is there that was
 * answered; again and again, on the same file.
 */
export const kill: Part = async ({ seed, times = ROUNDS, lateMs = LATE_MS }) => {
  const folder = await mkdtemp(join(tmpdir(), 'backlot-kill-'))
  const receiver = await startReceiver()
  const random = randomOf(seed)
  const kept: Promised[] = []
  const deleted = new Set<string>()
  const kills: Kill[] = []
  const failures: string[] = []
  let checks = 0

  const start = (port: number): Promise<EmulatorProcess> =>
    startEmulatorProcess([
      ...['--state', join(folder, 'state.db'), '--clock', 'live', '--speed', '20', '--port', String(port)],
      ...['--set', `mediaFolder=${join(folder, 'media')}`],
    ])

  const check = async (client: ReturnType<typeof createClient>, promised: Promised) => {
    if (promised.kind === 'task' && deleted.has(promised.id)) return
    checks += 1
    const found = await broken(client, promised)
    if (found === undefined) return
    const before = kills.find(({ at }) => at > promised.at)
    const age =
      before === undefined
        ? 'after the last kill'
        : `${(before.at - promised.at).toFixed(0)} ms before a kill`
    failures.push(`round ${kills.length}: ${found}; promised ${age}`)
  }

  let emulator = await start(0)
  const { port } = emulator
  for (let round = 1; round <= times; round += 1) {
    const fresh: Promised[] = []
    const load = startLoad({
      port,
      key: KEY,
      callbackUrl: receiver.url,
      random,
      promise: (promised) => void fresh.push(promised),
      deleting: (id) => void deleted.add(id),
      reportUnexpected: (description) => void failures.push(`round ${round}: ${description}`),
    })
    await setTimeout(lateMs + random() * 900)
    const at = performance.now()
    await emulator.kill()
    await load
    kills.push({ at, since: at - lateMs })

    const ids = new Set(kept.flatMap((promised) => (promised.kind === 'task' ? [promised.id] : [])))
    for (const promised of fresh)
      if (promised.kind === 'task' && ids.has(promised.id))
        failures.push(`the id ${promised.id} was given twice`)

    emulator = await start(port).catch((error) => {
      throw new Error(`round ${round}: it does not start again: ${String(error)}`)
    })
    const client = createClient(port, KEY)
    const older = Array.from(
      { length: Math.min(OLDER_CHECKED, kept.length) },
      () => kept[Math.floor(random() * kept.length)],
    )
    await Promise.all([...fresh, ...older].map((promised) => promised && check(client, promised)))
    client.leave()
    kept.push(...fresh)
    if (round % 10 === 0) say(`  ${round} rounds, ${kept.length} promises, ${failures.length} broken`)
    if (failures.length > 20) break
  }

  const client = createClient(port, KEY)
  const { status } = await client.ask('GET', '/_backlot/wait?for=idle&timeout=25s')
  if (status !== 200) failures.push(`it does not come to rest: ${status}`)
  for (const promised of kept) await check(client, promised)
  client.leave()
  const called = kept.filter((promised) => promised.kind === 'task' && promised.callsBack)
  const byTask = grouped(receiver.deliveries)
  for (const promised of called)
    if (promised.kind === 'task')
      failures.push(...wrongDeliveries(promised.id, byTask.get(promised.id) ?? [], kills))
  await emulator.stop().catch((error) => void failures.push(String(error)))
  receiver.stop()
  await rm(folder, { recursive: true, force: true })
  return {
    line:
      `${kills.length} rounds of kill -9, seed ${seed}: ${kept.length} promises looked at ${checks} times, ` +
      `${receiver.deliveries.length} callbacks of ${called.length} tasks`,
    failures: failures.slice(0, 30),
  }
}

const grouped = (deliveries: readonly Delivery[]): ReadonlyMap<string, Delivery[]> => {
  const byTask = new Map<string, Delivery[]>()
  for (const delivery of deliveries)
    byTask.set(delivery.taskId, [...(byTask.get(delivery.taskId) ?? []), delivery])
  return byTask
}
