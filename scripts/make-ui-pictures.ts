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

const IMAGES = '/provA/api/v1/services/aigc/multimodal-generation/generation'

const image = (text: string, size: string) => ({
  model: 'alpha-image-3.0-pro',
  input: { messages: [{ role: 'user', content: [{ text }] }] },
  parameters: { size },
})

/** The first day: what is made, refused and called back, and then is over. */
const makeFirstDay = async (emulator: RunningEmulator): Promise<void> => {
  const { url } = emulator
  const account = emulator.account(KEY)
  const tasks = url + TASKS
  await call(url + IMAGES, image('A harbour in the rain', '1280*720'))
  const done = await call(
    tasks,
    order('a lighthouse in the fog', { callback_url: `${url}/_backlot/inbox/hooks` }),
  )
  for (let polls = 0; polls < 5; polls += 1) {
    await account.clock.advance('400ms')
    await call(`${tasks}/${done.id}`)
  }
  await call(url + IMAGES, image('A fox 🦊 that crosses the street', '1024*1024'))
  await account.clock.advance({ to: 'idle' })
  const task = await call(`${tasks}/${done.id}`)
  await (await fetch(task.content.video_url)).arrayBuffer()
  await call(tasks, order('a lighthouse at noon', { duration: 20, ratio: '5:4' }))
  await call(tasks, order('a tower, seen from its foot', { ratio: '9:16' }))
  await account.clock.advance('2s')
  await account.scenario.play('rate-limit-burst')
  await call(tasks, order('a harbour in the snow'))
  await account.clock.advance('1s')
  await call(tasks, order('a harbour in the snow'))
  await account.scenario.stop()
  const lost = await call(tasks, order('a bridge that is never built'))
  await call(`${url}/provC/v2/video_generation`, {
    model: 'gamma-H3',
    content: [{ type: 'text', text: 'a harbour at dusk' }],
    duration: 5,
    callback_url: `${url}/_backlot/inbox/second`,
  })
  await account.clock.advance('900ms')
  await account.tasks.fail(lost.id)
  await call(tasks, order('a harbour at dusk, seen from above', { ratio: '21:9' }))
  await call(`${url}/v1/videos`, {
    model: 'videoa-2-0-fast-260128',
    media: [{ type: 'text', text: 'two boats that meet' }],
    seconds: '8',
    size: '720p',
  })
  await account.clock.advance('1s')
  await call(url + IMAGES, image('A street of lanterns', '720*1280'))
  await account.scenario.play('callback-lost')
  await call(tasks, order('rain on a window', { callback_url: `${url}/_backlot/inbox/hooks` }))
  await account.clock.advance({ to: 'idle' })
  await account.scenario.stop()
}

const makeTraffic = async (emulator: RunningEmulator): Promise<void> => {
  const { url } = emulator
  const account = emulator.account(KEY)
  const tasks = url + TASKS
  await makeFirstDay(emulator)
  await account.clock.advance('22h')
  await account.snapshot()
  await account.scenario.play('one-failed-poll')
  const open = await call(tasks, order('a tram in the morning'))
  await account.clock.advance('700ms')
  await call(`${url}/v1/videoss`, {})
  for (let polls = 0; polls < 14; polls += 1) await call(`${tasks}/${open.id}`)
  await call(url + IMAGES, image('The last train', '1280*720'))
  await call(tasks, order('seven cranes over a river, slow dolly, film grain'))
}

interface Picture {
  readonly theme: 'light' | 'dark'
  /** In pixels: as much as has something to show. */
  readonly height: number
  /** Whether colours say more in it than 16 of them can. */
  readonly isColourful?: true
  /** What is clicked before. Default: nothing. */
  readonly opened?: string
}

/** The pictures that the pages of the documentation show, by their views. */
const pictures: Readonly<Record<string, Picture>> = {
  timeline: { theme: 'light', height: 800, isColourful: true },
  requests: {
    theme: 'dark',
    height: 640,
    isColourful: true,
    opened: '.request-line:has-text("ratio must be")',
  },
  results: { theme: 'light', height: 600, isColourful: true },
  callbacks: { theme: 'light', height: 420 },
  scenarios: { theme: 'light', height: 640 },
  console: { theme: 'light', height: 640 },
  account: { theme: 'light', height: 640 },
  gaps: { theme: 'light', height: 480 },
}

const emulator = await startEmulator({ clock: 'paused', media: 'cards' })
await makeTraffic(emulator)
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking'],
})
for (const [view, { theme, height, isColourful, opened }] of Object.entries(pictures)) {
  const page = await browser.newPage({ colorScheme: theme, viewport: { width: 1_280, height } })
  await page.goto(`${emulator.url}/_backlot/ui/${view}`)
  await page.locator('.connection:has-text("live")').waitFor()
  await page.locator('.list-row, .section, .gaps tr').first().waitFor()
  if (opened !== undefined) await page.locator(opened).click()
  // A poster that is not loaded yet is an empty place.
  await page.locator('span.poster, main [aria-busy="true"]').first().waitFor({ state: 'detached' })
  await page.waitForTimeout(1_000)
  const fewColours = await sharp(await page.screenshot())
    .png({ palette: true, colours: isColourful ? 256 : 16, dither: 0 })
    .toBuffer()
  // Without loss, WebP takes half of what PNG takes.
  await sharp(fewColours).webp({ lossless: true, effort: 6 }).toFile(`docs/images/ui-${view}-${theme}.webp`)
  await page.close()
}
await browser.close()
await emulator.stop()
