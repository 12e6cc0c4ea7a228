import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test, vi } from 'vitest'
import { probes } from '../../src/cli/probes.js'
import { startEmulator } from '../../src/index.js'
import { endedHere } from './backlot.js'

const KEY = 'real-api-key-1234'

const verify = (target: string, key = KEY) => {
  vi.stubEnv('SERVICE_KEY', key)
  return endedHere(['verify', '--target', target, '--key-env', 'SERVICE_KEY'])
}

/** An emulator in place of the real service. */
const service = async () => {
  const emulator = await startEmulator({ clock: 'paused' })
  onTestFinished(() => emulator.stop())
  return { url: emulator.url, account: emulator.account(KEY) }
}

test('a service that answers alike agrees, and no call makes anything', async () => {
  const { url, account } = await service()
  const { code, out, err } = await verify(url)
  expect({ code, err }).toEqual({ code: 0, err: '' })
  const lines = out.trim().split('\n')
  expect(lines).toHaveLength(probes.length + 1)
  expect(lines).toContain('agrees  a task of a model that there is not: 404')
  expect(lines.at(-1)).toBe(`All ${probes.length} answers agree.`)
  const calls = await account.requests.list({ limit: 1_000 })
  expect(calls.length).toBeGreaterThan(30)
  expect(calls.filter(({ status }) => status < 400)).toEqual([])
})

test('what differs is told with where the answer of the emulator is documented', async () => {
  const { url, account } = await service()
  const body = { detail: 'gone', error: null }
  await account.fail('f-video-v2.read', { status: 410, body })
  const { code, out } = await verify(`${url}/`)
  expect(code).toBe(1)
  const lines = out.trim().split('\n')
  const at = lines.indexOf('differs a video of F that there is not: 410')
  expect(lines.slice(at + 1, at + 7)).toEqual([
    '  status: the emulator says 400, the service 410',
    '  type: the emulator says "error", the service nothing',
    expect.stringMatching(/^ {2}error: the emulator says \{"type":"bad_request_error",.*, the service null$/),
    expect.stringMatching(/^ {2}request_id: the emulator says ".*", the service nothing$/),
    '  detail: the emulator says nothing, the service "gone"',
    '  f-video-v2.task-exists: docs/families/f-video-v2.md',
  ])
  expect(lines.at(-1)).toBe(`1 of ${probes.length} answers differs.`)
})

test('ids, times and sentences that differ do not count, and codes do', async () => {
  const { url, account } = await service()
  const path = '/provB/api/v3/contents/generations/tasks/none'
  const answer = await fetch(url + path, { headers: { authorization: `Bearer ${KEY}` } })
  const { error } = (await answer.json()) as { error: { code: string } }
  const answerWith = (change: object) =>
    account.fail('b-video-task.read', { status: 404, body: { error: { ...error, ...change } } })
  await answerWith({ message: 'Another sentence.' })
  expect((await verify(url)).code).toBe(0)
  await answerWith({ code: 'Gone' })
  const { out } = await verify(url)
  expect(out).toContain(`error.code: the emulator says "${error.code}", the service "Gone"`)
})

test('a call that the service takes is told with its answer', async () => {
  const { url, account } = await service()
  await account.fail('e-video-reference.create', { status: 200, body: { id: 'task-1' } })
  const { code, out } = await verify(url)
  expect(code).toBe(1)
  expect(out).toContain('The service took this call, which may cost money. It answered {"id":"task-1"}')
})

test.each([
  ['no service', ['--key-env', 'SERVICE_KEY'], 'Expected the URL of the real service, found none.'],
  ['no variable', ['--target', 'http://a.test'], 'Expected the variable that holds an API key, found none.'],
  [
    'an empty variable',
    ['--target', 'http://a.test', '--key-env', 'SERVICE_KEY'],
    'The variable SERVICE_KEY, which --key-env names, holds no API key.',
  ],
])('%s is wrong usage', async (_, args, message) => {
  vi.stubEnv('SERVICE_KEY', '')
  const { code, err } = await endedHere(['verify', ...args])
  expect({ code, err }).toEqual({ code: 2, err: expect.stringContaining(message) })
})

test('a key that no header can have is wrong usage', async () => {
  const { code, err } = await verify('http://a.test', 'real-api\nkey')
  expect({ code, err }).toEqual({
    code: 2,
    err: expect.stringContaining('holds no API key: it must be a string that a header can carry'),
  })
})

test('a body of another type differs as a whole', async () => {
  const { url, account } = await service()
  await account.fail('f-video-v2.read', { status: 400, body: [] })
  expect((await verify(url)).out).toMatch(/^ {2}body: the emulator says \{.*, the service \[\]$/m)
})

test('a key that the service refuses, and a service that does not answer, end it', async () => {
  const { url } = await service()
  const refused = await verify(url, 'invalid')
  expect(refused).toMatchObject({
    code: 2,
    err: expect.stringContaining('refuses the API key in SERVICE_KEY'),
  })
  const silent = await verify('http://127.0.0.1:1')
  expect(silent).toMatchObject({
    code: 2,
    err: expect.stringMatching(/No answer comes from http:\/\/127.0.0.1:1: .*ECONNREFUSED/),
  })
})

test('an answer that does not end, and a service that limits its calls, end it', async () => {
  const limit = new AbortController()
  const partial = createServer((_, response) => void response.write('{', () => limit.abort()))
  partial.listen(0, '127.0.0.1')
  onTestFinished(() => void partial.close().closeAllConnections())
  await once(partial, 'listening')
  const { timeout } = AbortSignal
  // The first call of the emulator, then that of the service.
  vi.spyOn(AbortSignal, 'timeout').mockImplementationOnce(timeout).mockReturnValueOnce(limit.signal)
  const cut = await verify(`http://127.0.0.1:${(partial.address() as AddressInfo).port}`)
  expect(cut).toMatchObject({
    code: 2,
    err: expect.stringMatching(/No answer .*: it takes longer than 30 s/),
  })

  const { url, account } = await service()
  await account.fail('e-video-reference.create', { status: 429, body: {} })
  const limited = await verify(url)
  expect(limited).toMatchObject({ code: 2, err: expect.stringContaining('limits its calls: it answers 429') })
})
