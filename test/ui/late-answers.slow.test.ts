import type { Page, Route } from 'playwright-core'
import { expect } from 'vitest'
import { browserTest, callAs, create, createBody, KEY, openUi, TASKS, useBrowser } from './page.js'

useBrowser()

/** Holds requests of a page until they are let go, in the order of their arrival. */
const hold = async (page: Page, url: string, method?: string) => {
  const held: Route[] = []
  await page.route(url, (route) =>
    method === undefined || route.request().method() === method ? void held.push(route) : route.fallback(),
  )
  return {
    count: () => held.length,
    /** Resolves once the page has got the answer to the first of them. */
    answer: async () => {
      await expect.poll(() => held.length).toBeGreaterThan(0)
      const route = held.shift() as Route
      const answered = page.waitForResponse((response) => response.request() === route.request())
      await route.continue()
      await (await answered).finished()
    },
  }
}

/** Resolves once the page has drawn what it has learned so far. */
const drawn = (page: Page) =>
  page.evaluate(`new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)))`)

/** Files that a page reads are read when the test says so: `readFile()` reads the first one that waits. */
const HELD_FILES = `{
  const waiting = []
  const read = FileReader.prototype.readAsDataURL
  FileReader.prototype.readAsDataURL = function (file) {
    waiting.push(() => read.call(this, file))
  }
  window.waitingFiles = () => waiting.length
  window.readFile = (index = 0) => waiting.splice(index, 1)[0]()
}`

const PICTURE = 'fixtures/media/landscape.jpg'

browserTest('what is typed into a form while it is saved stays, and else the form begins anew', async () => {
  const { emulator, page, show } = await openUi()
  await emulator.account(KEY).read()
  await show('account')
  const saves = await hold(page, '**/_backlot/account', 'PATCH')
  const [balance, limit] = [page.getByLabel('balance'), page.getByLabel(/^tasksInFlight/)]
  await balance.fill('7')
  await page.getByRole('button', { name: 'Save' }).click()
  await limit.fill('3')
  await saves.answer()
  await page.locator('.notice:has-text("Changed the account.")').waitFor()
  expect(await limit.inputValue()).toBe('3')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect.poll(saves.count).toBe(1)
  // What the account itself changes in the form is no change of the user.
  await emulator.account(KEY).change({ agreementAccepted: false })
  await expect.poll(() => page.getByLabel(/^agreement/).isChecked()).toBe(false)
  await saves.answer()
  await page.locator('.notice:has-text("Changed the account.")').waitFor()
  await emulator.account(KEY).change({ balance: 11, limits: { tasksInFlight: 5 } })
  await expect.poll(() => balance.inputValue()).toBe('11')
  expect(await limit.inputValue()).toBe('5')
  const takes = await hold(page, '**/_backlot/snapshots', 'POST')
  const name = page.getByLabel('Name of the snapshot')
  await name.fill('first')
  await name.press('Enter')
  await name.fill('second')
  await takes.answer()
  await page.locator('.notice:has-text("Took first.")').waitFor()
  expect(await name.inputValue()).toBe('second')
})

browserTest('a past request that comes after a sample was chosen leaves the sample alone', async () => {
  const { emulator, page, show } = await openUi()
  await create(emulator.url, 'a lighthouse', { duration: 7 })
  const [request] = await emulator.account(KEY).requests.list()
  const reads = await hold(page, `**/_backlot/requests/${request?.id}*`)
  await show(`console/${request?.id}`)
  await page.getByLabel('Sample').selectOption({ index: 1 })
  await page.locator('.detail:has-text("What it would make")').waitFor()
  const duration = page.getByLabel('duration', { exact: true })
  const sample = await duration.inputValue()
  expect(sample).not.toBe('7')
  // One for the page, and one more where it has learned its account since.
  do await reads.answer()
  while (reads.count() > 0)
  await drawn(page)
  expect(await page.getByText('From the request').count()).toBe(0)
  expect(await duration.inputValue()).toBe(sample)
})

