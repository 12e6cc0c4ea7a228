import { expect } from 'vitest'
import {
  browserTest,
  callAs,
  create,
  createBody,
  expectAccessible,
  KEY,
  makeTraffic,
  openUi,
  TASKS,
  useBrowser,
} from './page.js'

useBrowser()

browserTest('an account whose tasks have all ended opens with their bars and now in sight', async () => {
  const { emulator, page, show } = await openUi()
  for (let made = 0; made < 8; made += 1) {
    await create(emulator.url, `harbour ${made}`)
    await emulator.account(KEY).clock.advance('20s')
  }
  await emulator.account(KEY).clock.advance('3h')
  await show('timeline')
  await page.locator('.end').nth(7).waitFor()
  const list = await page.locator('.list').boundingBox()
  const right = (list?.x ?? 0) + (list?.width ?? 0)
  const outOfSight = () =>
    page.evaluate<string[]>(`[...document.querySelectorAll('.bar-piece, .end, .now-line')].flatMap((part) => {
      const box = part.getBoundingClientRect()
      const isInSight = box.left > ${(list?.x ?? 0) + 200} && box.right <= ${right + 1}
      return isInSight ? [] : [part.className + ' from ' + box.left + ' to ' + box.right]
    })`)
  // The stretch that is shown is fitted once the page has measured its list.
  await expect.poll(outOfSight).toEqual([])
  expect(await page.locator('.edge').count()).toBe(0)
  await expectAccessible(page)
})

browserTest(
  'the flag of now covers no length of idle time, also where such a stretch begins at now',
  async () => {
    const { emulator, page, show } = await openUi()
    const id = await create(emulator.url, 'a lighthouse')
    await emulator.account(KEY).clock.advance({ to: 'idle' })
    // The end of its URL, which an answer names, is the next moment.
    await callAs(emulator.url, `${TASKS}/${id}`)
    await show('timeline')
    await page.locator('.break-label').first().waitFor()
    const [flag, length] = [page.locator('.now-flag'), page.locator('.break-label')]
    const right = async () => {
      const box = await flag.boundingBox()
      return (box?.x ?? 0) + (box?.width ?? 0)
    }
    await expect.poll(right).toBeLessThanOrEqual(((await length.boundingBox())?.x ?? 0) + 1)
  },
)

browserTest('the flag of now covers no length where idle time stands on both sides of it', async () => {
  const { emulator, page, show } = await openUi()
  const { clock } = emulator.account(KEY)
  const id = await create(emulator.url, 'a lighthouse')
  await clock.advance({ to: 'idle' })
  await callAs(emulator.url, `${TASKS}/${id}`)
  await clock.advance('1h')
  await show('timeline')
  await page.locator('.break-label').nth(1).waitFor()
  const covered = () =>
    page.evaluate<string[]>(`(() => {
      const flag = document.querySelector('.now-flag').getBoundingClientRect()
      return [...document.querySelectorAll('.break-label')].flatMap((label) => {
        const text = document.createRange()
        text.selectNodeContents(label)
        const { left, right } = text.getBoundingClientRect()
        // A text that has no room ends with an ellipsis before the padding.
        const room = label.getBoundingClientRect().right - Number.parseFloat(getComputedStyle(label).paddingRight)
        const isCovered = left < flag.right && Math.min(right, room) > flag.left
        return isCovered ? [label.textContent + ' from ' + left + ' to ' + right] : []
      })
    })()`)
  await expect.poll(covered).toEqual([])
})

