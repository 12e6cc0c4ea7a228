import { writeFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'vitest'
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

const PICTURE = 'fixtures/media/landscape.jpg'

browserTest('a local file is a data URL in a field of the body, chosen or dropped', async () => {
  const { emulator, page, show } = await openUi()
  await emulator.account(KEY).read()
  await show('console?operation=b-video-task.create')
  await page.getByRole('button', { name: '+ image_url' }).click()
  const field = 'content[1].image_url.url'
  await page.getByLabel(`Local file for ${field}`).setInputFiles(PICTURE)
  await page.getByRole('button', { name: 'As a data URL' }).click()
  await page.getByAltText(`the file in ${field}`).waitFor()
  await page.locator('.detail:has-text("It would be accepted.")').waitFor()
  await page.locator('.promised:has-text("firstFrame")').waitFor()
  await page.getByRole('button', { name: `Remove the file from ${field}` }).click()
  await page.locator('.detail .why.outcome-refused').waitFor()
  const base64 = await readFile(PICTURE, 'base64')
  // As source: the types of a browser are not those of the tests.
  const drop = `(target) => {
    const dataTransfer = new DataTransfer()
    const content = Uint8Array.from(atob('${base64}'), (char) => char.charCodeAt(0))
    dataTransfer.items.add(new File([content], 'mine.jpg', { type: 'image/jpeg' }))
    target.dispatchEvent(new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true }))
  }`
  await page.evaluate(`(${drop})(document.querySelector('[aria-label="${field}"]'))`)
  await page.locator('.chosen-file:has-text("mine.jpg")').waitFor()
  await page.getByRole('button', { name: 'As a data URL' }).click()
  await page.getByAltText(`the file in ${field}`).waitFor()
  await expectAccessible(page)
  await page.getByRole('button', { name: /^Send POST/ }).click()
  await page.locator('.answer-line:has-text("was ✓ 200")').waitFor()
  expect(await emulator.account(KEY).tasks.list()).toHaveLength(1)
})

browserTest('a local file is uploaded, and the field names its asset once it can be used', async () => {
  const { emulator, page, show } = await openUi()
  const account = emulator.account(KEY)
  await account.read()
  await show('console?operation=b-video-task.create')
  await page.getByRole('button', { name: '+ image_url' }).click()
  const field = 'content[1].image_url.url'
  const choose = page.getByLabel(`Local file for ${field}`)
  // Another upload and a task have moments before it.
  await create(emulator.url, 'a tram')
  const form = new FormData()
  form.set('file', new File([await readFile('fixtures/media/first-frame.png')], 'other.png'))
  const headers = { authorization: `Bearer ${KEY}` }
  await fetch(`${emulator.url}/v1/asset/upload`, { method: 'POST', headers, body: form })
  await account.clock.advance('500ms')
  await choose.setInputFiles(PICTURE)
  await page.getByRole('button', { name: 'Upload to the asset library' }).click()
  await page.locator('.chosen-file:has-text("is being processed")').waitFor()
  expect(await page.getByLabel(field, { exact: true }).inputValue()).toBe('')
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Move the clock until it can be used' }).click()
  await page.locator('.chosen-file').waitFor({ state: 'detached' })
  expect(await page.getByLabel(field, { exact: true }).inputValue()).toMatch(/^asset:\/\/asset-\d{14}-\w{5}$/)
  await page.locator('.detail:has-text("It would be accepted.")').waitFor()
  await page.getByRole('button', { name: /^Send POST/ }).click()
  await page.locator('.answer-line:has-text("was ✓ 200")').waitFor()
  expect(await account.tasks.list()).toHaveLength(2)
})

browserTest(
  'an upload that is refused says why under any name, can be cancelled, and fills nothing in',
  async () => {
    const { emulator, page, show } = await openUi()
    await emulator.account(KEY).read()
    await show('console?operation=b-video-task.create')
    await page.getByRole('button', { name: '+ image_url' }).click()
    const field = 'content[1].image_url.url'
    const name = '<img src=x onerror=alert(1)>.png'
    const file = { name, mimeType: 'image/png', buffer: Buffer.from('no picture') }
    await page.getByLabel(`Local file for ${field}`).setInputFiles(file)
    await page.getByRole('button', { name: 'Upload to the asset library' }).click()
    await page.locator('.chosen-file .problem:has-text("The asset library answered with 400")').waitFor()
    expect(await page.locator('.chosen-file').textContent()).toContain(name)
    await page.getByRole('button', { name: `Cancel ${name}` }).click()
    await page.locator('.chosen-file').waitFor({ state: 'detached' })
    expect(await page.getByLabel(field, { exact: true }).inputValue()).toBe('')
    expect(await page.locator('img[src="x"]').count()).toBe(0)
  },
)

browserTest('a local file is uploaded under its name, whatever that is, and checked before', async () => {
  const { emulator, page, show } = await openUi()
  await emulator.account(KEY).read()
  await show('console?operation=d-assets.upload')
  const name = `<img src=x onerror=alert(1)>.png`
  await page.getByLabel('Local file for file').setInputFiles({
    name,
    mimeType: 'image/png',
    buffer: await readFile('fixtures/media/first-frame.png'),
  })
  await page.locator('.file-facts:has-text("your file, ")').waitFor()
  await page.locator('.detail:has-text("It would make the asset")').waitFor()
  await page.getByRole('button', { name: /^Send POST/ }).click()
  await page.locator('.answer-line:has-text("was ✓ 200")').waitFor()
  const [call] = await emulator.account(KEY).requests.list()
  expect(JSON.stringify(call?.body)).toContain(name)
  await page.getByLabel('Local file for file').setInputFiles({
    name: 'notes.txt',
    mimeType: 'text/plain',
    buffer: Buffer.from('no picture'),
  })
  await page.locator('.detail .why.outcome-refused').waitFor()
  expect(await page.locator('img[src="x"]').count()).toBe(0)
})

browserTest('a file that is too large for a check is sent all the same', async () => {
  const { emulator, page, show } = await openUi()
  await emulator.account(KEY).read()
  await show('console?operation=d-assets.upload')
  const path = join(tmpdir(), `large-${process.pid}.png`)
  const picture = await readFile('fixtures/media/first-frame.png')
  writeFileSync(path, Buffer.concat([picture, Buffer.alloc(5 * 2 ** 20)]))
  await page.getByLabel('Local file for file').setInputFiles(path)
  await page.locator('.detail:has-text("too large to be checked")').waitFor()
  await page.getByRole('button', { name: /^Send POST/ }).click()
  await page.locator('.answer-line').waitFor()
  expect((await emulator.account(KEY).requests.list())[0]?.bytes).toBeGreaterThan(5 * 2 ** 20)
})

browserTest('headers are edited: a scenario for one call, another key, none', async () => {
  const { emulator, page, show } = await openUi()
  await emulator.account(KEY).read()
  await show('console?operation=b-video-task.create')
  await page.getByText('Headers (the usual ones)').click()
  const headers = page.getByLabel('Headers, one a line')
  expect(await headers.inputValue()).toBe(`Authorization: Bearer ${KEY}\nContent-Type: application/json`)
  await page.getByLabel('Add a header').selectOption('X-Backlot-Scenario: one-failed-poll')
  expect(await headers.inputValue()).toContain('X-Backlot-Scenario: one-failed-poll')
  await page.getByRole('button', { name: 'without the key' }).click()
  await page.locator('.detail .why:has-text("would be ✕ 401")').waitFor()
  await page.keyboard.press('Control+Enter')
  await page.locator('.answer-line:has-text("would be 401, was ✕ 401")').waitFor()
  await headers.fill('Authorization: Bearer bob-key\nCookie: a=1\nX-Own: <b>1</b>')
  expect(await (await fetch(`${emulator.url}/_backlot/accounts`)).text()).not.toContain('bob-key')
  // Ctrl Enter takes what was typed into the field.
  await page.keyboard.press('Control+Enter')
  await page.locator('.answer-line:has-text("was ✓ 200")').waitFor()
  await page.locator('.problem:has-text("A browser does not send: Cookie.")').waitFor()
  const [call] = await emulator.account('bob-key').requests.list()
  expect(call?.headers['x-own']).toBe('<b>1</b>')
  await page.getByRole('button', { name: 'the usual ones' }).click()
  await page.locator('summary:has-text("the usual ones")').waitFor()
  await page.getByText('Headers (the usual ones)').waitFor()
})

browserTest('a call without an answer says that it is being sent, and is cancelled', async () => {
  const { emulator, page, show } = await openUi()
  await emulator.account(KEY).scenario.play({
    name: 'silent',
    description: 'Silent.',
    steps: [{ when: { operation: 'b-video-task.create' }, then: { transport: { hang: true } } }],
  })
  await show('console?operation=b-video-task.create')
  await page.locator('.detail:has-text("would act")').waitFor()
  await page.getByRole('button', { name: /^Send POST/ }).click()
  await page.getByRole('button', { name: 'Sending…' }).waitFor()
  await page.getByRole('button', { name: 'Cancel' }).click()
  await page.locator('.detail .problem:has-text("The call was cancelled")').waitFor()
  await page.getByRole('button', { name: /^Send POST/ }).waitFor()
})

browserTest(
  'calls that were sent stand in a history that outlives a reload, and are sent again',
  async () => {
    const { emulator, page, show } = await openUi()
    await emulator.account(KEY).read()
    await show('console?operation=b-video-task.create')
    const prompt = page.getByLabel('content[0].text', { exact: true })
    for (const text of ['<b>first</b>', 'second']) {
      await prompt.fill(text)
      await page.keyboard.press('Control+Enter')
      await expect
        .poll(async () => (await emulator.account(KEY).tasks.list()).length)
        .toBe(text === 'second' ? 2 : 1)
      await page.getByRole('button', { name: /^Send POST/ }).waitFor()
    }
    await page.reload()
    const lines = page.locator('.sent li')
    await expect.poll(() => lines.count()).toBe(2)
    await lines.nth(1).getByRole('button', { name: /^edit/ }).click()
    await expect.poll(() => prompt.inputValue()).toBe('<b>first</b>')
    await lines
      .nth(1)
      .getByRole('button', { name: /^send again/ })
      .click()
    await expect.poll(() => lines.count()).toBe(3)
    const [latest] = await emulator.account(KEY).requests.list({ operation: 'b-video-task.create' })
    expect(JSON.stringify(latest?.body)).toContain('<b>first</b>')
    await expectAccessible(page)
  },
)

browserTest('a past call is sent again by one click, and the new one is shown', async () => {
  const { emulator, page, show } = await openUi()
  await create(emulator.url, 'a lighthouse', { duration: 7 })
  await show('requests')
  await page.locator('.request-line').click()
  await page.getByRole('button', { name: 'Send again' }).click()
  await page.locator('.notice:has-text("Sent again: this is the new call.")').waitFor()
  const [again, first] = await emulator.account(KEY).requests.list()
  expect(again?.body).toEqual(first?.body)
  expect(again?.headers.authorization).toBe(first?.headers.authorization)
  await expect.poll(() => page.url()).toContain(`/requests/${again?.id}`)
})

browserTest('a curl is pasted into the console, with the key of the account', async () => {
  const { emulator, page, show } = await openUi()
  await emulator.account(KEY).read()
  await show('console')
  await page.getByText('Paste a curl').click()
  const field = page.getByLabel('Command of curl')
  await field.fill('curl http://a.test/v1/nothing')
  await page.locator('.problem:has-text("No operation has the route GET /v1/nothing.")').waitFor()
  const body = JSON.stringify(createBody(`it's <i>a</i> tram`))
  await field.fill(
    `curl https://service.test${TASKS} -H 'Authorization: Bearer secret' -H 'X-Own: 1' -d '${body.replaceAll("'", `'\\''`)}'`,
  )
  await page.locator('.detail:has-text("It would be accepted.")').waitFor()
  expect(await page.getByLabel('content[0].text', { exact: true }).inputValue()).toBe(`it's <i>a</i> tram`)
  const headers = await page.getByLabel('Headers, one a line').inputValue()
  expect(headers).toContain('X-Own: 1')
  expect(headers).toContain(`Bearer ${KEY}`)
  expect(headers).not.toContain('secret')
})

browserTest('a wrong value of a choice stays to be seen in the console', async () => {
  const { emulator, page, show } = await openUi()
  await callAs(emulator.url, TASKS, createBody('a tram', { ratio: '5:4' }))
  const [call] = await emulator.account(KEY).requests.list()
  await show(`console/${call?.id}`)
  const ratio = page.getByLabel('ratio', { exact: true })
  await expect.poll(() => ratio.inputValue()).toBe('5:4')
  expect(await ratio.locator('option:checked').textContent()).toBe('"5:4" ✕')
  await ratio.selectOption('16:9')
  await page.locator('.detail:has-text("It would be accepted.")').waitFor()
  expect(await ratio.locator('option').allTextContents()).not.toContain('"5:4" ✕')
})