browserTest(
  'a call whose file is still being read is sent once, however often that is asked for',
  async () => {
    const { emulator, page, show } = await openUi()
    await emulator.account(KEY).read()
    await show('console?operation=d-assets.upload')
    await page.locator('.detail:has-text("It would make the asset")').waitFor()
    const files = await hold(page, '**/_backlot/fixtures/*')
    for (let presses = 0; presses < 2; presses += 1) {
      await page.keyboard.press('Control+Enter')
      await drawn(page)
    }
    await expect.poll(files.count).toBe(1)
    await page.getByRole('button', { name: 'Sending…' }).waitFor()
    await files.answer()
    await page.locator('.answer-line:has-text("was ✓ 200")').waitFor()
    expect(await emulator.account(KEY).requests.list({ operation: 'd-assets.upload' })).toHaveLength(1)
  },
)

browserTest('a past call that is sent again opens nothing where the page has gone on', async () => {
  const { emulator, page, show } = await openUi()
  await create(emulator.url, 'a lighthouse')
  await show('requests')
  await page.locator('.request-line').click()
  const calls = await hold(page, `**${TASKS}`)
  const again = page.getByRole('button', { name: 'Send again' })
  await again.click()
  await expect.poll(calls.count).toBe(1)
  await again.click()
  await page
    .locator('.notice.problem:has-text("It was not sent: the call before it has no answer")')
    .waitFor()
  await page.getByRole('link', { name: 'Timeline' }).click()
  await page.locator('.timeline-line').waitFor()
  await calls.answer()
  const [latest] = await emulator.account(KEY).requests.list()
  await page.locator(`.notice:has-text("Sent again: ${latest?.id} is the new call.")`).waitFor()
  expect(new URL(page.url()).pathname).toBe('/_backlot/ui/timeline')
  expect(await emulator.account(KEY).requests.list()).toHaveLength(2)
})

browserTest(
  'what is typed while a file is read stays, and a file that was cancelled fills nothing in',
  async () => {
    const { emulator, page, show } = await openUi({ initScript: HELD_FILES })
    await emulator.account(KEY).read()
    await show('console?operation=b-video-task.create')
    await page.getByRole('button', { name: '+ image_url' }).click()
    const field = 'content[1].image_url.url'
    const prompt = page.getByLabel('content[0].text', { exact: true })
    const choose = async () => {
      await page.getByLabel(`Local file for ${field}`).setInputFiles(PICTURE)
      await page.getByRole('button', { name: 'As a data URL' }).click()
    }
    await choose()
    await page.getByRole('button', { name: 'Cancel landscape.jpg' }).click()
    await page.evaluate('readFile()')
    await choose()
    expect(await page.getByLabel(field, { exact: true }).inputValue()).toBe('')
    await prompt.fill('typed meanwhile')
    await page.evaluate('readFile()')
    await page.getByAltText(`the file in ${field}`).waitFor()
    expect(await prompt.inputValue()).toBe('typed meanwhile')
  },
)

browserTest('the file of a form is the one that was chosen last, and the other fields stay', async () => {
  const { emulator, page, show } = await openUi({ initScript: HELD_FILES })
  await emulator.account(KEY).read()
  await show('console?operation=d-assets.upload')
  for (const [name, waiting] of [
    ['first.jpg', 1],
    ['second.jpg', 2],
  ] as const) {
    const file = { name, mimeType: 'image/jpeg', buffer: Buffer.from(name) }
    await page.getByLabel('Local file for file').setInputFiles(file)
    await expect.poll(() => page.evaluate('waitingFiles()')).toBe(waiting)
  }
  const group = page.getByLabel('group_id in the form')
  await group.fill('typed meanwhile')
  await page.evaluate('readFile(1)')
  await page.locator('.file-facts:has-text("your file")').waitFor()
  await page.evaluate('readFile()')
  await drawn(page)
  expect(await page.getByLabel('file in the form').inputValue()).toBe('second.jpg')
  expect(await group.inputValue()).toBe('typed meanwhile')
})

