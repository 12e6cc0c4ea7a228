import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { readFile, stat, writeFile } from 'node:fs/promises'
import { createServer, type RequestListener, type ServerResponse } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib'
import { expect, onTestFinished, test } from 'vitest'
import { startEmulator } from '../../src/index.js'
import { harSchema } from '../../src/traffic/har.js'
import { newFolder } from '../folder.js'
import { ended, endedHere, OWNER_ONLY } from './backlot.js'

const KEY = 'real-api-key-1234'

/** An emulator in place of the real service. */
const service = async () => {
  const emulator = await startEmulator({ clock: 'paused' })
  onTestFinished(() => emulator.stop())
  return { url: emulator.url, account: emulator.account(KEY) }
}

/** Records a client, code that calls what is at `API`, and reads the file. */
const record = async (target: string, code: string, file?: string) => {
  const output = file ?? join(newFolder(), 'session.har')
  const module = `const headers = { authorization: 'Bearer ${KEY}' }\n${code}`
  const command = [process.execPath, '--input-type=module', '-e', module]
  const options = ['--target', target, '-o', output, '--env', 'API={url}']
  const result = await ended(['record', ...options, '--', ...command])
  const text = await readFile(output, 'utf8')
  return { ...result, output, text, entries: harSchema.parse(JSON.parse(text)).log.entries }
}

const picture = readFileSync('fixtures/media/square.png')
const TASKS = '/provB/api/v3/contents/generations/tasks'
const BASE64 = 'A'.repeat(400)
const creates = `
  const image = { type: 'image_url', image_url: { url: 'data:image/png;base64,${BASE64}' } }
  const body = { model: 'videoa-2-0-260128', content: [{ type: 'text', text: 'a lighthouse' }] }
  for (const content of [body.content, body.content, [...body.content, image]]) {
    const init = { method: 'POST', headers, body: JSON.stringify({ ...body, content }) }
    const answer = await fetch(process.env.API + '${TASKS}?a=1&a=2', init)
    console.log(answer.status, await answer.text())
  }`

test('calls go to the service and back, and into a file from which a scenario can be made', async () => {
  const { url, account } = await service()
  await account.fail('b-video-task.create', { error: 'ServerOverloaded', times: 1 })
  const { code, out, err, output, text, entries } = await record(`${url}/`, creates)
  expect(code).toBe(0)
  expect(err).toBe(`backlot: 3 calls of ${url} written into ${output}.\n`)
  const [, ...calls] = (await account.requests.list()).toReversed()
  expect(calls.map(({ status }) => status)).toEqual([200, 400])
  expect(entries.map(({ request }) => request.url)).toEqual(Array(3).fill(`${url}${TASKS}?a=1&a=2`))
  const answers = entries.map(({ response: { status, content } }) => `${status} ${content.text}\n`)
  expect(out).toBe(answers.join(''))
  // Neither the key nor the bytes of media.
  expect(text).not.toContain(KEY)
  expect(text).not.toContain(BASE64)
  expect((await stat(output)).mode & 0o777).toBe(OWNER_ONLY)
  const scenario = await endedHere(['scenario-from', output])
  expect(scenario).toMatchObject({ code: 0, out: expect.stringContaining('ServerOverloaded') })
})

test('a form reaches the service as it is, and its fields and the name of its file are kept', async () => {
  const { url, account } = await service()
  const uploads = `
    const body = new FormData()
    body.set('group_id', 'people')
    body.set('file', new Blob([Buffer.from('${picture.toString('base64')}', 'base64')]), 'a cat.png')
    console.log((await fetch(process.env.API + '/v1/asset/upload', { method: 'POST', headers, body })).status)`
  const { out, entries } = await record(url, uploads)
  expect(out).toBe('200\n')
  const [call] = await account.requests.list()
  expect(call?.body).toMatchObject({
    fields: { group_id: 'people' },
    files: [{ name: 'a cat.png', bytes: picture.length }],
  })
  expect(entries[0]?.request.postData?.params).toEqual([
    { name: 'group_id', value: 'people' },
    { name: 'file', fileName: 'a cat.png', contentType: 'application/octet-stream' },
  ])
})

