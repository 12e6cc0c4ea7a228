import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { endedHere } from '../cli/backlot.js'
import { clientOf } from '../emulator.js'
import { launch } from './launch.js'
import { openClient } from './redis-process.js'
import { describeWithRedis, startRedis } from './redis-server.js'
import { replicasOn } from './replicas.js'

test('several processes without a store are refused', async () => {
  const { ended, printed } = launch(['--processes', '2'])
  expect(await ended).toEqual([2, null])
  expect(printed()).toContain('--processes needs --store')
})

/** Answer of a call, each of which has a connection of its own, and those go to the processes in turn. */
const answerAt = async (url: string): Promise<unknown> => {
  // A connection that Node has handed to a process as that was killed stays open without an answer.
  const signal = AbortSignal.timeout(5_000)
  const answer = fetch(url, { headers: { Authorization: 'Bearer k', Connection: 'close' }, signal })
  const response = await answer.catch(() => undefined)
  return response?.json().catch(() => undefined)
}

/** The process that answers a call. */
const pidAt = async (url: string): Promise<number | undefined> =>
  ((await answerAt(`${url}/_backlot/health`)) as { pid?: number } | undefined)?.pid

describeWithRedis('processes on one port', () => {
  test('processes answer for the same accounts, a killed one is restarted, and all end with the first', async () => {
    const { url: store } = await startRedis()
    const { child, ended, ready } = launch(['--processes', '2', '--store', store])
    const url = await ready()
    const pids = new Set<number>()
    const health = async () => {
      const pid = await pidAt(url)
      if (pid !== undefined) pids.add(pid)
    }
    while (pids.size < 2) await health()
    const ids = await Promise.all(Array.from({ length: 20 }, () => clientOf(url, 'k').create()))
    expect(new Set(ids.map(({ body }) => body.id)).size).toBe(20)
    const [first = 0] = pids
    process.kill(first, 'SIGKILL')
    while (pids.size < 3) await health()
    expect((await clientOf(url, 'k').list()).body.total).toBe(20)
    child.kill('SIGTERM')
    expect(await ended).toEqual([0, null])
  }, 120_000)

  test('they are ready as the process that was started, and come back on their port when all are killed', async () => {
    const { url: store } = await startRedis()
    const { child, ready } = launch(['--processes', '2', '--store', store])
    const url = await ready()
    const { code, err } = await endedHere(['ready', '--url', url, '--pid', String(child.pid)])
    expect({ code, err }).toEqual({ code: 0, err: '' })
    const pids = new Set<number>()
    while (pids.size < 2) pids.add((await pidAt(url)) as number)
    for (const pid of pids) process.kill(pid, 'SIGKILL')
    while ([undefined, ...pids].includes(await pidAt(url)));
  }, 120_000)

  test('one of them prints and opens the page, and what is started in its place prints, but not that it is ready', async () => {
    const { url: store } = await startRedis()
    const args = ['--processes', '2', '--open', '--store', store]
    const { child, ended, ready, printed } = launch(args, { env: { PATH: '/nowhere' } })
    const url = await ready()
    const first = Number(/"event":"ready".*"pid":(\d+)/.exec(printed())?.[1])
    while ([undefined, first].includes(await pidAt(url)));
    process.kill(first, 'SIGKILL')
    const hasPrinted = () => printed().includes('"event":"request"')
    while (!hasPrinted()) await answerAt(`${url}/provB/api/v3/contents/generations/tasks`)
    child.kill('SIGTERM')
    expect(await ended).toEqual([0, null])
    expect(printed().match(/"event":"ready"/g)).toHaveLength(1)
    expect(printed().match(/The page was not opened/g)).toHaveLength(1)
  }, 120_000)
})

describeWithRedis('a replica that is stopped while it sends', () => {
  test('another one takes over under the same delivery id, and the stopped one loses when it continues', async () => {
    const { url: store } = await startRedis()
    const { replica, storePrefix } = replicasOn(store, { callbackTimeoutScale: 0.5 })
    const given = [
      '--clock',
      'paused',
      '--set',
      `storePrefix=${storePrefix}`,
      '--set',
      'callbackTimeoutScale=0.5',
    ]
    const stopped = launch(['--store', store, ...given])
    const ids: unknown[] = []
    let unanswered: ServerResponse | undefined
    const receiver = createServer((request, response) => {
      ids.push(request.headers['x-backlot-delivery-id'])
      request.resume()
      // The first one comes from the replica in the other process, which stands still from here on.
      if (ids.length === 1) {
        stopped.child.kill('SIGSTOP')
        unanswered = response
      } else response.end('{}')
    }).listen(0, '127.0.0.1')
    onTestFinished(() => {
      receiver.closeAllConnections()
      receiver.close()
    })
    const url = await stopped.ready()
    const callback_url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook`
    // Its answer may stop with the process.
    const created = clientOf(url, 'k')
      .create({ callback_url })
      .catch(() => undefined)
    const client = await openClient(store)
    const [lease = ''] = await client.keys(`${storePrefix}replica:*`)
    while (ids.length === 0) await new Promise(setImmediate)
    const other = await replica()
    const isDelivered = async () => {
      // As when the lease is over.
      await client.del(lease)
      const { body } = await other.as('k').ask('GET', '/_backlot/callbacks')
      return body.items[0]?.state === 'delivered'
    }
    while (!(await isDelivered()));
    stopped.child.kill('SIGCONT')
    unanswered?.writeHead(500).end()
    await created
    // It answers for the account again, and what it has learnt of the attempt is in no log.
    expect((await clientOf(url, 'k').create()).status).toBe(200)
    for (const ask of [clientOf(url, 'k').ask, other.as('k').ask]) {
      const { body } = await ask('GET', '/_backlot/callbacks')
      expect(body.items).toHaveLength(1)
      expect(body.items[0]).toMatchObject({ state: 'delivered' })
      expect(body.items[0].attempts).toHaveLength(2)
    }
    expect(new Set(ids).size).toBe(1)
    await client.close()
  }, 120_000)
})
