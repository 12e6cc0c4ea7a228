import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout } from 'node:timers/promises'
import { createRedisProcess } from '../test/replicas/redis-process.js'
import { type EmulatorProcess, startEmulatorProcess } from './emulator.js'
import { randomOf } from './load/random.js'
import type { Part } from './part.js'

const ROUNDS = 200
const REPLICAS = 3
const CALLS_AT_ONCE = 8
const CALLS = 40
const KEYS = ['replicas-1', 'replicas-2']
const TASKS = '/provB/api/v3/contents/generations/tasks'
/** Of so many kills one is at the moment at which a callback of the replica arrives, before it is answered. */
const ROUNDS_PER_HIT = 4
/** Three times the lease of a replica. */
const STOPPED_MS = 30_000
/** Lease of a replica, time limit of a receiver, and what looking takes take 17 s; a busy machine takes longer. */
const TAKE_OVER_MS = 120_000

/** What the model knows of a task whose create was answered. `unsure`: a cancel was not answered. */
interface Known {
  readonly key: string
  status: 'queued' | 'cancelled' | 'unsure'
  readonly hasCallback: boolean
}

/**
 * Kills replicas of a shared store under mixed load and starts them anew; then one is stopped with SIGSTOP for 30 seconds
 * and continues. A model checks every answer of every replica: no task that was answered is lost, no id is given twice, and
 * every callback arrives, twice only around a kill or the stop. A quarter of the kills hit a callback on its way, which has to
 * arrive again from another replica.
 */
