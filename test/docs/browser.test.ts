import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'
import { createViteServer } from 'vitest/node'
import { startEmulator } from '../../src/index.js'
import { browserPath } from '../browser/browser-path.js'
import { BROWSER_MS, openPage } from '../browser/open-page.js'
import { blockWith } from './run.js'

const order = JSON.stringify({
  model: 'videoa-2-0-260128',
  content: [{ type: 'text', text: 'a lighthouse' }],
})
const headers = { Authorization: 'Bearer any-key', 'Content-Type': 'application/json' }
const TASKS = '/provB/api/v3/contents/generations/tasks'

test('the proxy recipe passes on calls of the service and the results that they name', async () => {
  const emulator = await startEmulator({ timing: 'instant' })
  onTestFinished(() => emulator.stop())
  const code = blockWith('docs/browser.md', 'proxy:').code.replace('http://127.0.0.1:4650', emulator.url)
  const config = await import(`data:text/javascript,${encodeURIComponent(code)}`)
  const page = await createViteServer({
    ...{ configFile: false, logLevel: 'silent', root: fileURLToPath(new URL('.', import.meta.url)) },
    server: { ...config.default.server, port: 0, host: '127.0.0.1', ws: false, watch: null },
    optimizeDeps: { noDiscovery: true },
  })
  onTestFinished(() => page.close())
  await page.listen()
  const site = page.resolvedUrls?.local[0]?.replace(/\/$/, '') ?? ''
  const { id } = (await (
    await fetch(`${site}${TASKS}`, { method: 'POST', headers, body: order })
  ).json()) as {
    id: string
  }
  const task = (await (await fetch(`${site}${TASKS}/${id}`, { headers })).json()) as {
    content: { video_url: string }
  }
  expect(task.content.video_url).toMatch(new RegExp(`^${site}/results/`))
  const head = await fetch(task.content.video_url, { method: 'HEAD' })
  expect([head.status, head.headers.get('content-type')]).toEqual([200, 'video/mp4'])
})

/** An empty page at an origin of its own. */
const openSite = async (): Promise<string> => {
  const server = createServer((_, response) => response.setHeader('Content-Type', 'text/html').end('<p>'))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

test.skipIf(browserPath === undefined)(
  'a page of an origin that corsOrigins names calls the service from a browser, and no other page does',
  async () => {
    const [allowed, other] = [await openSite(), await openSite()]
    const emulator = await startEmulator({ timing: 'instant', corsOrigins: [allowed] })
    onTestFinished(() => emulator.stop())
    const page = await openPage()
    const call = async (site: string) => {
      await page.goto(site)
      await page.addScriptTag({ path: 'test/docs/page-call.js' })
      return page.evaluate(`call(${JSON.stringify({ url: emulator.url + TASKS, headers, body: order })})`)
    }
    expect(await call(allowed)).toEqual({ status: 'succeeded', requestId: true, media: true })
    expect(await call(other)).toBe('Failed to fetch')
  },
  BROWSER_MS,
)
