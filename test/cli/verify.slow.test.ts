import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer as createHttpServer } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { gzipSync } from 'node:zlib'
import { expect, onTestFinished, test, vi } from 'vitest'
import { send } from '../../src/emulator/client/remote.js'
import { families } from '../../src/emulator/families/index.js'
import { startEmulator } from '../../src/index.js'
import { newFolder } from '../folder.js'
import { endedHere } from './backlot.js'

const probes = families.flatMap((family) => family.probes ?? [])

const KEY = 'real-api-key-1234'

const verify = (target: string, key = KEY) => {
  vi.stubEnv('SERVICE_KEY', key)
  const files = ['--verified', 'none', '--creates-file', join(newFolder(), 'creates.jsonl')]
  return endedHere(['verify', '--target', target, '--key-env', 'SERVICE_KEY', ...files])
}

/** An emulator in place of the real service. */
const service = async () => {
  const emulator = await startEmulator({ clock: 'paused' })
  onTestFinished(() => emulator.stop())
  return { url: emulator.url, account: emulator.account(KEY), withoutKey: emulator }
}

test('a service that answers alike agrees, and no call makes anything', async () => {
  const { url, account, withoutKey } = await service()
  const { code, out, err } = await verify(url)
  expect({ code, err }).toEqual({ code: 0, err: '' })
  const lines = out.trim().split('\n')
  expect(lines).toHaveLength(probes.length + 1)
  expect(lines).toContain('same     a task of a model that there is not: 404')
  expect(lines.at(-1)).toBe(`All ${probes.length} answers agree.`)
  const calls = await account.requests.list({ limit: 1_000 })
  expect(calls.length).toBeGreaterThan(30)
  expect(calls.filter(({ status }) => status < 400)).toEqual([])
  expect(calls.filter(({ method, headers }) => method === 'POST' && !headers['content-type'])).toEqual([])
  const keyless = await withoutKey.requests.list()
  expect(keyless).toHaveLength(probes.filter(({ key }) => key === 'none').length)
})

