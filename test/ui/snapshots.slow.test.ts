import { expect } from 'vitest'
import { browserTest, create, expectAccessible, KEY, openUi, useBrowser } from './page.js'

useBrowser()

const openAccount = async () => {
  const opened = await openUi()
  await create(opened.emulator.url, 'a lighthouse')
  await opened.show('account')
  const row = (name: string) => opened.page.locator(`tr:has-text("${name}")`)
  return { ...opened, account: opened.emulator.account(KEY), row }
}

browserTest(
  'a snapshot has the name that it was given, and is restored and removed by its buttons',
  async () => {
    const { emulator, page, account, row } = await openAccount()
    await page.getByLabel('Name of the snapshot').fill('one <b>task</b>')
    await page.keyboard.press('Enter')
    await row('one <b>task</b>').waitFor()
    // The field is free for the next one, which gets a number without a name.
    expect(await page.getByLabel('Name of the snapshot').inputValue()).toBe('')
    await create(emulator.url, 'a tram')
    await page.getByRole('button', { name: 'Take a snapshot' }).click()
    await row('snapshot-2').waitFor()
    expect(await row('snapshot-2').locator('td').nth(3).textContent()).toBe('2')
    await expectAccessible(page)

    await page.getByRole('button', { name: 'Restore one <b>task</b>…' }).click()
    await page
      .getByRole('alertdialog')
      .getByRole('button', { name: 'Restore one <b>task</b>', exact: true })
      .click()
    await page.locator('.notice:has-text("as it was in one <b>task</b>")').waitFor()
    expect(await account.tasks.list()).toHaveLength(1)
    await page.getByRole('link', { name: 'Requests' }).click()
    await page.locator('.journal-begin:has-text("The account was put back at")').waitFor()

    await page.goBack()
    await page.getByRole('button', { name: 'Remove one <b>task</b>' }).click()
    await row('one <b>task</b>').waitFor({ state: 'detached' })
    await row('snapshot-2').waitFor()
  },
)

browserTest('a reset offers a snapshot before, which brings back what the reset took', async () => {
  const { page, account, row } = await openAccount()
  await page.getByRole('button', { name: 'Reset…' }).click()
  const question = page.getByRole('alertdialog')
  await question.getByRole('button', { name: 'Take a snapshot first' }).click()
  await page.locator('.notice:has-text("Took before ")').waitFor()
  await question.getByRole('button', { name: /^Reset/ }).click()
  await page.locator('.notice:has-text("began anew")').waitFor()
  expect(await account.tasks.list()).toEqual([])
  await row('before ')
    .getByRole('button', { name: /^Restore before/ })
    .click()
  await page
    .getByRole('alertdialog')
    .getByRole('button', { name: /^Restore before/ })
    .click()
  await expect.poll(async () => (await account.tasks.list()).length).toBe(1)
})
