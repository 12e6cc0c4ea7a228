import { chromium } from 'playwright-core'
import sharp from 'sharp'
import { type RunningEmulator, startEmulator } from '../src/index.js'

/**
 * Writes the pictures of docs/ui.md, of a build and traffic of its own: `npm run build && npx tsx scripts/make-ui-pictures.ts`.
 * It needs Chromium, by its path in CHROMIUM or as /usr/bin/chromium.
 */

const KEY = 'alice-key'
const TASKS = '/provB/api/v3/contents/generations/tasks'

/** A task as far as it is read here. */
interface Task {
  readonly id: string
  readonly content: { readonly video_url: string }
}

const call = async (url: string, body?: object): Promise<Task> => {
  const headers = { authorization: `Bearer ${KEY}`, 'content-type': 'application/json' }
  const init = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }
  return (await (await fetch(url, { headers, ...init })).json()) as Task
}

const order = (text: string, more: object = {}) => ({
  model: 'videoa-2-0-260128',
  content: [{ type: 'text', text }],
  ...more,
})

const makeTraffic = async (emulator: RunningEmulator): Promise<void> => {
  const { url } = emulator
  const account = emulator.account(KEY)
  const tasks = url + TASKS
  const done = await call(
    tasks,
    order('a lighthouse in the fog', { callback_url: `${url}/_backlot/inbox/hooks` }),
  )
  for (let polls = 0; polls < 5; polls += 1) {
    await account.clock.advance('400ms')
    await call(`${tasks}/${done.id}`)
  }
  await account.clock.advance({ to: 'idle' })
  const task = await call(`${tasks}/${done.id}`)
  await (await fetch(task.content.video_url)).arrayBuffer()
  await call(tasks, order('a lighthouse at noon', { duration: 20 }))
  await account.clock.advance('2s')
  const image = { messages: [{ role: 'user', content: [{ text: 'A harbour in the rain' }] }] }
  await call(`${url}/provA/api/v1/services/aigc/multimodal-generation/generation`, {
    model: 'alpha-image-3.0-pro',
    input: image,
  })
  await account.scenario.play('rate-limit-burst')
  await call(tasks, order('a harbour in the snow'))
  await account.clock.advance('1s')
  await call(tasks, order('a harbour in the snow'))
  await account.scenario.stop()
  await call(`${url}/provC/v2/video_generation`, {
    model: 'gamma-H3',
    content: [{ type: 'text', text: 'a harbour at dusk' }],
    duration: 5,
    callback_url: `${url}/_backlot/inbox/second`,
  })
  await call(tasks, order('a harbour at dusk, seen from above'))
  await account.clock.advance({ to: 'idle' })
  await account.clock.advance('23h')
  await account.scenario.play('one-failed-poll')
  const open = await call(tasks, order('a tram in the morning'))
  await account.clock.advance('700ms')
  await call(`${url}/v1/videoss`, {})
  for (let polls = 0; polls < 14; polls += 1) await call(`${tasks}/${open.id}`)
  await call(tasks, order('seven cranes over a river, slow dolly, film grain'))
}

/** What to do on a view before its picture is taken. */
const views: Readonly<Record<string, string>> = {
  timeline: '',
  requests: '.request-line:has-text("duration must be")',
  results: '',
  callbacks: '',
  scenarios: '',
  console: '',
  account: '',
  gaps: '',
}

// Of a list of texts, half of it shows as much.
const heightOf = (view: string): number => (view === 'gaps' ? 480 : 800)

const emulator = await startEmulator({ clock: 'paused', media: 'cards' })
await makeTraffic(emulator)
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking'],
})
for (const colorScheme of ['light', 'dark'] as const) {
  const page = await browser.newPage({ colorScheme })
  for (const [view, opened] of Object.entries(views)) {
    await page.setViewportSize({ width: 1_280, height: heightOf(view) })
    await page.goto(`${emulator.url}/_backlot/ui/${view}`)
    await page.locator('.connection:has-text("live")').waitFor()
    await page.locator('.list-row, .section, .gaps tr').first().waitFor()
    if (opened !== '') await page.locator(opened).click()
    // A poster that is not loaded yet is an empty place.
    await page.locator('body:not(:has(span.poster, main [aria-busy="true"]))').waitFor()
    await page.waitForTimeout(1_000)
    const picture = sharp(await page.screenshot()).png({ palette: true, colours: 12, dither: 0, effort: 10 })
    await picture.toFile(`docs/images/ui-${view}-${colorScheme}.png`)
  }
}
await browser.close()
await emulator.stop()
