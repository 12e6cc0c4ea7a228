import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test, vi } from 'vitest'
import { noHealthReporter } from '../../../src/emulator/core/events.js'
import { createApp, originForm } from '../../../src/emulator/service/app.js'
import { paths, startOnPort } from '../../emulator.js'

test.each([
  ['/v1/videos?x=1', '/v1/videos?x=1'],
  ['http://127.0.0.1:4650/v1/videos?x=http://y/', '/v1/videos?x=http://y/'],
  ['HTTPS://backlot.test/v1/videos', '/v1/videos'],
  ['http://backlot.test', '/'],
  ['http://backlot.test?x=1', '/?x=1'],
  ['//backlot.test/v1/videos', '//backlot.test/v1/videos'],
  ['ftp://backlot.test/v1/videos', 'ftp://backlot.test/v1/videos'],
  ['*', '*'],
  ['', ''],
])('%s asks for %s', (target, path) => expect(originForm(target)).toBe(path))

test('a control API that could not be loaded is answered for, and loaded at the next call', async () => {
  const bugs: unknown[] = []
  let tries = 0
  const app = createApp({
    service: async () => {},
    loadControl: async () => {
      tries += 1
      if (tries === 1) throw new Error('too many open files')
      return (_request, response) => void response.end('loaded')
    },
    sendPage: () => undefined,
    sendPoster: async () => {},
    isAllowedHost: () => true,
    handleCors: () => false,
    onRefused: () => {},
    health: noHealthReporter,
    onInternalError: (error) => void bugs.push(error),
  })
  const server = createServer(app).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  const ask = () => fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}/_backlot/health`)
  const refused = await ask()
  expect([refused.status, await refused.json()]).toMatchObject([500, { error: { code: 'internal' } }])
  expect(bugs).toHaveLength(1)
  expect(await (await ask()).text()).toBe('loaded')
})

test('a page of corsOrigins can read the answer to a call that failed inside', async () => {
  const { emulator, url, bugs } = await startOnPort({ corsOrigins: ['http://page.test'] })
  vi.spyOn(emulator.store, 'query').mockRejectedValueOnce(new Error('broken'))
  const headers = { origin: 'http://page.test', authorization: 'Bearer page' }
  const failed = await fetch(`${url}${paths.tasks}/none`, { headers })
  expect([failed.status, bugs.splice(0).length]).toEqual([500, 1])
  expect(failed.headers.get('access-control-allow-origin')).toBe('http://page.test')
  expect(failed.headers.get('vary')).toBe('Origin')
})

test('only paths of the control API and of the page are kept from the service', async () => {
  const { url } = await startOnPort()
  const other = await fetch(`${url}/_backlotted`)
  expect(await other.json()).toMatchObject({ error: { message: 'Invalid URL (GET /_backlotted)' } })
  const posted = await fetch(`${url}/_backlot/ui/`, { method: 'POST' })
  expect([posted.status, posted.headers.get('content-type')]).toEqual([404, expect.stringContaining('json')])
  const headers = { accept: 'text/html' }
  const opened = await fetch(`${url}/?from=printed`, { headers, redirect: 'manual' })
  expect([opened.status, opened.headers.get('location')]).toEqual([302, '/_backlot/ui/'])
})

test('answers differ by the Origin only where pages may call the service', async () => {
  for (const corsOrigins of [[], ['http://page.test']]) {
    const { url } = await startOnPort({ corsOrigins })
    const vary = (await fetch(`${url}${paths.tasks}`)).headers.get('vary')
    expect(vary).toBe(corsOrigins.length === 0 ? null : 'Origin')
  }
})
