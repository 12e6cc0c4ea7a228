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
    expect(await emulator.store.run('default', ({ tasks, assets }) => tasks.size + assets.size)).toBe(0)
  },
)

test('a page that had its own name lead here is not answered, key or no key', async () => {
  const { ask } = await openStage()
  for (const [name, value] of [
    ['origin', 'http://evil.test'],
    ['sec-fetch-site', 'same-origin'],
  ] as const) {
    const headers = { ...bearer, [name]: value, host: 'evil.test' }
    const { status, body } = await ask(paths.tasks, { headers })
    expect([status, body.error.code]).toEqual([403, 'foreign_host'])
  }
})

test('programs are answered under any name, and pages under the emulator’s own', async () => {
  const { ask, port } = await openStage({ publicUrl: 'http://api.mine.test' })
  const named = (host: string, signs = {}) => ask(paths.tasks, { headers: { ...bearer, ...signs, host } })
  expect((await named('api.provider.test')).status).toBe(200)
  expect((await named('api.mine.test', { origin: 'http://app.mine.test' })).status).toBe(200)
  expect((await named(`localhost:${port}`, { origin: 'http://localhost:3000' })).status).toBe(200)
})

test('result files are open to pages of all sites, as those of object stores are', async () => {
  const stage = await openStage()
  const { status, headers } = await stage.ask(localPart(await pictureUrl(stage)), {
    headers: { origin: 'https://app.test' },
  })
  expect([status, headers['access-control-allow-origin']]).toEqual([200, '*'])
})
