import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { KEY, localPart, openStage, paths, pictureUrl, videoOrder } from './stage.js'

const bearer = { authorization: `Bearer ${KEY}` }

test('a page of another site may not send a key: its browser asks first, and is not told that it may', async () => {
  const { ask } = await openStage()
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

test.each(['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x'])(
  'without a key a page makes nothing, whatever its browser sends unasked: %s',
  async (type) => {
    const { ask, emulator } = await openStage()
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
    const stage = await openStage({ host })
    const url = localPart(await pictureUrl(stage))
    const headers = { ...bearer, ...fromReboundPage('evil.example', stage.port) }
    for (const path of [paths.tasks, url, '/nothing']) {
      const { status, body } = await stage.ask(path, { headers })
      expect([status, body.error.code]).toEqual([403, 'foreign_host'])
      expect(body.error.message).toContain('--allowed-hosts evil.example')
    }
    expect((await stage.ask('/_backlot/clock', { headers })).status).toBe(403)
    expect((await stage.ask('/_backlot/fixtures/square.png', { headers })).status).toBe(200)
  },
)

test('a page cannot hide its name behind more headers than Node counts by default', async () => {
  const { port, emulator } = await openStage({ headerBytes: 64 * 1024 })
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
  const { ask, port } = await openStage({
    publicUrl: 'http://api.mine.example',
    allowedHosts: ['api.provider.example', '*.ours.example'],
  })
  const statusOf = async (host: string) => (await ask(paths.tasks, { headers: { ...bearer, host } })).status
  const own = [
    `localhost:${port}`,
    '192.168.0.7',
    '[::1]:80',
    'backlot:4010',
    'a.b.localhost',
    'api.dev.internal',
  ]
  const allowed = ['api.mine.example', 'api.provider.example', 'API.Provider.Example.:80', 'a.ours.example']
  for (const host of [...own, ...allowed]) expect([host, await statusOf(host)]).toEqual([host, 200])
  for (const host of ['provider.example', 'ours.example', 'api.mine.example.evil.example', 'evil.example:80'])
    expect([host, await statusOf(host)]).toEqual([host, 403])
})

test('no answer lets a browser guess its type', async () => {
  const stage = await openStage()
  const url = localPart(await pictureUrl(stage))
  for (const path of [
    paths.tasks,
    '/nothing',
    url,
    `${url}x`,
    '/_backlot/clock',
    '/_backlot/fixtures/square.png',
  ])
    expect([path, (await stage.ask(path, { headers: bearer })).headers['x-content-type-options']]).toEqual([
      path,
      'nosniff',
    ])
  const refused = await stage.ask(paths.tasks, { headers: { host: 'evil.example' } })
  expect(refused.headers['x-content-type-options']).toBe('nosniff')
})

test('result files are open to pages of all sites, as those of object stores are', async () => {
  const stage = await openStage()
  const { status, headers } = await stage.ask(localPart(await pictureUrl(stage)), {
    headers: { origin: 'https://app.test' },
  })
  expect([status, headers['access-control-allow-origin']]).toEqual([200, '*'])
})
