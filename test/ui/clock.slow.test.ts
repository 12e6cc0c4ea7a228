import { expect } from 'vitest'
import { browserTest, create, expectAccessible, KEY, openUi, useBrowser } from './page.js'

useBrowser()

/** A page of an account with one video, whose URL lasts. */
const openWithResult = async (path: string) => {
  const opened = await openUi()
  const id = await create(opened.emulator.url, 'a lighthouse')
  const account = opened.emulator.account(KEY)
  await account.clock.advance({ to: 'idle' })
  await opened.show(path)
  return { ...opened, account, id }
}

browserTest('the field "to…" moves the clock by a duration, to a time and to a date', async () => {
  const { page, account } = await openWithResult('timeline')
  const goal = page.getByLabel('Move the clock to a time, or by a duration')
  const begin = Date.parse((await account.clock.read()).now)
  const day = new Date(begin).toISOString().slice(0, 10)
  for (const [written, wanted] of [
    ['1h 30m', begin + 5_400_000],
    ['18:00', Date.parse(`${day}T18:00:00Z`)],
    // Of the time of the day that is over, the next one.
    ['17:59', Date.parse(`${day}T17:59:00Z`) + 86_400_000],
    ['2026-03-01 12:00', Date.parse('2026-03-01T12:00:00Z')],
  ] as const) {
    await goal.fill(written)
    await goal.press('Enter')
    await expect.poll(async () => Date.parse((await account.clock.read()).now)).toBe(wanted)
    // The field is free for the next one.
    await expect.poll(() => goal.inputValue()).toBe('')
  }
  await page.locator('.last-move:has-text("1 URL ended")').waitFor()
})

browserTest(
  'a goal of the clock that is none, or in the past, moves nothing and stays to be mended',
  async () => {
    const { page, account } = await openWithResult('timeline')
    const goal = page.getByLabel('Move the clock to a time, or by a duration')
    const { now } = await account.clock.read()
    for (const [written, sentence] of [
      ['soon', '"soon" is neither a duration'],
      ['2020-01-01', 'The clock says'],
    ] as const) {
      await goal.fill(written)
      await goal.press('Enter')
      await page.locator(`.notice.problem:has-text('${sentence}')`).waitFor()
      expect(await goal.inputValue()).toBe(written)
    }
    await expectAccessible(page)
    expect((await account.clock.read()).now).toBe(now)
  },
)

browserTest('a page follows a client that moves the clock to the next expiry', async () => {
  const { emulator, page, account, id } = await openWithResult('results')
  await page.locator('.card:has-text("left")').waitFor()
  const answer = await fetch(`${emulator.url}/_backlot/clock/advance`, {
    method: 'POST',
    headers: { authorization: `Bearer ${KEY}`, 'content-type': 'application/json' },
    body: '{"to":"next-expiry"}',
  })
  const { now, ended } = (await answer.json()) as { now: string; ended: { urls: object[] } }
  expect(ended.urls).toEqual([{ task: id, index: 0, at: now }])
  await page.locator('.card.ended:has-text("✕ ended")').waitFor()
  // Nothing is left to end: the clock stays.
  await account.clock.advance({ to: 'next-expiry' })
  expect((await account.clock.read()).now).toBe(now)
})