test('a service that does not answer is an error of the client, and the exit code is that of the command', async () => {
  const code = `
    const answer = await fetch(process.env.API + '/v1/videos/a', { headers })
    console.log(answer.status, (await answer.json()).error.code)
    process.exitCode = 7`
  const { code: exitCode, out, entries } = await record('http://127.0.0.1:1', code)
  expect({ exitCode, out }).toEqual({ exitCode: 7, out: '502 target-unreachable\n' })
  expect(entries[0]?.response).toMatchObject({ status: 0, _error: expect.stringContaining('ECONNREFUSED') })
})

/** A service that answers as it is told. */
const serviceThat = async (answers: RequestListener) => {
  const server = createServer(answers).listen(0, '127.0.0.1')
  onTestFinished(() => void server.close())
  await once(server, 'listening')
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

test('a certificate that is not trusted is an error that says what to set', async () => {
  const [cert, key] = ['cert', 'key'].map((name) => readFileSync(`test/emulator/service/tls/${name}.pem`))
  const server = createSecureServer({ cert, key }).listen(0, '127.0.0.1')
  onTestFinished(() => void server.close())
  await once(server, 'listening')
  const { out } = await record(
    `https://127.0.0.1:${(server.address() as AddressInfo).port}`,
    'console.log((await (await fetch(process.env.API)).json()).error.message)',
  )
  expect(out).toMatch(/self-signed certificate \(NODE_EXTRA_CA_CERTS names .*\)\.\n$/)
})

test('a service that resets the connection within an answer ends that call alone', async () => {
  const url = await serviceThat((request, response) => {
    if (request.url === '/whole') response.end('whole')
    // More than buffers hold: once it is written, the answer has begun to be read.
    else response.write(Buffer.alloc(20_000_000), () => request.socket.resetAndDestroy())
  })
  const { code, out, entries } = await record(
    url,
    "for (const path of ['/cut', '/whole']) console.log((await fetch(process.env.API + path)).status)",
  )
  expect({ code, out }).toEqual({ code: 0, out: '502\n200\n' })
  expect(entries.map(({ response: { status } }) => status)).toEqual([0, 200])
})

test.each([
  ['gzip', gzipSync('{"a":1}')],
  ['deflate', deflateSync('{"a":1}')],
  ['br', brotliCompressSync('{"a":1}')],
])('of an answer that was compressed unasked (%s) the file holds the text', async (coding, bytes) => {
  const headers = { 'content-type': 'application/json', 'content-encoding': coding }
  const url = await serviceThat((_, response) => response.writeHead(200, headers).end(bytes))
  const { out, entries } = await record(url, 'console.log(await (await fetch(process.env.API)).text())')
  expect(out).toBe('{"a":1}\n')
  expect(entries[0]?.response.content).toMatchObject({ size: 7, text: '{"a":1}' })
})

const unknown = { 'content-type': 'application/json', 'content-encoding': 'aes128gcm' }

test.each([
  ['is in an unknown coding', unknown, Buffer.from('{"a":1}'), 7],
  ['is a picture', { 'content-type': 'image/png' }, picture, picture.length],
])('of an answer that %s the client gets all, and the file no text', async (_, headers, bytes, length) => {
  const url = await serviceThat((_, response) => response.writeHead(200, headers).end(bytes))
  const { out, entries } = await record(
    url,
    'console.log((await (await fetch(process.env.API)).arrayBuffer()).byteLength)',
  )
  expect(out).toBe(`${length}\n`)
  expect(entries[0]?.response.content).toMatchObject({
    size: bytes.length,
    mimeType: headers['content-type'],
  })
  expect(entries[0]?.response.content.text).toBeUndefined()
})

test('what is of a connection alone is not passed on, nor is the wish for compression', async () => {
  const url = await serviceThat((request, response) => response.end(JSON.stringify(request.headers)))
  const { out } = await record(
    url,
    `const { request } = await import('node:http')
    const more = { te: 'trailers', upgrade: 'h2c', 'x-own': '1', 'accept-encoding': 'gzip' }
    for (const name of ['keep-alive', 'proxy-connection']) more[name] = 'timeout=5'
    request(process.env.API, { headers: more }, (answer) => answer.on('data', (data) => console.log(String(data)))).end()`,
  )
  const host = new URL(url).host
  expect(JSON.parse(out)).toEqual({ host, 'x-own': '1', 'accept-encoding': 'identity', connection: 'close' })
})

test('a page whose name leads to this machine reaches no service', async () => {
  const paths: (string | undefined)[] = []
  const url = await serviceThat((request, response) => {
    paths.push(request.url)
    response.end('{}')
  })
  const { out, entries } = await record(
    url,
    `const { request } = await import('node:http')
    for (const host of ['evil.example:1', 'localhost:1']) await new Promise((resolve) =>
      request(process.env.API + '/' + host.length, { headers: { host } }, (answer) => {
        console.log(answer.statusCode)
        answer.resume().on('end', resolve)
      }).end())`,
  )
  expect({ out, paths, calls: entries.length }).toEqual({ out: '403\n200\n', paths: ['/11'], calls: 1 })
})

test('a body in chunks reaches the service whole, with every method', async () => {
  const url = await serviceThat(async (request, response) => response.end(await buffer(request)))
  const { out } = await record(
    url,
    `const { request } = await import('node:http')
    for (const method of ['DELETE', 'POST']) await new Promise((resolve) => {
      const call = request(process.env.API, { method, headers: { 'transfer-encoding': 'chunked' } }, (answer) =>
        answer.on('data', (data) => console.log(method, String(data))).on('end', resolve))
      call.write('two ')
      call.end('parts')
    })`,
  )
  expect(out).toBe('DELETE two parts\nPOST two parts\n')
})

test('a body that is nested without measure is passed on and kept', async () => {
  const { url } = await service()
  const { code, out, entries } = await record(
    url,
    `const body = '['.repeat(60_000) + ']'.repeat(60_000)
    console.log((await fetch(process.env.API + '/v1/videos', { method: 'POST', headers, body })).status)`,
  )
  expect({ code, out }).toEqual({ code: 0, out: '400\n' })
  expect(entries[0]?.request.postData?.text).toHaveLength(120_000)
})

test('a body without media is kept as it is written', async () => {
  const { url } = await service()
  const body = '{ "seed": 12345678901234567890, "seed": 1.0 }'
  const { entries } = await record(
    url,
    `await fetch(process.env.API + '/v1/videos', { method: 'POST', headers, body: '${body}' })`,
  )
  expect(entries[0]?.request.postData?.text).toBe(body)
})

test('the Base64 of media is not kept, not even of a value that a later one of its name replaces', async () => {
  const { url } = await service()
  const body = `{"image":"data:image/png;base64,AAAA","image":"https://a.test/a.png"}`
  const { entries } = await record(
    url,
    `await fetch(process.env.API + '/v1/videos', { method: 'POST', headers, body: '${body}' })`,
  )
  expect(entries[0]?.request.postData?.text).toBe('{"image":"https://a.test/a.png"}')
})

test('a service that redirects calls to another host is said to, once', async () => {
  const { url } = await service()
  const redirecting = await serviceThat((request, response) =>
    response
      .writeHead(308, { location: request.url === '/store' ? `${url}/a.png` : url + request.url })
      .end(),
  )
  const { err, output } = await record(
    redirecting,
    `for (const path of ['/store', '/v1/videos/a?b=1', '/v1/videos/b'])
      await fetch(process.env.API + path, { headers })`,
  )
  expect(err).toBe(
    `backlot: The service redirects calls to ${url}, where they do not pass through the proxy: name it as --target.\n` +
      `backlot: 3 calls of ${redirecting} written into ${output}.\n`,
  )
})

test('calls without an answer when the command ends are kept as such', async () => {
  const held: ServerResponse[] = []
  // The thirteenth call is answered once all of them are there.
  const url = await serviceThat((_, response) => {
    if (held.push(response) === 13) for (const one of held) if (one.req.url === '/last') one.end()
  })
  const { code, err, output, entries } = await record(
    url,
    `const call = (path) => fetch(process.env.API + path, { headers })
    for (let nth = 0; nth < 12; nth += 1) call('/v1/videos/' + nth).catch(() => {})
    await call('/last')
    process.exit(3)`,
  )
  expect(code).toBe(3)
  expect(err).toBe(`backlot: 13 calls of ${url} written into ${output}.\n`)
  const unanswered = entries.filter(({ response }) => response.status === 0)
  expect(unanswered.map(({ response }) => response)).toEqual(
    Array(12).fill(expect.objectContaining({ _error: 'the command ended before it' })),
  )
})

test('a call without a URL is recorded with the others', async () => {
  const { url } = await service()
  const { code, entries } = await record(
    url,
    `const { request } = await import('node:http')
    const call = (options) => new Promise((resolve) =>
      request(process.env.API, options, (answer) => answer.resume().on('end', resolve)).end())
    await call({ method: 'OPTIONS', path: '*' })
    await call({ path: '/v1/videos/a' })`,
  )
  expect(code).toBe(0)
  expect(entries.map(({ response: { status } }) => status)).toEqual([0, 401])
})

test('a file that is there already is kept', async () => {
  const { url } = await service()
  const file = join(newFolder(), 'session.har')
  const call = "await fetch(process.env.API + '/v1/videos/a', { headers })"
  await writeFile(file, '')
  await record(url, call, file)
  expect((await stat(file)).mode & 0o777).toBe(OWNER_ONLY)
  await writeFile(file, 'earlier')
  const { err, entries } = await record(url, call, file)
  expect(entries).toHaveLength(1)
  expect(err).toContain(`${file} was there already; it is kept as ${file}.old-1.`)
  expect(await readFile(`${file}.old-1`, 'utf8')).toBe('earlier')
})

test('without a call the file stays as it is', async () => {
  const file = join(newFolder(), 'session.har')
  await writeFile(file, 'earlier')
  const options = ['--target', 'http://a.test', '-o', file, '--env', 'API={url}', '--env', 'PORT={port}']
  const { code, err } = await ended(['record', ...options, '--', process.execPath, '-e', 'process.exit(3)'])
  expect(code).toBe(3)
  expect(err).toContain(`No call came, so ${file} is not written.`)
  expect(err).toContain('in API and PORT.')
  expect(await readFile(file, 'utf8')).toBe('earlier')
})

const TARGET = ['--target', 'https://service.test']
const ENV = ['--env', 'API={url}']

test.each([
  ['no service', [...ENV, '--', 'true'], 'Expected the URL of the real service, found none.'],
  [
    'no URL',
    ['--target', 'service', ...ENV, '--', 'true'],
    '--target must be a URL that begins with http://',
  ],
  [
    'a URL with a query',
    ['--target', 'https://a.test/?x=1', ...ENV, '--', 'true'],
    '--target must be a URL without',
  ],
  ['no variable', [...TARGET, '--', 'true'], 'wants a variable by which the command finds the service'],
  [
    'no command',
    [],
    '`backlot record` wants a command to run.\nFor example: backlot record --target https://api.example.com --env "VIDEO_API_BASE={url}/provB/api/v3" -- npm test\n',
  ],
  [
    'an unknown placeholder',
    [...TARGET, '--env', 'API={ulr}', '--', 'true'],
    'did you mean {url}?\nTo have braces as they stand, set the variable before the line, without --env: API=… backlot …\n',
  ],
  [
    'no such folder',
    [...TARGET, ...ENV, '-o', '/no/such/a.har', '--', 'true'],
    '/no/such/a.har cannot be written',
  ],
])('%s is wrong usage', async (_, args, message) => {
  const { code, err } = await endedHere(['record', ...args])
  expect(code).toBe(2)
  expect(err).toContain(message)
})
