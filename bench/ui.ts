import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import { type Browser, chromium, type Page } from 'playwright-core'
import { browserPath } from '../test/browser/browser-path.js'
import { ask, creates, get, TASKS } from './calls.js'
import { byTurns, inFullOr, medians } from './measure.js'
import { atMost, OURS, type Row, row, type Table } from './report.js'
import { type Server, startBacklot } from './server.js'

const HELD = inFullOr(10_000, 2_000)
const EVENTS_PER_SECOND = 100
const SECONDS = inFullOr(5, 2)
const ROUNDS = inFullOr(11, 3)
const LOADS = inFullOr(5, 1)
const VIEWS = ['timeline', 'requests'] as const

/** What Chromium loads of its own into a process beside a new window: some 900 ms of a processor. */
const WINDOW_SETTLES_MS = 2_000

/** A page that counts its tasks of at least 50 ms, with their lengths, in a window that is done with its own start. */
const openPage = async (browser: Browser): Promise<Page> => {
  const page = await browser.newPage({ viewport: { width: 1_280, height: 800 } })
  await page.goto('data:text/html,<p>open')
  await setTimeout(WINDOW_SETTLES_MS)
  await page.addInitScript(
    `window.longTasks = []; new PerformanceObserver((list) => longTasks.push(...list.getEntries().map(({ duration }) => duration))).observe({ type: 'longtask', buffered: true })`,
  )
  return page
}

/** Milliseconds of the longest task of a page since it was asked before; 0 where none has taken 50. */
const longestTask = (page: Page): Promise<number> =>
  page.evaluate<number>(`Math.max(0, ...longTasks.splice(0))`)

const show = async (page: Page, url: string, view: string): Promise<void> => {
  await page.goto(`${url}/_backlot/ui/${view}`)
  await page.locator('main[aria-busy="false"]').waitFor({ state: 'attached', timeout: 120_000 })
}

const PLAIN = 'One line of HTML'

