import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout } from 'node:timers/promises'
import { createRedisProcess } from '../test/replicas/redis-process.js'
import { startEmulatorProcess } from './emulator.js'
import { randomOf } from './load/random.js'
import type { Part } from './part.js'

const ROUNDS = 12
const REPLICAS = 2
const TASKS_PER_ROUND = 30
const AWAY_MS = 3_000
/** How long a receiver takes at most to answer, so that many deliveries are under way when the store goes. */
const SLOWEST_MS = 400
const AT_REST_MS = 60_000
const TASKS = '/provB/api/v3/contents/generations/tasks'
const order = { model: 'videoa-2-0-260128', content: [{ type: 'text', text: 'a lighthouse' }] }

/**
 * Kills the shared store with callbacks on their way, and starts it again three seconds later, round by round. Calls meanwhile are
 * 503; afterwards every account comes to rest within a minute, and each callback of each task has arrived and is recorded as
 * delivered. It arrives again only where its answer could not be recorded: once for each time that the store was killed.
 */
export const storeAway: Part = async ({ seed, times = ROUNDS }) => {
  const random = randomOf(seed)
  const failures: string[] = []
  const arrived = new Map<string, number>()
  const created: { readonly id: string; readonly key: string }[] = []
  const counts = { underWay: 0, hit: 0, refused: 0 }
  let restMs = 0

  const receiver = createServer((request, response) => {
    counts.underWay += 1
    request.on('error', () => {}).resume()
    request.on('end', async () => {
      await setTimeout(random() * SLOWEST_MS)
      const id = String(request.headers['x-backlot-delivery-id'])
      arrived.set(id, (arrived.get(id) ?? 0) + 1)
      response.end('{}')
    })
    response.on('close', () => {
      counts.underWay -= 1
    })
  }).listen(0, '127.0.0.1')
  await once(receiver, 'listening')
  const callback_url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook`
  const store = await createRedisProcess(['--appendonly', 'yes', '--appendfsync', 'always'])
  await store.start()
  const replicas = await Promise.all(
    Array.from({ length: REPLICAS }, () =>
      startEmulatorProcess([
        '--store',
        store.url,
        '--clock',
        'live',
        '--speed',
        '20',
        '--seed',
        String(seed),
      ]),
    ),
  )
  const urlOf = (nth: number): string => replicas[nth % REPLICAS]?.url ?? ''

  const ask = async (url: string, key: string, method: string, path: string, body?: object) => {
    const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' }
    const response = await fetch(url + path, { method, headers, ...(body && { body: JSON.stringify(body) }) })
    // biome-ignore lint/suspicious/noExplicitAny: answers of the service and of the control API alike
    const answer: any = await response.json()
    return { status: response.status, body: answer }
  }

  const playRound = async (key: string): Promise<void> => {
    const creating = Array.from({ length: TASKS_PER_ROUND }, async (_, nth) => {
      const { status, body } = await ask(urlOf(nth), key, 'POST', TASKS, { ...order, callback_url })
      if (status === 200) created.push({ id: body.id, key })
      else failures.push(`a create before the store was killed was answered ${status}`)
    })
    await Promise.all(creating)
    await setTimeout(random() * SLOWEST_MS)
    counts.hit += counts.underWay
    await store.stop('SIGKILL')
    const back = performance.now() + AWAY_MS
    for (let nth = 0; performance.now() < back; nth += 1) {
      const { status } = await ask(urlOf(nth), key, 'GET', TASKS)
      if (status === 503) counts.refused += 1
      else failures.push(`a list without the store was answered ${status}`)
      await setTimeout(50)
    }
    await store.start()
    await comeToRest(key)
  }

  /** Waits until nothing of an account is under way. The first answers may still be 503: the replicas connect again by themselves. */
  const comeToRest = async (key: string): Promise<void> => {
    const begun = performance.now()
    let status = 0
    while (status !== 200 && performance.now() - begun < AT_REST_MS) {
      status = (await ask(urlOf(0), key, 'GET', '/_backlot/wait?for=idle&timeout=5s')).status
      if (status !== 200) await setTimeout(100)
    }
    restMs = Math.max(restMs, performance.now() - begun)
    if (status !== 200) failures.push(`${key} does not come to rest: ${status}`)
  }

  const checkCallbacks = async (key: string): Promise<void> => {
    const { body } = await ask(urlOf(1), key, 'GET', '/_backlot/callbacks?limit=1000')
    const items = body.items as { readonly id: string; readonly state: string; readonly taskId: string }[]
    for (const { id, state } of items) {
      if (state !== 'delivered') failures.push(`the callback ${id} is ${state}`)
      const times = arrived.get(id) ?? 0
      if (times < 1 || times > 2) failures.push(`the callback ${id} arrived ${times} times`)
    }
    for (const { id } of created.filter((task) => task.key === key))
      if (items.filter(({ taskId }) => taskId === id).length !== 3)
        failures.push(`the task ${id} has not the three callbacks of a task`)
  }

  try {
    for (let round = 0; round < times; round += 1) await playRound(`away-${round}`)
    for (let round = 0; round < times; round += 1) await checkCallbacks(`away-${round}`)
    const twice = [...arrived.values()].filter((count) => count > 1).length
    const line = `a store killed ${times} times for 3 s, with ${counts.hit} deliveries on their way, ${counts.refused} calls meanwhile 503; ${created.length} tasks, ${arrived.size} callbacks, ${twice} of them twice; at rest after ${(restMs / 1_000).toFixed(1)} s at most`
    return { line, failures: failures.slice(0, 30) }
  } finally {
    await Promise.all(replicas.map((one) => one.kill()))
    receiver.closeAllConnections()
    receiver.close()
    await store.remove()
  }
}
