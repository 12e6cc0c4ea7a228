import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { type EmulatorSettings, type RunningEmulator, startEmulator } from '../../src/index.js'
import { browserPath } from '../browser/browser-path.js'
import { BROWSER_MS, slowDown } from '../browser/open-page.js'

export { BROWSER_MS }

const isRequired = process.env.CI_BROWSER === 'required'
if (browserPath === undefined && !isRequired)
  console.warn(
    'The tests of the page in a browser are skipped: this machine has no Chromium (chromium, google-chrome).',
  )

/** What pages of the running test reported, by page. */
const incidentsOfTest: (readonly string[])[] = []

/**
 * A test that needs a browser: skipped where there is none, unless CI_BROWSER is `required`. It fails where a script of a page
 * threw, or the Content-Security-Policy kept something out.
 */
export const browserTest = (name: string, run: () => Promise<void>, timeout = BROWSER_MS): void =>
  test.skipIf(browserPath === undefined && !isRequired)(
    name,
    async () => {
      incidentsOfTest.length = 0
      await run()
      expect(incidentsOfTest.flat().filter((text) => !text.startsWith('dialog: '))).toEqual([])
    },
    timeout,
  )

let browser: Browser

/** Starts one browser for the tests of a file. */
export const useBrowser = (): void => {
  beforeAll(async () => {
    if (browserPath === undefined && !isRequired) return
    browser = await chromium.launch({
      timeout: BROWSER_MS,
      args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking'],
      ...(browserPath === undefined ? {} : { executablePath: browserPath }),
    })
  }, BROWSER_MS)
  afterAll(() => browser?.close())
}

interface OpenOptions {
  readonly settings?: EmulatorSettings
  readonly colorScheme?: 'light' | 'dark'
  readonly width?: number
  /** Run before anything of the page. */
  readonly initScript?: string
}

/** A page of an emulator, with everything that must not happen on it. */
export interface OpenedPage {
  readonly emulator: RunningEmulator
  readonly context: BrowserContext
  readonly page: Page
  /** Goes to a view, `requests?problems=1`, and awaits that the page has read everything of the account. */
  readonly show: (path: string, on?: Page) => Promise<void>
  /** Content-Security-Policy reports, dialogs and errors of scripts so far. */
  readonly incidents: readonly string[]
}

/** Key of the account that pages of tests show. */
export const KEY = 'alice-key'

/** An emulator with a paused clock and a page of its own in the browser of the file; both end with the test. */
export const openUi = async ({
  settings = {},
  colorScheme = 'light',
  width = 1_280,
  initScript,
}: OpenOptions = {}): Promise<OpenedPage> => {
  const emulator = await startEmulator({ clock: 'paused', ...settings })
  const context = await browser.newContext({ colorScheme, viewport: { width, height: 800 } })
  onTestFinished(async () => {
    await context.close()
    await emulator.stop()
  })
  context.setDefaultTimeout(BROWSER_MS / 2)
  const incidents: string[] = []
  incidentsOfTest.push(incidents)
  await context.exposeFunction('reportIncident', (text: string) => void incidents.push(text))
  await context.addInitScript(
    `document.addEventListener('securitypolicyviolation', (event) => window.reportIncident('CSP: ' + event.violatedDirective + ' ' + event.blockedURI))`,
  )
  if (initScript !== undefined) await context.addInitScript(initScript)
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  context.on('dialog', (dialog) => {
    incidents.push(`dialog: ${dialog.message()}`)
    void dialog.dismiss()
  })
  context.on('weberror', (error) => void incidents.push(`error: ${error.error().stack}`))
  const page = await context.newPage()
  await slowDown(page)
  const show = async (path: string, on = page): Promise<void> => {
    if (on !== page) await slowDown(on)
    await on.goto(`${emulator.url}/_backlot/ui/${path}`)
    await on.locator('.connection:has-text("live")').waitFor()
    // The shortcuts of a view, which is loaded when it is opened, work once it is drawn.
    await on.locator('main[aria-busy="false"]:not(:has(> .view-loading))').waitFor({ state: 'attached' })
  }
  return { emulator, context, page, show, incidents }
}

/** Calls the service as a client of the account does. */
export const callAs = async (url: string, path: string, body?: unknown, key = KEY): Promise<Response> =>
  fetch(url + path, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })

export const TASKS = '/provB/api/v3/contents/generations/tasks'

/** The body of a create of family B. */
export const createBody = (text: string, more: Readonly<Record<string, unknown>> = {}) => ({
  model: 'videoa-2-0-260128',
  content: [{ type: 'text', text }],
  ...more,
})

/** Creates a task of family B. @returns its id */
export const create = async (url: string, text: string, more = {}): Promise<string> =>
  ((await (await callAs(url, TASKS, createBody(text, more))).json()) as { id: string }).id

/** Traffic of every kind: a task with polls, callbacks and a download, refusals, a scenario, and a task under way. */
export const makeTraffic = async (
  emulator: RunningEmulator,
): Promise<{ readonly done: string; readonly open: string }> => {
  const { url } = emulator
  const account = emulator.account(KEY)
  const done = await create(url, 'a lighthouse in the fog', { callback_url: `${url}/_backlot/inbox/hooks` })
  for (let polls = 0; polls < 3; polls += 1) {
    await callAs(url, `${TASKS}/${done}`)
    await account.clock.advance('400ms')
  }
  await account.clock.advance({ to: 'idle' })
  const task = (await (await callAs(url, `${TASKS}/${done}`)).json()) as { content: { video_url: string } }
  await (await fetch(task.content.video_url)).arrayBuffer()
  await callAs(url, TASKS, createBody('a lighthouse at noon', { duration: 20 }))
  await callAs(url, '/v1/videoss', {})
  await account.scenario.play('one-failed-poll')
  await account.clock.advance('24h')
  const open = await create(url, 'a tram in the morning')
  await callAs(url, `${TASKS}/${open}`)
  return { done, open }
}

const axeSource = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

interface AxeResults {
  readonly violations: readonly {
    readonly id: string
    readonly nodes: readonly { readonly html: string; readonly failureSummary?: string }[]
  }[]
}

/** What axe-core finds on a page as it stands. @param rule the only one to check; default: all */
export const violationsOn = async (page: Page, rule?: string): Promise<readonly string[]> => {
  if (!(await page.evaluate<boolean>(`'axe' in window`))) await page.evaluate(axeSource)
  const options = {
    // Without the elements that pass, which are many.
    resultTypes: ['violations'],
    ...(rule === undefined ? {} : { runOnly: { type: 'rule', values: [rule] } }),
  }
  const { violations } = await page.evaluate<AxeResults>(`axe.run(${JSON.stringify(options)})`)
  return violations.map(
    ({ id, nodes }) =>
      `${id}: ${nodes.map(({ html, failureSummary }) => `${html} ${failureSummary}`).join('\n')}`,
  )
}

/** Fails where axe-core finds anything on a page as it stands. */
export const expectAccessible = async (page: Page): Promise<void> =>
  expect(await violationsOn(page)).toEqual([])
