import { accessSync, constants } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { chromium, type Page } from 'playwright-core'
import { onTestFinished } from 'vitest'

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable']

const canRun = (path: string): boolean => {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}

/** The browser of this machine; undefined where there is none, since none is installed for the tests. */
export const browserPath = (process.env.PATH ?? '')
  .split(delimiter)
  .flatMap((folder) => NAMES.map((name) => join(folder, name)))
  .find(canRun)

/** An empty page in a browser of the test's own. */
export const openPage = async (): Promise<Page> => {
  const folder = await mkdtemp(join(tmpdir(), 'browser-'))
  const context = await chromium.launchPersistentContext(folder, {
    headless: true,
    args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking'],
    ...(browserPath === undefined ? {} : { executablePath: browserPath }),
  })
  onTestFinished(async () => {
    await context.close()
    await rm(folder, { recursive: true, force: true })
  })
  return context.newPage()
}