/** What stands beside the page: one line of HTML with one script, of `node:http`. It tells the browser's part from the page's. */
const startPlain = async (): Promise<Pick<Server, 'url' | 'stop'>> => {
  const server = createServer(({ url }, response) => {
    const isScript = url?.endsWith('.js')
    response.setHeader('Content-Type', isScript ? 'text/javascript' : 'text/html')
    response.end(
      isScript ? 'document.title = "plain"' : '<!doctype html><script type=module src=a.js></script>plain',
    )
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const stop = async () => void server.close()
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, stop }
}

/**
 * Milliseconds from the request of a page to what is painted first, in a browser that is open with nothing in its cache. The
 * page is asked for as soon as its server says that it is ready.
 */
const firstPaint = async (browser: Browser, name: typeof OURS | typeof PLAIN): Promise<number> => {
  const page = await openPage(browser)
  const server = await (name === OURS ? startBacklot() : startPlain())
  await page.goto(`${server.url}${name === OURS ? '/_backlot/ui/' : '/'}`)
  // A function, since the page's policy refuses to evaluate text once it has begun to load.
  const painted = await page.waitForFunction(
    () => performance.getEntriesByName('first-contentful-paint')[0]?.startTime,
  )
  const time = (await painted.jsonValue()) as number
  await page.close()
  await server.stop()
  return time
}

/** Polls of tasks by turns, as many a second as there are to be events: nothing is added but calls to a journal that is full. */
const makePolls = async ({ url }: Server, ids: readonly string[], seconds: number): Promise<void> => {
  const begin = performance.now()
  let made = 0
  while (performance.now() - begin < seconds * 1_000) {
    for (; made < ((performance.now() - begin) / 1_000) * EVENTS_PER_SECOND; made += 1)
      await ask(url, get(`${TASKS}/${ids[made % ids.length]}`))
    await setTimeout(20)
  }
}

/** Creates and polls in turn, as many a second as there are to be events. */
const makeEvents = async ({ url }: Server): Promise<void> => {
  const begin = performance.now()
  let made = 0
  while (performance.now() - begin < SECONDS * 1_000) {
    // A create is a call and a task; a poll of it is a call.
    for (; made < ((performance.now() - begin) / 1_000) * EVENTS_PER_SECOND; made += 3) {
      const { id } = await ask<{ id: string }>(url, creates.B)
      await ask(url, get(`${TASKS}/${id}`))
    }
    await setTimeout(20)
  }
}

const longTasks = async (browser: Browser): Promise<Row[]> => {
  const server = await startBacklot('--timing', 'realistic')
  for (let made = 0; made < HELD; made += 20)
    await Promise.all(Array.from({ length: 20 }, () => ask(server.url, creates.B)))
  let page = await openPage(browser)
  const rows: Row[] = []
  const note = (name: string, ms: number) => rows.push(row(name, 'ms', ms, atMost(100)))
  for (const view of VIEWS) {
    const loads: number[] = []
    for (let nth = 0; nth < LOADS; nth += 1) {
      await page.close()
      page = await openPage(browser)
      await show(page, server.url, view)
      loads.push(await longestTask(page))
    }
    note(`${view}: longest task while it is loaded`, Math.max(...loads))
    await makeEvents(server)
    note(`${view}: longest task beside ${EVENTS_PER_SECOND} events a second`, await longestTask(page))
  }
  await page.getByRole('link', { name: 'Timeline' }).click()
  await page.locator('.timeline-line').first().waitFor()
  note('timeline: longest task while it is opened from another view', await longestTask(page))
  await server.stop()
  return rows
}

const HEAP_MINUTES = inFullOr(5, 0.2)
const LOADED = 'main[aria-busy="false"]'

/** Megabytes of the page's JavaScript heap, once what is not needed was collected. */
const heapOf = async (page: Page): Promise<number> => {
  const session = await page.context().newCDPSession(page)
  await session.send('HeapProfiler.collectGarbage')
  const { usedSize } = await session.send('Runtime.getHeapUsage')
  await session.detach()
  return usedSize / 1_000_000
}

/** How soon the first rows are there, and whether the page grows while events come. */
const rowsAndMemory = async (browser: Browser): Promise<Row[]> => {
  const server = await startBacklot('--timing', 'realistic')
  for (let made = 0; made < HELD; made += 20)
    await Promise.all(Array.from({ length: 20 }, () => ask(server.url, creates.B)))
  const page = await openPage(browser)
  const begin = performance.now()
  await page.goto(`${server.url}/_backlot/ui/timeline`)
  await page.locator('.timeline-line').first().waitFor()
  const firstRows = performance.now() - begin
  await page.locator(LOADED).waitFor({ state: 'attached', timeout: 120_000 })
  const made = await Promise.all(Array.from({ length: 50 }, () => ask<{ id: string }>(server.url, creates.B)))
  const ids = made.map(({ id }) => id)
  await makePolls(server, ids, SECONDS)
  const before = await heapOf(page)
  await makePolls(server, ids, HEAP_MINUTES * 60)
  const after = await heapOf(page)
  await page.close()
  await server.stop()
  return [
    row('first rows', 'ms', firstRows, atMost(1_000)),
    row(
      `heap after ${HEAP_MINUTES} minutes of ${EVENTS_PER_SECOND} calls a second, less that before`,
      'MB',
      after - before,
      atMost(10),
    ),
  ]
}

/** Names of the scripts that a script loads with itself. */
const importedBy = (name: string, found = new Set<string>()): ReadonlySet<string> => {
  if (found.has(name)) return found
  found.add(name)
  const source = readFileSync(`dist/ui/${name}`, 'utf8')
  for (const [, imported = ''] of source.matchAll(/(?:from|^import|;import)\s*["']\.\/([\w.-]+\.js)["']/gm))
    importedBy(imported, found)
  return found
}

const bytes = (): Row[] => {
  const sizeOf = (names: Iterable<string>) =>
    [...names].reduce((sum, name) => sum + gzipSync(readFileSync(`dist/ui/${name}`)).length, 0) / 1_000
  const all = readdirSync('dist/ui')
  const timeline = all.find((name) => name.startsWith('timeline-')) ?? ''
  const first = new Set([
    'index.html',
    'icon.svg',
    'app.css',
    ...importedBy('app.js'),
    ...importedBy(timeline),
  ])
  return [
    row('files of the first load, gzip', 'KB', sizeOf(first), atMost(60)),
    row('all files of the page, gzip', 'KB', sizeOf(all), atMost(100)),
  ]
}

/** The page in Chromium: how soon it is painted, and what its longest tasks take. Without Chromium, only its bytes. */
export const ui = async (): Promise<Table[]> => {
  if (browserPath === undefined) {
    console.log('The page is not measured in a browser: this machine has no Chromium.')
    return [{ title: 'The page', rows: bytes() }]
  }
  const browser = await chromium.launch({
    executablePath: browserPath,
    args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking'],
  })
  const paints = await byTurns([OURS, PLAIN], ROUNDS, (name) => firstPaint(browser, name))
  const rows = [
    row(
      'first paint as soon as it is ready, median',
      'ms',
      medians(paints, (time) => time),
      atMost(200),
    ),
    ...(await longTasks(browser)),
    ...(await rowsAndMemory(browser)),
    ...bytes(),
  ]
  await browser.close()
  const title = `The page, with ${HELD.toLocaleString('en')} tasks; a longest task of 0 is one below 50 ms`
  const note = `First paint is the median of ${ROUNDS} openings; a longest task while loading is that of ${LOADS} loads, each in a new window that Chromium has opened wholly.`
  return [{ title, note, rows }]
}