export const replicas: Part = async ({ seed, times = ROUNDS }) => {
  const random = randomOf(seed)
  const pick = <T>(items: readonly T[]): T => items[Math.floor(random() * items.length)] as T
  const failures: string[] = []
  const known = new Map<string, Known>()
  const deliveries = new Map<string, number>()
  /** Deliveries whose sender was killed before it had the answer. */
  const hit = new Set<string>()
  let [answers, unanswered, kills] = [0, 0, 0]
  let target: { readonly sender: string; hit(): void } | undefined

  const store = await createRedisProcess()
  await store.start()
  const receiver = await startReceiver((id, sender) => {
    if (target?.sender === sender && !deliveries.has(id)) {
      hit.add(id)
      target.hit()
      target = undefined
      return false
    }
    deliveries.set(id, (deliveries.get(id) ?? 0) + 1)
    return true
  })
  const hook = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook`
  const start = () =>
    startEmulatorProcess(['--store', store.url, '--clock', 'paused', '--seed', String(seed)])
  const processes: EmulatorProcess[] = await Promise.all(Array.from({ length: REPLICAS }, start))

  const ask = async (url: string, key: string, method: string, path: string, body?: object) => {
    const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' }
    const sent = body === undefined ? {} : { body: JSON.stringify(body) }
    const response = await fetch(url + path, { method, headers, ...sent }).catch(() => undefined)
    const text = await response?.text().catch(() => undefined)
    if (response === undefined || text === undefined) {
      unanswered += 1
      return undefined
    }
    answers += 1
    return { status: response.status, body: text === '' ? undefined : JSON.parse(text) }
  }

  const create = async (url: string, key: string, hasCallback: boolean): Promise<void> => {
    const order = { model: 'videoa-2-0-260128', content: [{ type: 'text', text: 'a lighthouse' }] }
    const callback_url = `${hook}?sender=${new URL(url).port}`
    const answer = await ask(url, key, 'POST', TASKS, hasCallback ? { ...order, callback_url } : order)
    if (answer === undefined) return
    if (answer.status !== 200)
      failures.push(`a create was answered ${answer.status}: ${JSON.stringify(answer.body)}`)
    else if (known.has(answer.body.id)) failures.push(`the id ${answer.body.id} was given twice`)
    else known.set(answer.body.id, { key, status: 'queued', hasCallback })
  }

  const query = async (url: string, id: string, task: Known): Promise<void> => {
    const expected = task.status
    const answer = await ask(url, task.key, 'GET', `${TASKS}/${id}`)
    if (answer === undefined) return
    const found = answer.status === 200 ? answer.body.status : `answered ${answer.status}`
    const isAllowed = task.status === 'unsure' || expected !== task.status || found === expected
    if (!isAllowed) failures.push(`the task ${id} is ${found} and should be ${expected}`)
  }

  const cancel = async (url: string, id: string, task: Known): Promise<void> => {
    if (task.status !== 'queued') return
    task.status = 'unsure'
    const answer = await ask(url, task.key, 'DELETE', `${TASKS}/${id}`)
    if (answer?.status === 200) task.status = 'cancelled'
    else if (answer !== undefined) failures.push(`a cancel of ${id} was answered ${answer.status}`)
  }

  const step = (): Promise<void> => {
    const { url } = pick(processes)
    const draw = random()
    const some = [...known].slice(-200)
    if (draw < 0.45 || some.length === 0) return create(url, pick(KEYS), draw < 0.15)
    const [id, task] = pick(some)
    return draw < 0.55 && !task.hasCallback ? cancel(url, id, task) : query(url, id, task)
  }

  const work = async (): Promise<void> => {
    for (let call = 0; call < CALLS / CALLS_AT_ONCE; call += 1) await step()
  }

  const workAtOnce = () => Promise.all(Array.from({ length: CALLS_AT_ONCE }, work))

  /** Stops a replica while it is called. What it knows is out of date when it continues, and it has to notice. */
  const stopOne = async (): Promise<void> => {
    const { pid } = pick(processes)
    const working = workAtOnce()
    process.kill(pid, 'SIGSTOP')
    await setTimeout(STOPPED_MS)
    // Those that do not wait for it have gone on meanwhile.
    const others = workAtOnce()
    process.kill(pid, 'SIGCONT')
    await Promise.all([working, others])
  }

  try {
    for (let round = 0; round < times; round += 1) {
      const working = workAtOnce()
      const victim = Math.floor(random() * processes.length)
      const { url, port, kill } = processes[victim] as EmulatorProcess
      if (round % ROUNDS_PER_HIT === 0) {
        const killed = new Promise<void>((resolve) => {
          target = { sender: String(port), hit: () => void kill().then(resolve) }
        })
        const creating = create(url, pick(KEYS), true)
        await killed
        await creating
      } else {
        await setTimeout(random() * 60)
        await kill()
      }
      kills += 1
      await working
      processes[victim] = await start()
    }
    await stopOne()
    for (const { url } of processes) for (const [id, task] of known) await query(url, id, task)
    const expected = new Set(hit)
    for (const [id, { hasCallback }] of known) if (hasCallback) expected.add(`${id}-1`)
    const missing = () => [...expected].filter((id) => !deliveries.has(id))
    const begin = performance.now()
    while (missing().length > 0 && performance.now() - begin < TAKE_OVER_MS) await setTimeout(100)
    for (const id of missing()) failures.push(`the callback ${id} did not arrive`)
    const twice = [...deliveries.values()].filter((count) => count > 1).length
    const most = (kills + 1) * CALLS_AT_ONCE
    if (twice > most)
      failures.push(`${twice} callbacks arrived twice, and kills and the stop explain ${most}`)
    const line = `${kills} kills of ${REPLICAS} replicas, ${hit.size} of them with a callback on its way, one stopped for 30 s, ${answers} answers checked, ${unanswered} calls without one, ${known.size} tasks, ${deliveries.size} callbacks, ${twice} of them twice`
    return { line, failures }
  } finally {
    await Promise.all(processes.map((one) => one.kill()))
    receiver.close()
    await store.remove()
  }
}

/** Receiver of callbacks, which tells the delivery id and the sender of each. False: it gets no answer. */
const startReceiver = async (tell: (id: string, sender: string) => boolean): Promise<Server> => {
  const server = createServer((request, response) => {
    request.on('error', () => {}).resume()
    request.on('end', () => {
      const sender = new URL(request.url ?? '', 'http://receiver').searchParams.get('sender')
      if (tell(String(request.headers['x-backlot-delivery-id']), sender ?? '')) response.end('{}')
      else request.destroy()
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return server
}
