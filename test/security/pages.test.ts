import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { readSettings } from '../../src/emulator/settings.js'
import { KEY, localPart, paths, pictureUrl, startForRawCalls, videoOrder } from './raw-calls.js'

const bearer = { authorization: `Bearer ${KEY}` }

test('a page of another site may not send a key: its browser asks first, and is not told that it may', async () => {
  const { ask } = await startForRawCalls()
  const { headers } = await ask(paths.tasks, {
    method: 'OPTIONS',
    headers: {
      origin: 'https://evil.test',
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'authorization',
    },
  })
  expect(headers['access-control-allow-origin']).toBeUndefined()
  expect(headers['access-control-allow-headers']).toBeUndefined()
})

const preflightOf = (origin: string) => ({
  method: 'OPTIONS',
  headers: {
    ...{ origin, 'access-control-request-method': 'POST' },
    'access-control-request-headers': 'authorization,content-type',
  },
})

const corsHeaders = (headers: object) =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => name.startsWith('access-control')))

test('pages of corsOrigins may call the service; other pages, and the control API, stay as they are', async () => {
  const { ask } = await startForRawCalls({ corsOrigins: ['http://localhost:5173'] })
  const preflight = await ask(paths.tasks, preflightOf('http://localhost:5173'))
  expect([preflight.status, corsHeaders(preflight.headers)]).toEqual([
    204,
    {
      'access-control-allow-origin': 'http://localhost:5173',
      'access-control-allow-methods': 'GET, POST, DELETE',
      'access-control-allow-headers': '*, Authorization',
      'access-control-expose-headers': '*',
      'access-control-max-age': '600',
    },
  ])
  const read = await ask(paths.tasks, { headers: { ...bearer, origin: 'http://localhost:5173' } })
  expect([read.status, read.headers['access-control-allow-origin'], read.headers.vary]).toEqual([
    ...[200, 'http://localhost:5173', 'Origin'],
  ])
  const control = await ask('/_backlot/clock', preflightOf('http://localhost:5173'))
  expect([control.status, corsHeaders(control.headers)]).toEqual([403, {}])
  for (const origin of ['http://localhost:5174', 'https://localhost:5173', 'null']) {
    const refused = await ask(paths.tasks, preflightOf(origin))
    expect([refused.status, corsHeaders(refused.headers)]).toEqual([403, {}])
    const answer = await ask(paths.tasks, { headers: { ...bearer, origin } })
    expect([answer.status, answer.headers.vary, corsHeaders(answer.headers)]).toEqual([200, 'Origin', {}])
  }
})

test('a star in corsOrigins is every page', async () => {
  const { ask } = await startForRawCalls({ corsOrigins: ['*'] })
  const { headers } = await ask(paths.tasks, preflightOf('null'))
  expect(headers['access-control-allow-origin']).toBe('null')
})

test('a refused preflight names the setting, in its answer and as an event', async () => {
  const { ask, emulator } = await startForRawCalls()
  const reported: unknown[] = []
  emulator.events.on('preflight', (refused) => reported.push(refused))
  const { body } = await ask(paths.tasks, preflightOf('http://localhost:5173'))
  const says = expect.stringContaining('--set corsOrigins=http://localhost:5173')
  expect(body.error).toMatchObject({ code: 'foreign_origin', message: says })
  expect(reported).toEqual([{ origin: 'http://localhost:5173', says }])
})

test('an origin with a path is no origin', () => {
  expect(() => readSettings({ corsOrigins: ['http://localhost:5173/'] })).toThrow(
    'an origin such as http://localhost:5173, or *',
  )
})

test.each(['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x'])(
  'without a key a page makes nothing, whatever its browser sends unasked: %s',
  async (type) => {
    const { ask, emulator } = await startForRawCalls()
    for (const path of [paths.image, paths.tasks, paths.videos, paths.upload, paths.second]) {
      const headers = { origin: 'https://evil.test', 'content-type': type, 'sec-fetch-site': 'cross-site' }
      const { status } = await ask(path, { method: 'POST', headers, body: JSON.stringify(videoOrder()) })
      expect([path, status]).toEqual([path, 401])
    }
    expect(await emulator.store.read('default', ({ tasks, assets }) => tasks.size + assets.size)).toBe(0)
  },
)

/** What Chromium sends for a page on http://<name>, whose requests to itself are of one origin. */
const fromReboundPage = (name: string, port: number) => ({
  host: `${name}:${port}`,
  connection: 'keep-alive',
  'user-agent':
    'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Safari/537.36',
  accept: '*/*',
  referer: `http://${name}:${port}/`,
  'accept-encoding': 'gzip, deflate',
  'accept-language': 'en-US,en;q=0.9',
})

