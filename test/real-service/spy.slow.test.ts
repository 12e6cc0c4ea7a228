import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { startEmulator } from '../../src/index.js'
import { ended } from '../cli/backlot.js'
import { newFolder } from '../folder.js'

const KEY = 'real-api-key-1234'
const TASKS = '/provB/api/v3/contents/generations/tasks'

/** An emulator with another profile in place of the real service. */
const service = async () => {
  const emulator = await startEmulator({
    clock: 'on-poll',
    profile: {
      errors: { 'b-video-task': { ResourceNotFound: { status: 410, code: 'Gone' } } },
      answers: { 'b-video-task.read': { set: { vendor: 'acme' } } },
    },
  })
  onTestFinished(() => emulator.stop())
  const calls = async () =>
    (await emulator.account(KEY).requests.list())
      .toReversed()
      .map(({ method, status }) => `${method} ${status}`)
  return { url: emulator.url, calls }
}

/** A client that creates two tasks, queries the first, asks about a task that there is not, and cancels that. */
const client = `
  const headers = { authorization: 'Bearer ${KEY}', 'content-type': 'application/json' }
  const call = async (method, path, body) => {
    const answer = await fetch(process.env.API + '${TASKS}' + path, { method, headers, body })
    console.log(method, answer.status)
    return answer.json().catch(() => ({}))
  }
  const body = JSON.stringify({ model: 'videoa-2-0-260128', content: [{ type: 'text', text: 'x' }], duration: 5 })
  const { id } = await call('POST', '', body)
  await call('POST', '', body)
  await call('GET', '/' + id)
  await call('GET', '/cgt-20200101000000-aaaaa')
  await call('DELETE', '/cgt-20200101000000-aaaaa')
  process.exit(3)`

const spyOn = (target: string, ...args: string[]) => spyOnClient(client, target, ...args)

const spyOnClient = (script: string, target: string, ...args: string[]) => {
  const command = [process.execPath, '--input-type=module', '-e', script]
  return ended(['record', '--spy', '--target', target, '--env', 'API={url}', ...args, '--', ...command])
}

const linesOf = (out: string, begin: RegExp) => out.split('\n').filter((line) => begin.test(line))

test('the emulator answers, the service is asked what only reads, and a difference is listed', async () => {
  const { url, calls } = await service()
  const file = join(newFolder(), 'my-service.yaml')
  const { code, out } = await spyOn(url, '--write-profile', file)
  expect(code).toBe(3)
  expect(linesOf(out, /^(POST|GET|DELETE) /)).toEqual([
    'POST 200',
    'POST 200',
    'GET 200',
    'GET 404',
    'DELETE 404',
  ])
  expect(await calls()).toEqual(['GET 410'])
  expect(linesOf(out, /^(same|differs)/)).toEqual(['differs  call 4, b-video-task.read: 410'])
  expect(out).toContain('  HTTP status: the emulator says 404, the service 410\n')
  expect(linesOf(out, /^not looked at/)).toEqual([
    'not looked at  call 1, b-video-task.create: it is a create, and --most-creates allows none more',
    'not looked at  call 2, b-video-task.create: it is a create, and --most-creates allows none more',
    'not looked at  call 3, b-video-task.read: its task was not made at the service',
    expect.stringMatching(/^not looked at {2}call 5, b-video-task\.\w+: it is no read$/),
  ])
  expect(out).toContain(`1 call asked of ${url}: 1 answer differs.\n`)
  expect(readFileSync(file, 'utf8')).toContain('410')
}, 60_000)

test('creates are made at the service as many as are allowed, and reads of their tasks are asked there', async () => {
  const { url, calls } = await service()
  const { out } = await spyOn(url, '--most-creates', '1')
  expect(await calls()).toEqual(['POST 200', 'GET 200', 'GET 410'])
  expect(out).toContain('same     call 1, b-video-task.create: 200\n')
  expect(out).toContain('differs  call 3, b-video-task.read: 200\n')
  expect(out).toContain('vendor: the emulator says nothing, the service "acme" (information)')
  expect(out).toContain('call 2, b-video-task.create: it is a create, and --most-creates allows none more\n')
}, 60_000)

test('a service that leaves calls without an answer is not asked for ever', async () => {
  let calls = 0
  const server = createServer((request) => {
    calls += 1
    request.socket.destroy()
  }).listen(0, '127.0.0.1')
  onTestFinished(() => void server.close())
  await once(server, 'listening')
  const target = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const reads = `
    const headers = { authorization: 'Bearer ${KEY}' }
    for (let count = 0; count < 6; count += 1) await fetch(process.env.API + '${TASKS}/cgt-1', { headers })`
  const { code, out } = await spyOnClient(reads, target)
  expect(code).toBe(0)
  expect(calls).toBe(3)
  const reasons = linesOf(out, /^not looked at/).map((line) => line.replace(/^.*\.read: /, ''))
  expect(reasons).toEqual([
    ...Array(3).fill('no answer came: socket hang up'),
    ...Array(3).fill('the last 3 calls were left without an answer, and nothing more is asked'),
  ])
}, 60_000)
