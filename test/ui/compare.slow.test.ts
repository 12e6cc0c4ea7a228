import { readFileSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { plainText, sectionOf } from '../../src/ui/state/doc-section.js'
import {
  browserTest,
  callAs,
  create,
  createBody,
  expectAccessible,
  KEY,
  openUi,
  TASKS,
  useBrowser,
} from './page.js'

useBrowser()

/** The rows of a table of differences: path, that one, this one. */
const rowsOf = (page: Page, title: string) =>
  page
    .locator(`h3:has-text("${title}") + table tbody tr`)
    .evaluateAll((rows) =>
      rows.map((row) => [...row.children].map((cell) => (cell.textContent ?? '').slice(0, 40))),
    )

const idOf = (answer: Response): string => answer.headers.get('x-request-id') ?? ''

browserTest('a call is compared with the last one of its operation that went the other way', async () => {
  const { emulator, page, show } = await openUi()
  const { url } = emulator
  await create(url, 'a lighthouse', { duration: 5 })
  await callAs(url, `${TASKS}/none`)
  const refused = idOf(
    await callAs(url, TASKS, createBody('a lighthouse', { duration: 20, seed: 7, '<b>': 1 })),
  )
  await show(`requests/${refused}`)
  await page.getByRole('button', { name: 'Compare' }).click()
  await page.locator('.differences').first().waitFor()
  expect(await page.locator('.detail:has-text("was answered with 200, this one with 400.")').count()).toBe(1)
  expect(await rowsOf(page, 'Sent')).toEqual([
    ['body.duration', '5', '20'],
    ['body.seed', 'not there', '7'],
    ['body.<b>', 'not there', '1'],
  ])
  expect(await rowsOf(page, 'Answered')).toContainEqual(['status', '200', '400'])
  await expectAccessible(page)
  // The comparison is in the address.
  await page.reload()
  await page.locator('.differences').first().waitFor()
  await page.getByRole('button', { name: 'Compare' }).click()
  await page.locator('.differences').first().waitFor({ state: 'detached' })
})

browserTest('a call without an answer is compared as what it is', async () => {
  const { emulator, page, show } = await openUi()
  const account = emulator.account(KEY)
  await create(emulator.url, 'a tram')
  await account.scenario.play({
    name: 'cut',
    description: 'Cut.',
    steps: [{ then: { transport: { reset: true } } }],
  })
  await create(emulator.url, 'a tram').catch(() => undefined)
  const [reset] = await account.requests.list({ limit: 1 })
  await show(`requests/${reset?.id}`)
  await page.getByRole('button', { name: 'Compare' }).click()
  await page.locator('.detail:has-text("was answered with 200, this one with a reset.")').waitFor()
  // The line beside a value has the colour of what its call was answered with.
  await page.locator('.differences td:nth-child(2).of-fine').first().waitFor()
  await page.locator('.differences td:nth-child(3).of-refused').first().waitFor()
})

browserTest('another call is chosen to compare with, and both sides are turned round', async () => {
  const { emulator, page, show } = await openUi()
  const first = idOf(await callAs(emulator.url, TASKS, createBody('a tram')))
  const same = idOf(await callAs(emulator.url, TASKS, createBody('a tram')))
  await callAs(emulator.url, TASKS, createBody('a harbour', { ratio: '5:4' }))
  await show(`requests/${same}`)
  await page.getByRole('button', { name: 'Compare' }).click()
  await page.locator('.detail:has-text("was answered with 400, this one with 200.")').waitFor()
  await page.getByLabel('Compare with').selectOption(first)
  await page.locator('.detail:has-text("was answered with 200, this one with 200.")').waitFor()
  await page.locator('h3:has-text("Sent") + p:has-text("nothing differs")').waitFor()
  // The time of the other one leads to it, compared with this one.
  await page.locator('.section:has-text("Compared with") p a').click()
  await expect.poll(() => page.url()).toContain(`requests/${first}?`)
  expect(page.url()).toContain(`with=${same}`)
  await page.locator('h3:has-text("Sent") + p:has-text("nothing differs")').waitFor()
})

browserTest('a call without another one of its operation has nothing to be compared with', async () => {
  const { emulator, page, show } = await openUi()
  await show(`requests/${idOf(await callAs(emulator.url, TASKS, createBody('a tram')))}`)
  const button = page.getByRole('button', { name: 'Compare' })
  await button.waitFor()
  expect(await button.isDisabled()).toBe(true)
  await callAs(emulator.url, TASKS, createBody('a harbour'))
  await expect.poll(() => button.isDisabled()).toBe(false)
})

browserTest('the place of a rule opens its section of the documentation, or its gap', async () => {
  const { emulator, page, show } = await openUi()
  const refused = idOf(await callAs(emulator.url, TASKS, createBody('a tram', { duration: 20 })))
  await show(`requests/${refused}`)
  const link = page.locator('.doc-link').first()
  await link.waitFor()
  const [path = ''] = ((await link.textContent()) ?? '').split('#')
  await link.click()
  const dialog = page.locator('dialog[open]')
  await dialog.waitFor()
  const text = (await dialog.locator('pre').textContent()) ?? ''
  expect(text).toContain('duration')
  expect(text).toBe(plainText(sectionOf(readFileSync(path, 'utf8'), 'duration')))
  await expectAccessible(page)
  const whole = await dialog.getByRole('link', { name: 'the whole page' }).getAttribute('href')
  expect(await (await fetch(whole ?? '')).text()).toBe(readFileSync(path, 'utf8'))
  await page.keyboard.press('Escape')
  await expect.poll(() => page.locator('dialog[open]').count()).toBe(0)
  expect(await link.evaluate((element) => element === element.ownerDocument.activeElement)).toBe(true)

  await emulator.account('poor-key').change({ balance: 0 })
  const poor = idOf(await callAs(emulator.url, TASKS, createBody('a tram'), 'poor-key'))
  const { tag } = await emulator.account('poor-key').read()
  await show(`requests/${poor}?account=${tag}`)
  await page.getByRole('link', { name: 'gap X4' }).click()
  await page.locator('.gaps td:first-child:has-text("X4")').waitFor()
})
