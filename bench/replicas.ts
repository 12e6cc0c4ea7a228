import { EventEmitter, once } from 'node:events'
import { createServer } from 'node:http'
import { text } from 'node:stream/consumers'
import { createRedisProcess, openClient } from '../test/replicas/redis-process.js'
import { ask, creates, get, TASKS, wireOf } from './calls.js'
import { load } from './load.js'
import { byTurns, inFullOr, median, medians, timed } from './measure.js'
import { atLeast, atMost, OURS, row, type Table } from './report.js'
import { type Server, set, startBacklot } from './server.js'

const ROUNDS = inFullOr(3, 1)
const REQUESTS = inFullOr(5_000, 2_000)
const MOVES = inFullOr(7, 3)
const MOVED_TASKS = 1_000
const STORED_TASKS = inFullOr(100_000, 10_000)
const MIB = 2 ** 20

const ALONE = 'without a store'
const THREE = 'three replicas'

/** Replicas that share a store, each set of them under a prefix of its own. */
const startReplicas = (count: number, store: string, prefix: string): Promise<Server[]> =>
  Promise.all(
    Array.from({ length: count }, () =>
      startBacklot('--store', store, ...set({ storePrefix: `${prefix}:`, clock: 'paused' })),
    ),
  )

/** Requests per second of several servers together, and microseconds of their processors for each. */
interface Rate {
  readonly rate: number
  readonly cpu: number
}

/** Creates or queries on several servers at once, each with an account of its own. */
const rateOf = async (
  servers: readonly Server[],
  what: 'create' | 'query',
  requests = REQUESTS,
): Promise<Rate> => {
  const share = Math.round(requests / servers.length)
  const wires = await Promise.all(
    servers.map(async ({ url }, index) => {
      const key = `bench-${index}`
      const { id } = await ask<{ id: string }>(url, creates.B, key)
      return wireOf(url, what === 'create' ? creates.B : get(`${TASKS}/${id}`), key)
    }),
  )
  const cpuMs = async () => {
    const usages = await Promise.all(servers.map((server) => server.usage()))
    return usages.reduce((sum, usage) => sum + usage.cpuMs, 0)
  }
  const before = await cpuMs()
  const ms = await timed(() =>
    Promise.all(
      servers.map(({ url }, index) =>
        load(url, share, wires[index] as Buffer, Math.round(48 / servers.length)),
      ),
    ),
  )
  const made = share * servers.length
  return { rate: made / (ms / 1_000), cpu: ((await cpuMs()) - before) / (made / 1_000) }
}

const rates = async (store: string): Promise<Table> => {
  const sets: Readonly<Record<string, readonly Server[]>> = {
    [ALONE]: [await startBacklot(...set({ clock: 'paused' }))],
    [OURS]: await startReplicas(1, store, 'one'),
    [THREE]: await startReplicas(3, store, 'three'),
  }
  const rows = []
  for (const [what, least] of [
    ['create', 0.5],
    ['query', 0.6],
  ] as const) {
    // A process compiles what it runs often: each of three has to have run as much as one alone.
    for (const servers of Object.values(sets)) await rateOf(servers, what, REQUESTS * servers.length)
    const results = await byTurns(Object.keys(sets), ROUNDS, (name) => rateOf(sets[name] ?? [], what))
    const name = `B ${what}, 48 connections`
    const atLeastOne = { column: THREE, at: 'least', value: 1, times: OURS } as const
    const rates = medians(results, ({ rate }) => rate)
    rows.push(row(name, 'requests a second', rates, atLeast(least, ALONE), atLeastOne))
    rows.push(
      row(
        `${name}: processor time`,
        'µs',
        medians(results, ({ cpu }) => cpu),
      ),
    )
  }
  await Promise.all(Object.values(sets).flatMap((servers) => servers.map((server) => server.stop())))
  return { title: 'A store beside none, and three replicas beside one', rows }
}

/** Makes tasks of one account. */
const fill = (url: string, count: number, key: string) => load(url, count, wireOf(url, creates.B, key))

const moves = async (store: string): Promise<Table> => {
  const [one, other] = (await startReplicas(2, store, 'moves')) as [Server, Server]
  const times: number[] = []
  for (let move = 0; move <= MOVES; move += 1) {
    const key = `moved-${move}`
    await fill(one.url, MOVED_TASKS - 1, key)
    const { id } = await ask<{ id: string }>(one.url, creates.B, key)
    times.push(await timed(() => ask(other.url, get(`${TASKS}/${id}`), key)))
  }
  await Promise.all([one.stop(), other.stop()])
  const name = `first query on another replica, account with ${MOVED_TASKS} tasks and calls`
  return { title: 'Moving an account', rows: [row(name, 'ms', median(times.slice(1)), atMost(50))] }
}

/** How long after the end of a replica another one sends the callback that falls due next. */
const takeover = async (store: string): Promise<Table> => {
  const prefix = set({ storePrefix: 'takeover:' })
  const [one, other] = await Promise.all([
    startBacklot('--store', store, ...prefix),
    startBacklot('--store', store, ...prefix),
  ])
  const statuses = new EventEmitter()
  const receiver = createServer(async (request, response) => {
    const { status } = JSON.parse(await text(request))
    response.end('{}')
    statuses.emit(status)
  }).listen(0, '127.0.0.1')
  await once(receiver, 'listening')
  const { port } = receiver.address() as { port: number }
  const queued = once(statuses, 'queued')
  const running = once(statuses, 'running')
  const { pid } = await ask<{ pid: number }>(one.url, get('/_backlot/health'))
  const { body } = creates.B
  await ask(one.url, { ...creates.B, body: { ...body, callback_url: `http://127.0.0.1:${port}/` } })
  await queued
  process.kill(pid, 'SIGKILL')
  const ms = await timed(() => running)
  receiver.close()
  await Promise.all([one.stop(), other.stop()])
  const name = 'next callback of a task whose replica was killed'
  return { title: 'Takeover', rows: [row(name, 'ms', ms, atMost(11_000))] }
}

const memory = async (store: string): Promise<Table> => {
  const client = await openClient(store)
  const used = async () => Number(/used_memory:(\d+)/.exec(await client.info('memory'))?.[1])
  const before = await used()
  const [server] = (await startReplicas(1, store, 'memory')) as [Server]
  await fill(server.url, STORED_TASKS, 'bench')
  await server.stop()
  const mib = (((await used()) - before) / MIB) * (100_000 / STORED_TASKS)
  await client.close()
  return {
    title: 'Memory of the store',
    rows: [row('100,000 tasks of one account, with its journal', 'MiB', mib, atMost(200))],
  }
}

/** What a shared store costs, and what more replicas bring. Needs redis-server. */
export const replicas = async (): Promise<Table[]> => {
  const { url, start, remove } = await createRedisProcess()
  try {
    await start()
    return [await rates(url), await moves(url), await takeover(url), await memory(url)]
  } finally {
    await remove()
  }
}