browserTest('a file that is uploaded for one account is asked about anew for another one', async () => {
  const { emulator, page, show } = await openUi()
  await emulator.account(KEY).read()
  const { tag } = await emulator.account('bob-key').read()
  await show('console?operation=b-video-task.create')
  await page.getByRole('button', { name: '+ image_url' }).click()
  await page.getByLabel('Local file for content[1].image_url.url').setInputFiles(PICTURE)
  await page.getByRole('button', { name: 'Upload to the asset library' }).click()
  await page.locator('.chosen-file:has-text("is being processed")').waitFor()
  await page.getByLabel('Account').selectOption(tag)
  await page.locator('.chosen-file').getByRole('button', { name: 'Upload to the asset library' }).waitFor()
  await emulator.account(KEY).clock.advance({ to: 'idle' })
  await page.getByRole('button', { name: 'As a data URL' }).click()
  await page.getByAltText('the file in content[1].image_url.url').waitFor()
})

browserTest('callbacks go on being sent again in another view, but not in another account', async () => {
  const { emulator, page, show } = await openUi()
  const { url } = emulator
  const account = emulator.account(KEY)
  await account.scenario.play({
    name: 'lost',
    description: 'Lost.',
    steps: [{ when: { callback: 'delivery' }, then: { callback: { never: true } }, times: 3 }],
  })
  for (const prompt of ['a lighthouse', 'a tram', 'a harbour'])
    await create(url, prompt, { callback_url: `${url}/_backlot/inbox/hooks` })
  await account.clock.advance({ to: 'idle' })
  await callAs(url, TASKS, createBody('of bob'), 'bob-key')
  const { tag } = await emulator.account('bob-key').read()
  await show('callbacks')
  const sends = await hold(page, '**/_backlot/callbacks/*/redeliver')
  await page.getByRole('button', { name: 'Send all 3 undelivered again' }).click()
  await page.getByRole('link', { name: 'Requests' }).click()
  await sends.answer()
  await expect.poll(sends.count).toBe(1)
  await page.getByRole('link', { name: 'Callbacks' }).click()
  await page.locator('button[aria-disabled="true"]:has-text("Sending 2…")').waitFor()
  await page.getByLabel('Account').selectOption(tag)
  await page.locator('.account-facts:has-text("1 task")').waitFor()
  await sends.answer()
  await page.locator('.notice:has-text("Sent 2 callbacks again: 2 delivered.")').waitFor()
  expect(sends.count()).toBe(0)
})

browserTest('a result that is being read is not said to be gone', async () => {
  const { emulator, page, show } = await openUi()
  const ids = [await create(emulator.url, 'a lighthouse'), await create(emulator.url, 'a tram')]
  await emulator.account(KEY).clock.advance({ to: 'idle' })
  await show(`results/${ids[0]}.0?search=nothing`)
  await page.locator('.detail:has-text("a lighthouse")').waitFor()
  const reads = await hold(page, `**/_backlot/results?task=${ids[1]}`)
  await page.evaluate(`history.pushState(null, '', '/_backlot/ui/results/${ids[1]}.0?search=nothing')`)
  await page.evaluate(`dispatchEvent(new PopStateEvent('popstate'))`)
  await expect.poll(reads.count).toBe(1)
  expect(await page.locator('.detail').textContent()).not.toContain('There is no result')
  await reads.answer()
  await page.locator('.detail:has-text("a tram")').waitFor()
})

browserTest('the task of a call that is open has the status of now', async () => {
  const { emulator, page, show } = await openUi()
  const { requestId } = await emulator.account(KEY).tasks.get(await create(emulator.url, 'a lighthouse'))
  await show(`requests/${requestId}`)
  const followed = page.locator('.section:has-text("What followed")')
  await followed.locator('.status:has-text("queued")').waitFor()
  await emulator.account(KEY).clock.advance({ to: 'idle' })
  await followed.locator('.status:has-text("succeeded")').waitFor()
})
