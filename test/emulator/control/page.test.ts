import { mkdir, writeFile } from 'node:fs/promises'
import { createServer, request } from 'node:http'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { createPage } from '../../../src/emulator/control/page.js'
import { readSettings } from '../../../src/emulator/settings.js'
import { type RunningEmulator, startEmulator } from '../../../src/index.js'
import { newFolder } from '../../folder.js'

/** The files of a page on a port, for the length of a test. `inner`: a folder among them. */
const served = async (inner = '.'): Promise<string> => {
  const folder = newFolder()
  await mkdir(join(folder, inner), { recursive: true })
  await writeFile(join(folder, 'index.html'), '<title>Backlot</title>')
  await writeFile(join(folder, 'app.js'), 'void 0')
  const server = createServer(createPage(readSettings({}), folder)).listen(0)
  onTestFinished(() => void server.close())
  const address = server.address()
  return `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}/_backlot/ui`
}

describe('the files of the page', () => {
  test.each(['/', '/requests', '/tasks/cgt-1', '/?x=1'])('%s is the document', async (path) => {
    const response = await fetch((await served()) + path)
    expect(response.headers.get('content-type')).toMatch(/^text\/html/)
    expect(await response.text()).toContain('<title>')
  })

  test('have headers by which nothing else runs or frames them', async () => {
    for (const path of ['/', '/app.js']) {
      const { headers } = await fetch((await served()) + path)
      const policy = headers.get('content-security-policy') ?? ''
      expect(policy).toMatch(/^default-src 'none';/)
      expect(policy).toContain("frame-ancestors 'none'")
      expect(policy).not.toContain('unsafe')
      expect(headers.get('x-content-type-options')).toBe('nosniff')
      expect(headers.get('referrer-policy')).toBe('no-referrer')
    }
  })

  test('are answered to HEAD without their content', async () => {
    const response = await fetch(`${await served()}/app.js`, { method: 'HEAD' })
    expect([response.status, response.headers.get('content-length')]).toEqual([200, '6'])
    expect(await response.text()).toBe('')
  })

  test('are those of the documentation too, as texts, and nothing else of the package', async () => {
    const url = await served()
    const response = await fetch(`${url}/docs/families/b-video-task.md`)
    expect(response.headers.get('content-type')).toBe('text/plain; charset=utf-8')
    expect(await response.text()).toContain('### duration')
    for (const path of [
      '/docs/../package.json',
      '/docs/..%2fpackage.json',
      '/docs/a/b/c.md',
      '/package/x.md',
    ])
      expect(await (await fetch(url + path)).text()).not.toContain('"name"')
    expect((await fetch(`${url}/docs/nothing.md`)).status).toBe(404)
  })

  test.each([
    ['/missing.js', 'no-such-file'],
    ['/icon.svg', 'no-such-file'],
  ])('%s, which the build has not made, is said to be missing', async (path, code) => {
    const response = await fetch((await served()) + path)
    expect(response.status).toBe(404)
    expect(await response.json()).toMatchObject({ error: { code } })
  })

  test('a file that cannot be read is not said to be missing', async () => {
    const url = await served('a.folder')
    const response = await fetch(`${url}/a.folder`)
    expect(response.status).toBe(500)
    expect(await response.json()).toMatchObject({
      error: { code: 'file-trouble', message: 'The page cannot be read: it is a folder.' },
    })
  })

  test.each(['/../package.json', '/%2e%2e/package.json', '/..%2fpackage.json', '/.env', '/missing.js'])(
    '%s is none of them',
    async (path) => {
      const body = await fetch((await served()) + path).then((response) => response.text())
      expect(body).not.toContain('dependencies')
    },
  )

  test('are under a path with a slash at its end', async () => {
    const response = await fetch(await served(), { redirect: 'manual' })
    expect([response.status, response.headers.get('location')]).toEqual([308, '/_backlot/ui/'])
  })
})

describe('an emulator', () => {
  let emulator: RunningEmulator
  beforeAll(async () => {
    emulator = await startEmulator({ controlToken: 'a-token-of-some-length' })
  })
  afterAll(() => emulator.stop())

  const statusOf = (path: string, headers: Record<string, string>): Promise<number> =>
    new Promise((resolve, reject) =>
      request(emulator.url + path, { headers }, (response) => {
        response.resume()
        resolve(response.statusCode ?? 0)
      })
        .on('error', reject)
        .end(),
    )

  test('sends a browser that opens it to the page', async () => {
    const headers = { Accept: 'text/html,application/xhtml+xml' }
    const response = await fetch(`${emulator.url}/`, { headers, redirect: 'manual' })
    expect([response.status, response.headers.get('location')]).toEqual([302, '/_backlot/ui/'])
  })

  test('answers any other client there as the service does', async () => {
    const response = await fetch(`${emulator.url}/`, { headers: { Accept: '*/*' }, redirect: 'manual' })
    expect(response.status).toBe(404)
  })

  test('gives the files of the page without its token, but not under a foreign host or to a foreign page', async () => {
    expect(await statusOf('/_backlot/ui/', {})).not.toBe(401)
    expect(await statusOf('/_backlot/ui/', { Host: 'evil.example' })).toBe(403)
    expect(await statusOf('/_backlot/ui/', { Origin: 'http://evil.example' })).toBe(403)
    expect(await statusOf('/_backlot/ui/', { 'Sec-Fetch-Site': 'cross-site' })).toBe(403)
  })
})
