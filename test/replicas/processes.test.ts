import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { expect, onTestFinished, test } from 'vitest'
import { describeWithRedis, startRedis } from './redis-server.js'
import { clientOf } from './replicas.js'

const launch = (args: readonly string[]) => {
  const child = spawn(process.execPath, ['dist/cli.js', 'start', '--port', '0', '--json', ...args])
  const ended = once(child, 'exit')
  onTestFinished(async () => {
    child.kill('SIGKILL')
    await ended
  })
  let errors = ''
  child.stderr.on('data', (text) => {
    errors += text
  })
  return { child, ended, errors: () => errors, lines: createInterface(child.stdout)[Symbol.asyncIterator]() }
}

test('several processes without a store are refused', async () => {
  const { ended, errors } = launch(['--processes', '2'])
  expect(await ended).toEqual([2, null])
  expect(errors()).toContain('--processes needs --store')
})

describeWithRedis('processes on one port', () => {
  test('processes answer for the same accounts, a killed one is restarted, and all end with the first', async () => {
    const { url: store } = await startRedis()
    const { child, ended, lines } = launch(['--processes', '2', '--store', store])
    const { url } = JSON.parse((await lines.next()).value as string)
    const pids = new Set<number>()
    // Each call has a connection of its own, and those go to the processes in turn.
    const health = async () => {
      const response = await fetch(`${url}/_backlot/health`, { headers: { Connection: 'close' } }).catch(
        () => undefined,
      )
      const pid = ((await response?.json()) as { pid?: number } | undefined)?.pid
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
})
