import { once } from 'node:events'
import { readFile, writeFile } from 'node:fs/promises'
import type { IncomingMessage } from 'node:http'
import { Agent, request } from 'node:https'
import { connect, type Socket } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { connect as connectTls } from 'node:tls'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'
import { invokeAction } from '../../../src/emulator/control/invoke.js'
import { createEmulator } from '../../../src/emulator/emulator.js'
import { listen } from '../../../src/emulator/listen.js'
import { readSettings } from '../../../src/emulator/settings.js'
import { paths, startOnPort } from '../../emulator.js'
import { newFolder } from '../../folder.js'

// A certificate of itself for localhost, 127.0.0.1 and api.example.com, valid until 2126, and a key that is not its own.
const fileOf = (name: string) => fileURLToPath(new URL(`tls/${name}`, import.meta.url))
const certificate = { tlsCert: fileOf('cert.pem'), tlsKey: fileOf('key.pem') }

interface Call {
  readonly method?: string
  readonly headers?: Record<string, string>
  readonly body?: string
  readonly agent?: Agent
}

/** Makes a call over TLS as a client that trusts the certificate. */
const call = async (url: string, { body, ...others }: Call = {}) => {
  const sent = request(url, { ca: await readFile(certificate.tlsCert), ...others })
  sent.end(body)
  const [response] = await once(sent, 'response')
  const { statusCode: status = 0, headers } = response as IncomingMessage
  return { status, headers, text: await text(response), isReused: sent.reusedSocket }
}

const secureOf = (url: string) => url.replace('http:', 'https:')

const createPicture: Call & { method: string } = {
  method: 'POST',
  headers: { authorization: 'Bearer key', 'content-type': 'application/json' },
  body: JSON.stringify({
    model: 'alpha-image-3.0-pro',
    input: { messages: [{ role: 'user', content: [{ text: 'A lighthouse' }] }] },
    parameters: { size: '512*512' },
  }),
}

