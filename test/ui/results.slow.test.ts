import { expect } from 'vitest'
import {
  browserTest,
  callAs,
  create,
  expectAccessible,
  KEY,
  makeTraffic,
  openUi,
  useBrowser,
} from './page.js'

useBrowser()

const IMAGES = '/provA/api/v1/services/aigc/multimodal-generation/generation'

const image = (text: string, size = '1024*1024') => ({
  model: 'alpha-image-3.0-pro',
  input: { messages: [{ role: 'user', content: [{ text }] }] },
  parameters: { size },
})

browserTest('each result is a picture in its proportions, without its video being made', async () => {
  const { emulator, page, show } = await openUi()
  await create(emulator.url, 'a lighthouse', { ratio: '9:16' })
  await emulator.account(KEY).clock.advance({ to: 'idle' })
  await show('results')
  const picture = page.locator('.card img')
  await picture.waitFor()
  await expect.poll(() => page.evaluate(`document.querySelector('.card img').naturalWidth`)).toBe(720)
  expect(await page.evaluate(`getComputedStyle(document.querySelector('.card img')).objectFit`)).toBe(
    'contain',
  )
  expect(await page.locator('.card').textContent()).toMatch(/▶ 0:05.*a lighthouse720×1280 · 14 d left$/)
  expect(await page.locator('.card video').count()).toBe(0)
  expect((await emulator.account(KEY).requests.list()).map(({ operation }) => operation)).toEqual([
    'b-video-task.create',
  ])
})

browserTest('results are found by text, family, kind and state, and what has ended says so', async () => {
  const { emulator, page, show } = await openUi()
  const { url } = emulator
  await callAs(url, IMAGES, image('a red harbour'))
  await emulator.account(KEY).clock.advance('25h')
  await create(url, 'a lighthouse')
  await emulator.account(KEY).clock.advance({ to: 'idle' })
  await show('results')
  const cards = page.locator('.card')
  await expect.poll(() => cards.count()).toBe(2)
  for (const [label, value, found] of [
    ['Family', 'b-video-task', 'a lighthouse'],
    ['Kind', 'picture', 'a red harbour'],
    ['State', 'ended', 'a red harbour'],
    ['State', 'lasting', 'a lighthouse'],
  ] as const) {
    await page.getByLabel(label, { exact: true }).selectOption(value)
    await expect.poll(() => page.locator('.card-prompt').allTextContents()).toEqual([found])
    await page.getByLabel(label, { exact: true }).selectOption('')
    await expect.poll(() => cards.count()).toBe(2)
  }
  expect(await page.locator('.card.ended').textContent()).toContain('✕ ended')
  await page.locator('.filters:has-text("2 results")').waitFor()
  await page.getByLabel('Search results').fill('RED')
  await expect.poll(() => page.locator('.card-prompt').allTextContents()).toEqual(['a red harbour'])
  await page.locator('.filters:has-text("1 of 2 results")').waitFor()
  await page.getByLabel('Search results').fill('nothing like it')
  await page.locator('.message:has-text("No result matches the filters.")').waitFor()
  await show('results?kind=film')
  await page.locator('.problem:has-text("kind")').waitFor()
})

browserTest('j, k and the arrows go from card to card, Enter opens one, which is downloaded', async () => {
  const { emulator, page, show } = await openUi({ width: 700 })
  for (let count = 0; count < 7; count += 1)
    await callAs(emulator.url, IMAGES, image(`harbour ${count}`, '512*512'))
  await show('results')
  await expect.poll(() => page.locator('.card').count()).toBe(7)
  const current = () => page.locator('.card[aria-current] .card-prompt').textContent()
  const columns = await page.evaluate<number>(
    `getComputedStyle(document.querySelector('.list-grid')).gridTemplateColumns.split(' ').length`,
  )
  expect(columns).toBeGreaterThan(1)
  await page.keyboard.press('j')
  await page.keyboard.press('j')
  expect(await current()).toBe('harbour 5')
  await page.locator('.card[aria-current]').focus()
  await page.keyboard.press('ArrowDown')
  expect(await current()).toBe(`harbour ${5 - columns}`)
  await page.keyboard.press('ArrowLeft')
  expect(await current()).toBe(`harbour ${6 - columns}`)
  await page.keyboard.press('Enter')
  await page.locator('.detail img.media').waitFor()
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: 'Download' }).click(),
  ])
  const [, task, index] = /results\/(.+)\.(\d+)/.exec(page.url()) ?? []
  expect(download.suggestedFilename()).toBe(`${task}.${index}.png`)
  expect((await emulator.account(KEY).requests.list({ operation: 'results.download' })).length).toBe(0)
})

browserTest('results beyond the first 250 come as the end of the list comes near', async () => {
  const { emulator, page, show } = await openUi({ settings: { media: 'plain' } })
  for (let made = 0; made < 260; made += 10)
    await Promise.all(
      Array.from({ length: 10 }, (_, nth) =>
        callAs(emulator.url, IMAGES, image(`harbour ${made + nth}`, '512*512')),
      ),
    )
  await show('results')
  await page.locator('.filters:has-text("260 results")').waitFor()
  await expect.poll(() => page.locator('[role=listitem]').first().getAttribute('aria-setsize')).toBe('250')
  await page.getByLabel('Results', { exact: true }).evaluate((list) => list.scrollTo(0, list.scrollHeight))
  await expect.poll(() => page.locator('[role=listitem]').first().getAttribute('aria-setsize')).toBe('260')
})

browserTest('a video plays without its sound while the pointer is over its card', async () => {
  const { emulator, page, show } = await openUi()
  await create(emulator.url, 'a lighthouse')
  await emulator.account(KEY).clock.advance({ to: 'idle' })
  await show('results')
  await page.locator('.card').hover()
  const video = page.locator('.card video')
  await video.waitFor()
  expect(await page.evaluate(`document.querySelector('.card video').muted`)).toBe(true)
  await page.getByLabel('Search results').hover()
  await expect.poll(() => video.count()).toBe(0)
})

browserTest('a task and its create show what was made, which leads to the result', async () => {
  const { emulator, page, show } = await openUi()
  const { done, open } = await makeTraffic(emulator)
  const { requestId } = await emulator.account(KEY).tasks.get(done)
  for (const path of [`timeline/${done}`, `requests/${requestId}`]) {
    await show(path)
    await page.locator('.detail .thumbnails img').waitFor()
    await expectAccessible(page)
    await page.locator('.detail').getByRole('link', { name: 'Result 1', exact: true }).click()
    await page.locator('.detail video').waitFor()
    expect(new URL(page.url()).pathname).toBe(`/_backlot/ui/results/${done}.0`)
  }
  await show(`timeline/${open}`)
  await page.locator('.detail .facts').first().waitFor()
  expect(await page.locator('.detail .thumbnails').count()).toBe(0)
})
