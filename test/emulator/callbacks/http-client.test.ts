import type { LookupAddress } from 'node:dns'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { createServer as createSecureServer } from 'node:https'
import { type AddressInfo, createServer } from 'node:net'
import { urlToHttpOptions } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'
import { callbackHostsOf, createCallbackHttpClient } from '../../../src/emulator/callbacks/http-client.js'
import { callbackConnectPolicy } from '../../../src/emulator/net/address-guard.js'
import { readSettings } from '../../../src/emulator/settings.js'
import { passing, startReceiver } from './receiver.js'

const TIMEOUT_MS = 5_000

const addresses: Readonly<Record<string, LookupAddress[]>> = {
  'public.test': [{ address: '203.0.113.7', family: 4 }],
  'local.test': [{ address: '127.0.0.1', family: 4 }],
  'both.test': [
    { address: '203.0.113.7', family: 4 },
    { address: '127.0.0.1', family: 4 },
  ],
}

const resolve: Parameters<typeof createCallbackHttpClient>[1] = async (hostname) => {
  const found = addresses[hostname]
  if (found === undefined)
    throw Object.assign(new Error(`getaddrinfo ENOTFOUND ${hostname}`), { code: 'ENOTFOUND', hostname })
  return found
}

const posting = (callbackHosts: readonly string[] = []) => {
  const post = createCallbackHttpClient(callbackHosts, resolve)
  onTestFinished(() => post.stop())
  return (url: string) => post.send(new URL(url), {}, '{"status":"queued"}', TIMEOUT_MS).result
}

const onHost = (url: string, hostname: string) => {
  const moved = new URL(url)
  moved.hostname = hostname
  return moved.href
}

test('a name that leads to a loopback address is sent to', async () => {
  const receiver = await startReceiver(passing)
  const sent = await posting()(onHost(receiver.url, 'local.test'))
  expect(sent).toMatchObject({ outcome: 'answered', status: 200, answer: 'ok' })
  expect(receiver.received[0]?.headers.host).toMatch(/^local\.test:/)
})

test('only the allowed addresses of a name are connected to', async () => {
  const receiver = await startReceiver(passing)
  expect(await posting()(onHost(receiver.url, 'both.test'))).toMatchObject({ outcome: 'answered' })
})