browserTest(
  'the axis says the day of what is in sight, and no part of a label that is out of sight',
  async () => {
    const { emulator, page, show } = await openUi()
    await emulator.account(KEY).clock.advance('23h')
    for (let made = 0; made < 6; made += 1) {
      await create(emulator.url, `harbour ${made}`)
      await emulator.account(KEY).clock.advance('10s')
    }
    await emulator.account(KEY).clock.advance('20h')
    await show('timeline')
    await page.locator('.end').first().waitFor()
    const left = async () => {
      const box = await page.locator('.axis-label').boundingBox()
      return (box?.x ?? 0) + (box?.width ?? 0)
    }
    await page.locator('.list').evaluate((list) => list.scrollBy(-100_000, 0))
    await expect.poll(() => page.locator('.axis-label').textContent()).toBe('2026-01-01')
    for (let presses = 0; presses < 6; presses += 1) await page.keyboard.press('+')
    for (const by of [37, 41, 53]) {
      await page.locator('.list').evaluate((list, pixels) => list.scrollBy(pixels, 0), by)
      const begins = () =>
        page.evaluate<number>(
          `Math.min(...[...document.querySelectorAll('.tick')].filter(({ textContent }) => textContent !== '').map((tick) => tick.getBoundingClientRect().left))`,
        )
      await expect.poll(begins).toBeGreaterThanOrEqual(await left())
    }
  },
)

browserTest('a row that is out of sight says when it is at the edge, and a click goes there', async () => {
  const { emulator, page, show } = await openUi()
  await create(emulator.url, 'a lighthouse')
  await emulator.account(KEY).clock.advance('60s')
  await create(emulator.url, 'a tram')
  await emulator.account(KEY).clock.advance({ to: 'idle' })
  await show('timeline')
  await page.locator('.end').nth(1).waitFor()
  for (let presses = 0; presses < 8; presses += 1) await page.keyboard.press('+')
  const first = page.locator('.list-row:has-text("a lighthouse")')
  const chip = first.locator('.edge')
  await page.locator('.list').evaluate((list) => list.scrollBy(100_000, 0))
  await chip.waitFor()
  expect(await chip.textContent()).toBe('‹ 00:00:00')
  await chip.click()
  await expect.poll(() => chip.count()).toBe(0)
  await page.locator('.list-row:has-text("a tram") .edge:has-text("00:01:00 ›")').waitFor()
  await page.keyboard.press('f')
  await expect.poll(() => page.locator('.edge').count()).toBe(0)
})

browserTest('a stretch that is drawn on the overview strip is fitted into the bars', async () => {
  const { emulator, page, show } = await openUi()
  for (let made = 0; made < 12; made += 1) {
    await create(emulator.url, `harbour ${made}`)
    await emulator.account(KEY).clock.advance('10s')
  }
  await show('timeline')
  await page.locator('.end').nth(11).waitFor()
  const shown = () => page.locator('.overview-window').boundingBox()
  const strip = await page.locator('.overview-strip').boundingBox()
  const at = (share: number) => (strip?.x ?? 0) + (strip?.width ?? 0) * share
  const y = (strip?.y ?? 0) + 10
  await page.mouse.move(at(0.4), y)
  await page.mouse.down()
  await page.mouse.move(at(0.5), y)
  await page.mouse.up()
  await expect.poll(async () => (await shown())?.width).toBeLessThan((strip?.width ?? 0) * 0.25)
  const window = await shown()
  expect((window?.x ?? 0) + (window?.width ?? 0) / 2).toBeGreaterThan(at(0.35))
  expect((window?.x ?? 0) + (window?.width ?? 0) / 2).toBeLessThan(at(0.55))
  await page.mouse.click(at(0.9), y)
  await expect.poll(async () => (await shown())?.x).toBeGreaterThan(at(0.75))
})

browserTest('refusals of one operation are one row, and a bar ends in what was made', async () => {
  const { emulator, page, show } = await openUi()
  const { done } = await makeTraffic(emulator)
  for (const duration of [20, 30]) await callAs(emulator.url, TASKS, createBody('a tram', { duration }))
  await show('timeline')
  const refused = page.locator('.list-row:has-text("POST b-video-task.create")')
  await refused.waitFor()
  expect(await refused.locator('.timeline-subtitle').textContent()).toMatch(/^×3 · .*found 30/)
  const row = page.locator('.list-row:has-text("a lighthouse in the fog")')
  await row.locator('.end-poster img').waitFor()
  expect(await row.locator('.mark-callback').count()).toBeGreaterThan(0)
  expect(await row.locator('.mark-undelivered').count()).toBe(0)
  await row.locator('.end-poster').click()
  await page.locator('.detail video').waitFor()
  expect(new URL(page.url()).pathname).toBe(`/_backlot/ui/results/${done}.0`)
})

