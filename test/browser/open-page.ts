import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium, type Page } from 'playwright-core'
import { onTestFinished } from 'vitest'
import { browserPath } from './browser-path.js'

/** A test in a real browser takes longer than most on a machine that is busy. */
export const BROWSER_MS = 180_000

/** How many times as slow as this machine the pages of tests run, to find tests that lean on speed. */
const slowdown = Number(process.env.BROWSER_SLOWDOWN ?? 1)
/** How many milliseconds each answer to a page takes longer, to find tests that lean on what is answered at once. */
const latency = Number(process.env.BROWSER_LATENCY ?? 0)

export const slowDown = async (page: Page): Promise<void> => {
  if (slowdown === 1 && latency === 0) return
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: slowdown })
  if (latency === 0) return
  await devtools.send('Network.enable')
  const unlimited = { downloadThroughput: -1, uploadThroughput: -1, offline: false }
  await devtools.send('Network.emulateNetworkConditions', { latency, ...unlimited })
}

/** An empty page in a browser of the test's own. */
export const openPage = async (): Promise<Page> => {
  const folder = await mkdtemp(join(tmpdir(), 'browser-'))
  const context = await chromium.launchPersistentContext(folder, {
    headless: true,
    timeout: BROWSER_MS,
    args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking'],
    ...(browserPath === undefined ? {} : { executablePath: browserPath }),
  })
  onTestFinished(async () => {
    await context.close()
    await rm(folder, { recursive: true, force: true })
  })
  const page = await context.newPage()
  await slowDown(page)
  return page
}