test('answers to https:// and http:// on one port, with result URLs of the scheme of the call', async () => {
  const { url } = await startOnPort(certificate)
  const secure = await call(secureOf(url) + paths.image, createPicture)
  expect(secure.status).toBe(200)
  const [picture] = /https?:[^"]+/.exec(secure.text) ?? []
  expect(picture).toContain(`${secureOf(url)}/`)
  const downloaded = await call(picture as string)
  expect([downloaded.status, downloaded.headers['content-type']]).toEqual([200, 'image/png'])
  const plain = await fetch(url + paths.image, createPicture)
  expect(await plain.text()).toContain(`"${url}/`)
})

test('answers many calls on one connection over TLS, the control API among them', async () => {
  const { url } = await startOnPort(certificate)
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  onTestFinished(() => agent.destroy())
  const answers = []
  for (const path of ['health', 'clock', 'requests'])
    answers.push(await call(`${secureOf(url)}/_backlot/${path}`, { agent }))
  expect(answers.map(({ status, isReused }) => [status, isReused])).toEqual([
    [200, false],
    [200, true],
    [200, true],
  ])
})

test('names the host that the client asked for in result URLs', async () => {
  const { port } = await startOnPort({ ...certificate, allowedHosts: ['api.example.com'] })
  const named = { ...createPicture, headers: { ...createPicture.headers, host: 'api.example.com' } }
  const { text } = await call(`https://127.0.0.1:${port}${paths.image}`, named)
  expect(text).toContain('"https://api.example.com/')
})

const openSocket = async (port: number, ...bytes: readonly Buffer[]): Promise<Socket> => {
  const socket = connect(port, '127.0.0.1')
  onTestFinished(() => void socket.destroy())
  await once(socket, 'connect')
  for (const sent of bytes) socket.write(sent)
  return socket
}

test('ends a connection that sends nothing once its headers are late', async () => {
  const { port } = await startOnPort({ ...certificate, headersTimeoutMs: 50 })
  const socket = await openSocket(port)
  expect(await text(socket)).toBe('')
})

test('ends a connection whose handshake does not go on once its headers are late', async () => {
  const { emulator, port } = await startOnPort({ ...certificate, headersTimeoutMs: 50 })
  const socket = await openSocket(port, Buffer.from([22, 3, 1, 2, 0]))
  await once(socket.resume(), 'close')
  const connections = () => emulator.quotas.read().find(({ name }) => name === 'connections')?.size
  await expect.poll(connections).toBe(0)
})

test('agrees on HTTP/1.1 with a client that knows HTTP/2 as well', async () => {
  const { port } = await startOnPort(certificate)
  const ca = await readFile(certificate.tlsCert)
  const socket = connectTls({ port, host: '127.0.0.1', ca, ALPNProtocols: ['h2', 'http/1.1'] })
  onTestFinished(() => void socket.destroy())
  await once(socket, 'secureConnect')
  expect(socket.alpnProtocol).toBe('http/1.1')
})

test('survives a handshake that is none, and answers the next call', async () => {
  const { url, port, bugs } = await startOnPort(certificate)
  const socket = await openSocket(port, Buffer.from([22, 3, 1, 0, 4, 1, 2, 3, 4]))
  await once(socket.resume(), 'close')
  expect((await call(`${secureOf(url)}/_backlot/health`)).status).toBe(200)
  expect(bugs).toEqual([])
})

test('resets the connection of a call and of a download where a scenario says so', async () => {
  const { emulator, url, bugs } = await startOnPort(certificate)
  const { text: made } = await call(secureOf(url) + paths.image, createPicture)
  const [picture = ''] = /https:[^"]+/.exec(made) ?? []
  const reset = { transport: { reset: true } } as const
  await invokeAction(emulator, 'scenario.play', 'key', {
    name: 'resets',
    description: 'Connections are reset.',
    steps: [
      { when: { operation: 'results.download' }, then: reset },
      { when: { operation: 'b-video-task.list' }, then: reset },
    ],
  })
  const list = { headers: { authorization: 'Bearer key' } }
  await expect(call(picture)).rejects.toMatchObject({ code: 'ECONNRESET' })
  await expect(call(secureOf(url) + paths.tasks, list)).rejects.toMatchObject({ code: 'ECONNRESET' })
  expect(bugs).toEqual([])
})

test('answers what is not HTTP and begins like no handshake as before', async () => {
  const { port } = await startOnPort(certificate)
  const socket = await openSocket(port, Buffer.from('hello\r\n\r\n'))
  expect(await text(socket)).toContain('malformed_request')
})

test('stops although a connection has sent nothing, and another is in the middle of its handshake', async () => {
  const { url, port, close } = await listen(createEmulator(readSettings({ ...certificate, port: 0 })))
  const silent = await openSocket(port)
  const halfway = await openSocket(port, Buffer.from([22, 3, 1, 2, 0]))
  // Connections are accepted in their order: the others are open once this one is answered.
  await call(`${secureOf(url)}/_backlot/health`)
  const ended = Promise.all([silent, halfway].map(text))
  await close()
  expect(await ended).toEqual(['', ''])
})

test('refuses a certificate without a key, and a key without a certificate', async () => {
  const { tlsCert, tlsKey } = certificate
  await expect(startOnPort({ tlsCert })).rejects.toThrow(/^tlsCert is given alone\./)
  await expect(startOnPort({ tlsKey })).rejects.toThrow(/^tlsKey is given alone\./)
  await expect(startOnPort({ tlsKey })).rejects.toMatchObject({ code: 'bad-setting' })
})

test('says which files cannot be used, and gives the state file free', async () => {
  const state = join(newFolder(), 'state.json')
  const missing = { ...certificate, tlsKey: '/no/such/key.pem', state }
  await expect(startOnPort(missing)).rejects.toThrow(/\/no\/such\/key\.pem cannot be used: ENOENT/)
  const foreign = { ...certificate, tlsKey: fileOf('other-key.pem'), state }
  await expect(startOnPort(foreign)).rejects.toThrow(/cannot be used: .*key values mismatch/)
  const text = join(newFolder(), 'text.pem')
  await writeFile(text, 'no certificate')
  await expect(startOnPort({ ...certificate, tlsCert: text })).rejects.toMatchObject({
    code: 'bad-certificate',
  })
})

test('without a certificate, a client that speaks TLS is told apart from one that speaks nothing known', async () => {
  const { emulator, port } = await startOnPort()
  const refused: string[] = []
  emulator.events.on('refused', ({ code, message }) => void refused.push(`${code}: ${message}`))
  const secure = connectTls({ port, host: '127.0.0.1', rejectUnauthorized: false })
  await once(secure, 'error')
  expect(refused).toEqual([
    'tls_without_certificate: A client speaks TLS here, and this port speaks plain HTTP: give the client a URL that begins with http://, or set tlsCert and tlsKey.',
  ])
  const other = connect(port, '127.0.0.1', () => other.write('\x15nonsense\r\n\r\n'))
  await once(other.resume(), 'close')
  expect(refused[1]).toMatch(/^malformed_request: The request is not HTTP\/1\.1: /)
})