test('what differs is told with where the answer of the emulator is documented', async () => {
  const { url, account } = await service()
  const body = { detail: 'gone', error: null }
  await account.fail('f-video-v2.read', { status: 410, body })
  const { code, out } = await verify(`${url}/`)
  expect(code).toBe(1)
  const lines = out.trim().split('\n')
  const at = lines.indexOf('differs  a video of F that there is not: 410')
  expect(lines.slice(at + 1, at + 7)).toEqual([
    '  HTTP status: the emulator says 400, the service 410',
    '  type: the emulator says "error", the service nothing',
    expect.stringMatching(/^ {2}error: the emulator says \{"type":"bad_request_error",.*, the service null$/),
    expect.stringMatching(/^ {2}request_id: the emulator says ".*", the service nothing$/),
    '  detail: the emulator says nothing, the service "gone" (information)',
    '  f-video-v2.task-exists: docs/families/f-video-v2.md',
  ])
  expect(out).toContain(`1 of ${probes.length} answers differs: 4 errors, 0 warnings, 1 for information.\n`)
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

test('bodies are asked for without compression, and read in spite of one', async () => {
  const { url } = await service()
  const wishes = new Set<string | undefined>()
  // As some gateways do.
  const compressing = async (coding: string, encode: (body: Uint8Array) => Uint8Array) => {
    const server = createHttpServer(async (request, response) => {
      wishes.add(request.headers['accept-encoding'])
      const { host: _, ...headers } = request.headers as Record<string, string>
      const body = request.method === 'POST' ? await buffer(request) : undefined
      const answer = await send({ method: request.method ?? '', url: url + request.url, headers, body })
      const { 'content-length': _length, ...rest } = answer.headers
      response.writeHead(answer.status, { ...rest, 'content-encoding': coding }).end(encode(answer.bytes))
    }).listen(0, '127.0.0.1')
    onTestFinished(() => void server.close())
    await once(server, 'listening')
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  }
  expect((await verify(await compressing('gzip', gzipSync))).code).toBe(0)
  expect([...wishes]).toEqual(['identity'])
  const unknown = await verify(await compressing('aes128gcm', (body) => body))
  expect(unknown.out).toContain('the service "Content-Encoding: aes128gcm"')
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

test('a certificate that is not trusted ends it with what to set', async () => {
  const [cert, key] = ['cert', 'key'].map((name) => readFileSync(`test/emulator/service/tls/${name}.pem`))
  const server = createSecureServer({ cert, key }).listen(0, '127.0.0.1')
  onTestFinished(() => void server.close())
  await once(server, 'listening')
  const { code, err } = await verify(`https://127.0.0.1:${(server.address() as AddressInfo).port}`)
  expect({ code, err }).toEqual({
    code: 2,
    err: expect.stringMatching(/self-signed certificate \(NODE_EXTRA_CA_CERTS names .*\)\.\n$/),
  })
})

/** What answers at a port, byte by byte; the number of requests on a connection comes with each. */
const bytesOf = async (answer: (socket: Socket, request: string, nth: number) => void) => {
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    let nth = 0
    sockets.add(socket)
    socket.on('error', () => {})
    socket.on('data', (data) => {
      nth += 1
      answer(socket, data.toString(), nth)
    })
  }).listen(0, '127.0.0.1')
  onTestFinished(() => {
    server.close()
    for (const socket of sockets) socket.destroy()
  })
  await once(server, 'listening')
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

test.each([
  ['does not end', 'HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n{', 'it takes longer than 30 s'],
  ['breaks off', 'HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n{', 'the answer broke off'],
  [
    'changes the protocol',
    'HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n',
    'the connection was closed without an answer',
  ],
])('where an answer %s three times, nothing more is asked', async (what, answer, reason) => {
  let limit = new AbortController()
  vi.spyOn(AbortSignal, 'timeout').mockImplementation(() => {
    limit = new AbortController()
    return limit.signal
  })
  const url = await bytesOf((socket) =>
    socket.write(answer, () =>
      what === 'breaks off' ? socket.end() : what === 'does not end' && limit.abort(),
    ),
  )
  const { code, out, err } = await verify(url)
  expect(code).toBe(1)
  // The third call may have made a task.
  expect(err).toMatch(/^backlot: Not ended: an image without a model, .* the next run ends it\.\n$/)
  const lines = out.trim().split('\n')
  expect(lines[0]).toBe(`not looked at  an image without a key: no answer comes: ${reason}, 3 times`)
  expect(lines.slice(-3)).toEqual([
    'No answer was compared.',
    `${probes.length} things were not looked at.`,
    '1 create, at most 0 by the price list.',
  ])
})

const WRONG_TARGET = 'the target may not be the service, or the path of --target may be wrong.'

test.each([404, 502])('where everything is answered with %i, the target may be wrong', async (status) => {
  const url = await bytesOf((socket, request) =>
    // A gateway that looks at keys first.
    socket.end(
      `HTTP/1.1 ${/authorization: Bearer real/i.test(request) ? status : 401} No\r\nContent-Length: 2\r\n\r\n{}`,
    ),
  )
  const { code, out } = await verify(url)
  expect(code).toBe(1)
  expect(out.trim().split('\n').at(-1)).toBe(
    `Every call with the key was answered with ${status}: ${WRONG_TARGET}`,
  )
})

test('where the path of the target is one of the service, it may be wrong', async () => {
  const { url } = await service()
  const { code, out } = await verify(`${url}/v1`)
  expect(code).toBe(1)
  expect(out).toContain(WRONG_TARGET)
})

test('a service that redirects calls is said to', async () => {
  const url = await bytesOf((socket, request) => {
    const path = /^\S+ (\S+)/.exec(request)?.[1]
    socket.end(`HTTP/1.1 301 No\r\nLocation: https://b.test/api${path}\r\nContent-Length: 2\r\n\r\n{}`)
  })
  const { code, out } = await verify(url)
  expect(code).toBe(1)
  expect(out.trim().split('\n').at(-1)).toBe(
    'The service redirects calls to https://b.test/api: name it as --target.',
  )
})

test('a call that is refused twice by an overloaded service is asked again', async () => {
  const { url, account } = await service()
  await account.fail('e-video-reference.create', { status: 503, body: {}, retryAfter: 0, times: 2 })
  expect(await verify(url)).toMatchObject({ code: 0, out: expect.stringContaining('answers agree') })
})

test('a service that limits its calls is not asked any more, and what was not asked is no agreement', async () => {
  const { url, account } = await service()
  await account.fail('e-video-reference.create', { status: 429, body: {}, times: 3 })
  const { code, out } = await verify(url)
  expect(code).toBe(1)
  const skipped = out.split('\n').filter((line) => line.startsWith('not looked at  '))
  expect(skipped[0]).toContain('it is answered with 429, 3 times; that is the way to the service')
  expect(skipped.slice(1).every((line) => line.endsWith('run the command again later'))).toBe(true)
  const differing = out.split('\n').filter((line) => line.startsWith('differs'))
  expect(differing).toEqual([])
  expect(skipped.length).toBeGreaterThan(5)
})

test('no call is sent twice, also where a connection that was kept is reset', async () => {
  const seen: string[] = []
  const url = await bytesOf((socket, request, nth) => {
    const [line = ''] = request.split('\r\n')
    if (line.includes(' HTTP/1.1')) seen.push(line)
    if (nth > 1) socket.resetAndDestroy()
    else socket.write('HTTP/1.1 400 Bad Request\r\nContent-Length: 2\r\n\r\n{}')
  })
  expect((await verify(url)).code).toBe(1)
  expect(seen).toHaveLength(probes.length)
})

test('a target may be written in capitals, with a slash or a mark at its end', async () => {
  const { url } = await service()
  for (const target of [`${url.replace('http', 'HTTP')}/`, `${url}?`, ` ${url}#`])
    expect(await verify(target)).toMatchObject({ code: 0, err: '' })
})