test.each(['127.0.0.1', '0.0.0.0'])(
  'listening on %s, it refuses a page that had its own name resolve here, and names the way out',
  async (host) => {
    const started = await startForRawCalls({ host })
    const url = localPart(await pictureUrl(started))
    const headers = { ...bearer, ...fromReboundPage('evil.example', started.port) }
    for (const path of [paths.tasks, url, '/nothing']) {
      const { status, body } = await started.ask(path, { headers })
      expect([status, body.error.code]).toEqual([403, 'foreign_host'])
      expect(body.error.message).toContain('--allowed-hosts evil.example')
    }
    expect((await started.ask('/_backlot/clock', { headers })).status).toBe(403)
    expect((await started.ask('/_backlot/fixtures/square.png', { headers })).status).toBe(200)
  },
)

test.each([
  ['backlot.films.svc', 200],
  ['backlot.films.svc:4650', 200],
  ['localhost:', 200],
  ['LOCALHOST:', 200],
  ['backlot.films.svc.evil.example', 403],
  ['evil.example:', 403],
])(
  'a call to the host %s is answered with %i, the service and the control API alike',
  async (host, status) => {
    const { ask } = await startForRawCalls()
    const answers = [paths.tasks, '/_backlot/clock'].map((path) =>
      ask(path, { headers: { ...bearer, host } }),
    )
    expect((await Promise.all(answers)).map((answer) => answer.status)).toEqual([status, status])
  },
)

test.each([300, 301])('of a host of %i characters, the message shows the first 300', async (length) => {
  const { ask } = await startForRawCalls()
  const host = 'a.'.repeat(length).slice(0, length)
  const { status, body } = await ask(paths.tasks, { headers: { ...bearer, host } })
  expect(status).toBe(403)
  expect(body.error.message).toMatch(`Requests for the host ${host.slice(0, 300)} are refused`)
})

test('a page cannot hide its name behind more headers than Node counts by default', async () => {
  const { port, emulator } = await startForRawCalls({ headerBytes: 64 * 1024 })
  const many = Array.from({ length: 2_100 }, (_, at) => `X-${at}: a`)
  const body = JSON.stringify(videoOrder())
  const socket = connect(port, '127.0.0.1')
  socket.end(
    [
      `POST ${paths.tasks} HTTP/1.1`,
      `Authorization: Bearer ${KEY}`,
      `Content-Length: ${body.length}`,
      ...many,
      `Host: evil.example:${port}`,
      'Origin: http://evil.example',
      '',
      body,
    ].join('\r\n'),
  )
  const answer = await text(socket)
  expect(answer.split('\r\n')[0]).toBe('HTTP/1.1 403 Forbidden')
  expect(await emulator.store.keys()).not.toContain(KEY)
})

test('names that no stranger can own are answered, and those that the settings allow', async () => {
  const { ask, port } = await startForRawCalls({
    publicUrl: 'http://api.mine.example',
    allowedHosts: ['api.provider.example', '*.ours.example'],
  })
  const statusOf = async (host: string) => (await ask(paths.tasks, { headers: { ...bearer, host } })).status
  const own = [
    `localhost:${port}`,
    '192.168.0.7',
    '[::1]:80',
    'backlot:4650',
    'a.b.localhost',
    'api.dev.internal',
  ]
  const allowed = ['api.mine.example', 'api.provider.example', 'API.Provider.Example.:80', 'a.ours.example']
  for (const host of [...own, ...allowed]) expect([host, await statusOf(host)]).toEqual([host, 200])
  // Hosts of URLs, in which the name stands behind what is no part of it.
  for (const host of ['evil.example@localhost', 'localhost/evil.example'])
    expect([host, await statusOf(host)]).toEqual([host, 403])
  for (const host of ['provider.example', 'ours.example', 'api.mine.example.evil.example', 'evil.example:80'])
    expect([host, await statusOf(host)]).toEqual([host, 403])
})

test('no answer lets a browser guess its type', async () => {
  const started = await startForRawCalls()
  const url = localPart(await pictureUrl(started))
  for (const path of [
    paths.tasks,
    '/nothing',
    url,
    `${url}x`,
    '/_backlot/clock',
    '/_backlot/fixtures/square.png',
  ])
    expect([path, (await started.ask(path, { headers: bearer })).headers['x-content-type-options']]).toEqual([
      path,
      'nosniff',
    ])
  const refused = await started.ask(paths.tasks, { headers: { host: 'evil.example' } })
  expect(refused.headers['x-content-type-options']).toBe('nosniff')
})

test('result files are open to pages of all sites, as those of object stores are', async () => {
  const started = await startForRawCalls()
  const { status, headers } = await started.ask(localPart(await pictureUrl(started)), {
    headers: { origin: 'https://app.test' },
  })
  expect([status, headers['access-control-allow-origin']]).toEqual([200, '*'])
})
