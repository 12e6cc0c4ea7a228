import { readdirSync, readFileSync } from 'node:fs'
import { setTimeout } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import { type Browser, chromium, type Page } from 'playwright-core'
import { browserPath } from '../test/browser/browser-path.js'
import { ask, creates, get, TASKS } from './calls.js'
import { inFullOr, median } from './measure.js'
import { atMost, type Row, row, type Table } from './report.js'
import { type Server, startBacklot } from './server.js'

const HELD = inFullOr(10_000, 2_000)
const EVENTS_PER_SECOND = 100
const SECONDS = inFullOr(5, 2)
const ROUNDS = inFullOr(3, 1)
const VIEWS = ['timeline', 'requests'] as const

/** A page that counts its tasks of at least 50 ms, with their lengths. */
const openPage = async (browser: Browser): Promise<Page> => {
  const page = await browser.newPage({ viewport: { width: 1_280, height: 800 } })
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

/** Milliseconds from the request of the page to what is painted first, where the emulator has just started. */
const firstPaint = async (browser: Browser): Promise<number> => {
  const server = await startBacklot()
  const page = await openPage(browser)
  await show(page, server.url, '')
  const painted = await page.evaluate<number>(
    `performance.getEntriesByName('first-contentful-paint')[0].startTime`,
  )
  await page.close()
  await server.stop()
  return painted
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
  const page = await openPage(browser)
  const rows: Row[] = []
  const note = async (name: string) => rows.push(row(name, 'ms', await longestTask(page), atMost(100)))
  for (const view of VIEWS) {
    await show(page, server.url, view)
    await note(`${view}: longest task while it is loaded`)
    await makeEvents(server)
    await note(`${view}: longest task beside ${EVENTS_PER_SECOND} events a second`)
  }
  await page.getByRole('link', { name: 'Timeline' }).click()
  await page.locator('.timeline-line').first().waitFor()
  await note('timeline: longest task while it is opened from another view')
  await server.stop()
  return rows
}

const bytes = (): Row[] => {
  const files = readdirSync('dist/ui').map((name) => readFileSync(`dist/ui/${name}`))
  const sum = (lengths: readonly number[]) => lengths.reduce((all, length) => all + length) / 1_000
  return [
    row('files of the page', 'KB', sum(files.map(({ length }) => length)), atMost(150)),
    row('files of the page, gzip', 'KB', sum(files.map((file) => gzipSync(file).length)), atMost(45)),
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
  const paints: number[] = []
  for (let round = 0; round <= ROUNDS; round += 1) paints.push(await firstPaint(browser))
  const rows = [
    row('first paint after the emulator is ready, median', 'ms', median(paints.slice(1)), atMost(200)),
    ...(await longTasks(browser)),
    ...bytes(),
  ]
  await browser.close()
  const title = `The page, with ${HELD.toLocaleString('en')} tasks; a longest task of 0 is one below 50 ms`
  return [{ title, rows }]
}