test.each([
  ['public.test', /loopback and private addresses only.*--callback-hosts public.test/],
  ['203.0.113.7', /loopback and private addresses only.*--callback-hosts 203.0.113.7/],
  ['[2001:db8::1]', /loopback and private addresses only.*--callback-hosts 2001:db8::1/],
  ['3405803783', /loopback and private addresses only.*--callback-hosts 203.0.113.7/],
  ['169.254.169.254', /no address of a cloud's metadata.*--callback-hosts 169.254.169.254/],
])('%s is refused by its address, and the refusal says how to allow it', async (hostname, error) => {
  const sent = await posting()(`http://${hostname}/hook`)
  expect(sent).toMatchObject({ outcome: 'refused-address', error: expect.stringMatching(error) })
})

test.each(['203.0.113.7', '[2001:db8::1]', 'backlot.example'])('the public URL %s is sent to', (host) => {
  const { hostname } = urlToHttpOptions(new URL(`http://${host}/hook`))
  const hosts = callbackHostsOf(readSettings({ publicUrl: `http://${host}:4650` }))
  expect(callbackConnectPolicy(hosts)(String(hostname), '203.0.113.7')).toBe(true)
})

test('an unknown host name is a failure and no refusal, and the error says what a public host would need', async () => {
  expect(await posting()('http://nowhere.test/hook')).toMatchObject({
    outcome: 'failed',
    error:
      'No address is known here for nowhere.test: getaddrinfo ENOTFOUND nowhere.test. If it is a public host, --callback-hosts nowhere.test is needed besides, since callbacks go to loopback and private addresses only.',
  })
})

test('the error of an unknown host name that is allowed already names no setting', async () => {
  expect(await posting(['*.test'])('http://nowhere.test/hook')).toMatchObject({
    outcome: 'failed',
    error: 'No address is known here for nowhere.test: getaddrinfo ENOTFOUND nowhere.test.',
  })
})

test('a look-up that fails for now is one of an unknown host name too', async () => {
  const failing = async (hostname: string) => {
    throw Object.assign(new Error(`getaddrinfo EAI_AGAIN ${hostname}`), { code: 'EAI_AGAIN', hostname })
  }
  const post = createCallbackHttpClient([], failing)
  onTestFinished(() => post.stop())
  const { result } = post.send(new URL('http://nowhere.test/hook'), {}, '{}', TIMEOUT_MS)
  expect((await result).error).toContain('No address is known here for nowhere.test')
})

test('of a long answer 64 KiB are kept', async () => {
  const receiver = await startReceiver((_, response) => response.end('x'.repeat(100_000)))
  expect((await posting()(receiver.url)).answer).toHaveLength(64 * 1024)
})

test('a redirect is not followed', async () => {
  const receiver = await startReceiver((_, response) =>
    response.writeHead(302, { location: '/elsewhere' }).end(),
  )
  expect(await posting()(receiver.url)).toMatchObject({ outcome: 'answered', status: 302 })
  expect(receiver.received).toHaveLength(1)
})

test('a certificate of an unknown authority is a failure that names NODE_EXTRA_CA_CERTS', async () => {
  const [cert, key] = await Promise.all(
    ['cert.pem', 'key.pem'].map((name) => readFile(`test/emulator/service/tls/${name}`)),
  )
  const server = createSecureServer({ cert, key }).listen(0, '127.0.0.1')
  onTestFinished(() => void server.close())
  await once(server, 'listening')
  expect(await posting()(`https://127.0.0.1:${(server.address() as AddressInfo).port}/hook`)).toMatchObject({
    outcome: 'failed',
    error: expect.stringMatching(/self-signed certificate \(NODE_EXTRA_CA_CERTS names .*\)\.$/),
  })
})

test('a plain receiver at an https address is a failure', async () => {
  const receiver = await startReceiver(passing)
  expect(await posting()(receiver.url.replace('http:', 'https:'))).toMatchObject({
    outcome: 'failed',
    error: 'The receiver could not be reached, or did not speak HTTP: it does not speak TLS.',
  })
})

test('credentials in the address are sent along', async () => {
  const receiver = await startReceiver(passing)
  const url = new URL(receiver.url)
  url.username = 'hook'
  url.password = 'secret'
  await posting()(url.href)
  expect(receiver.received[0]?.headers.authorization).toBe(
    `Basic ${Buffer.from('hook:secret').toString('base64')}`,
  )
})

test('connections are kept for the next message', async () => {
  const receiver = await startReceiver((_, response) => response.end(String(response.socket?.remotePort)))
  const send = posting()
  const first = await send(receiver.url)
  expect((await send(receiver.url)).answer).toBe(first.answer)
})

test('a connection is not kept where the receiver does not say so, since it may close it behind its answer', async () => {
  const receiver = createServer((socket) =>
    socket.once('data', () => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok')),
  )
  onTestFinished(() => void receiver.close())
  receiver.listen(0, '127.0.0.1')
  await once(receiver, 'listening')
  const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`
  const send = posting()
  for (const _ of [1, 2, 3]) expect(await send(url)).toMatchObject({ outcome: 'answered', answer: 'ok' })
})

test('a text with letters of several bytes comes whole', async () => {
  const receiver = await startReceiver(passing)
  const post = createCallbackHttpClient([])
  onTestFinished(() => post.stop())
  const text = '{"status":"läuft 运行中"}'
  await post.send(new URL(receiver.url), {}, text, TIMEOUT_MS).result
  expect(receiver.kinds()).toEqual(['läuft 运行中'])
})

test('the connection to a receiver that does not answer in time is closed', async () => {
  let closed: Promise<unknown> | undefined
  const receiver = await startReceiver((_, response) => {
    closed = once(response, 'close')
  })
  const post = createCallbackHttpClient([])
  onTestFinished(() => post.stop())
  const { result } = post.send(new URL(receiver.url), {}, '{"status":"queued"}', 500)
  expect(await result).toMatchObject({ outcome: 'timeout', error: 'No whole answer came within 0.5 s.' })
  await closed
})

test('breaking it off ends it at once', async () => {
  const receiver = await startReceiver(() => {})
  const post = createCallbackHttpClient([])
  const exchange = post.send(new URL(receiver.url), {}, '{"status":"queued"}', TIMEOUT_MS)
  await receiver.until(1)
  exchange.abort()
  expect(await exchange.result).toMatchObject({ outcome: 'failed' })
})