browserTest('the line of now is followed, also where its list grew as it was scrolled', async () => {
  const { emulator, page, show } = await openUi()
  const account = emulator.account(KEY)
  await create(emulator.url, 'a lighthouse')
  await show('timeline?idle=1')
  await page.locator('.now-line').waitFor()
  const isInSight = async () => {
    const [line, list] = [
      await page.locator('.now-line').boundingBox(),
      await page.locator('.list').boundingBox(),
    ]
    return (line?.x ?? 0) > (list?.x ?? 0) + 200 && (line?.x ?? 0) < (list?.x ?? 0) + (list?.width ?? 0)
  }
  for (let made = 0; made < 30; made += 1) {
    await create(emulator.url, `harbour ${made}`)
    await account.clock.advance('2s')
  }
  await page.locator('.list-row:has-text("harbour 29")').waitFor()
  await expect.poll(isInSight).toBe(true)
})

browserTest('a view that cannot be loaded says so, and is loaded once the emulator answers', async () => {
  const { emulator, page, show } = await openUi()
  await makeTraffic(emulator)
  await show('timeline')
  await page.route('**/ui/gaps-*.js', (route) => route.abort())
  await page.getByRole('link', { name: 'Gaps' }).click()
  await page.locator('.message:has-text("This view could not be loaded.")').waitFor()
  await page.unroute('**/ui/gaps-*.js')
  await page.getByRole('link', { name: 'Timeline' }).click()
  await page.getByRole('link', { name: 'Gaps' }).click()
  await page.locator('.gaps tr').first().waitFor()
})

browserTest('the first rows are shown while the others are read, of which a bar says how many', async () => {
  const { emulator, page, show } = await openUi({ settings: { timing: 'instant' } })
  for (let made = 0; made < 300; made += 20)
    await Promise.all(Array.from({ length: 20 }, (_, nth) => create(emulator.url, `harbour ${made + nth}`)))
  const held: (() => Promise<void>)[] = []
  await page.route(
    '**/_backlot/tasks?limit=500&offset=250&brief=true',
    (route) => void held.push(() => route.continue()),
  )
  await page.goto(`${emulator.url}/_backlot/ui/timeline`)
  await page.locator('.timeline-label:has-text("harbour")').first().waitFor()
  await page.locator('.reading span:has-text("500 of 600")').waitFor()
  await expect.poll(() => held.length).toBe(1)
  await held[0]?.()
  await expect.poll(() => page.locator('.reading').count()).toBe(0)
  await page.unrouteAll()
  await show('timeline')
  expect(await page.locator('[role=listitem]').first().getAttribute('aria-setsize')).toBe('300')
})

browserTest('the labels are widened with the mouse and the keyboard, within bounds', async () => {
  const { emulator, page, show } = await openUi()
  await create(emulator.url, 'a lighthouse')
  await show('timeline')
  const edge = page.getByRole('separator', { name: 'Width of the labels' })
  const width = async () => (await page.locator('.timeline-label').boundingBox())?.width
  await expect.poll(width).toBe(216)
  const { x = 0, y = 0 } = (await edge.boundingBox()) ?? {}
  await page.mouse.move(x + 3, y + 8)
  await page.mouse.down()
  await page.mouse.move(x + 63, y + 8)
  await page.mouse.up()
  await expect.poll(width).toBe(276)
  await page.mouse.move(x + 200, y + 8)
  await edge.focus()
  await page.keyboard.press('ArrowLeft')
  await expect.poll(width).toBe(260)
  for (let press = 0; press < 20; press += 1) await page.keyboard.press('ArrowRight')
  await expect.poll(width).toBe(480)
  for (let press = 0; press < 40; press += 1) await page.keyboard.press('ArrowLeft')
  await expect.poll(width).toBe(96)
  await expectAccessible(page)
})
