import type { Locator, Page } from 'playwright-core'
import { describe, expect } from 'vitest'
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

/** The keyboard of a page: keys by their names, and the Tab key until something has the focus. */
const keyboardOf = (page: Page) => {
  const press = async (...names: string[]) => {
    for (const name of names) await page.keyboard.press(name)
  }
  const tabTo = async (wanted: Locator) => {
    await wanted.waitFor()
    for (let tabs = 0; tabs < 80; tabs += 1) {
      if (await wanted.evaluate((element) => element === element.ownerDocument.activeElement)) return
      await press('Tab')
    }
    throw new Error(`The Tab key does not reach ${wanted}.`)
  }
  return { press, tabTo }
}

browserTest(
  'every view is reached and used without a mouse, and letters that are typed stay letters',
  async () => {
    const { emulator, page, show, incidents } = await openUi()
    const { open } = await makeTraffic(emulator)
    await show('gaps')
    const { press } = keyboardOf(page)
    const path = () => new URL(page.url()).pathname.replace('/_backlot/ui/', '')

    await press('g', 'r')
    await expect.poll(path).toBe('requests')
    await page.locator('.request-line').first().waitFor()
    await press('j', 'j', 'k')
    await expect.poll(() => page.locator('.request-line').first().getAttribute('aria-current')).toBe('true')
    await press('Enter')
    await page.locator('.detail .facts').first().waitFor()
    const opened = path()
    await press('j')
    await expect.poll(path).not.toBe(opened)
    await press('Escape')
    await expect.poll(path).toBe('requests')

    await press('/')
    await page.keyboard.type('gjk?p')
    expect(await page.getByLabel('Search requests').inputValue()).toBe('gjk?p')
    expect(page.url()).not.toContain('problems')
    await press('Escape')
    expect(await page.evaluate('document.activeElement === document.body')).toBe(true)

    await press('g', 't')
    await page.locator('.timeline-line').first().waitFor()
    await press('j', 'Enter')
    await page.locator('.detail:has-text("Moments")').waitFor()
    expect(path()).toBe(`timeline/${open}`)
    await press('Escape', 'c')
    await expect.poll(() => page.url()).toContain('idle=1')
    await press('n')
    await expect.poll(async () => (await emulator.account(KEY).tasks.get(open)).status).toBe('running')
    await press('N')
    await expect.poll(async () => (await emulator.account(KEY).tasks.get(open)).status).toBe('succeeded')

    await press('g', 'a')
    // The price of the task arrives with the stream of events, and a new value takes the selection away.
    const { balance } = await emulator.account(KEY).read()
    await expect.poll(() => page.getByLabel('balance').inputValue()).toBe(String(balance))
    await page.getByLabel('balance').focus()
    await page.keyboard.press('ControlOrMeta+a')
    await page.keyboard.type('7')
    await press('Enter')
    await expect.poll(async () => (await emulator.account(KEY).read()).balance).toBe(7)
    await press('Escape', 'g', 'p')
    await page.locator('.gaps tbody tr').first().waitFor()

    await press('?')
    await page.locator('dialog kbd:text-is("g t")').waitFor()
    await press('Escape')
    await expect.poll(() => page.locator('dialog').count()).toBe(0)
    expect(incidents).toEqual([])
  },
)

browserTest(
  'Escape leaves a search field before it closes what is open, in the first view and in a later one',
  async () => {
    const { emulator, page, show } = await openUi()
    await create(emulator.url, 'a lighthouse')
    const { press } = keyboardOf(page)
    await show('requests')
    for (const search of ['Search requests', 'Search the timeline']) {
      await page.locator('.list-row a').first().click()
      await page.locator('.detail .facts').first().waitFor()
      await page.getByLabel(search).focus()
      await press('Escape')
      expect(await page.evaluate('document.activeElement === document.body')).toBe(true)
      expect(await page.locator('.detail').count()).toBe(1)
      await press('Escape')
      await expect.poll(() => page.locator('.detail').count()).toBe(0)
      await press('g', 't')
      await page.locator('.timeline-line').first().waitFor()
    }
  },
)

browserTest('the row of a refused call is opened from the one beside it, on the timeline too', async () => {
  const { emulator, page, show } = await openUi()
  await callAs(emulator.url, TASKS, createBody('a lighthouse at noon', { duration: 20 }))
  const [refused] = await emulator.account(KEY).requests.list()
  await emulator.account(KEY).clock.advance('1m')
  await show(`timeline/${await create(emulator.url, 'a lighthouse')}`)
  await page.locator('.detail:has-text("Moments")').waitFor()
  const { press } = keyboardOf(page)
  await press('j')
  await page.locator('.detail .why:has-text("duration must be")').waitFor()
  expect(page.url()).toContain(`timeline/${refused?.id}`)
  expect(await page.locator('.timeline-line.selected:has-text("duration must be")').count()).toBe(1)
  await press('k')
  await page.locator('.detail:has-text("Moments")').waitFor()
})

browserTest('the line of now is moved by arrow keys and let go by Enter', async () => {
  const { emulator, page, show } = await openUi()
  const id = await create(emulator.url, 'a lighthouse')
  await show('timeline')
  await page.locator('.bar-piece.future').first().waitFor()
  const line = page.getByRole('slider')
  await line.focus()
  await line.press('ArrowRight')
  await page.locator('.preview:has-text("running")').waitFor()
  await line.press('ArrowRight')
  await page.locator('.preview:has-text("succeeded")').waitFor()
  expect((await emulator.account(KEY).tasks.get(id)).status).toBe('queued')
  await line.press('Enter')
  await expect.poll(async () => (await emulator.account(KEY).tasks.get(id)).status).toBe('succeeded')
})

browserTest('a call is chosen, filled in, checked and sent in the console without a mouse', async () => {
  const { emulator, page, show } = await openUi()
  await emulator.account(KEY).read()
  await show('gaps')
  const { press, tabTo } = keyboardOf(page)

  await press('g', 'c')
  await page.locator('.detail:has-text("It would be accepted.")').waitFor()
  await tabTo(page.getByLabel('Operation'))
  await page.keyboard.type('F')
  await press('Enter')
  await expect.poll(() => page.getByLabel('Operation').inputValue()).toMatch(/^f-video-v2/)
  await page.keyboard.type('B.1 · b-video-task.create')
  await press('Enter')
  await expect.poll(() => page.getByLabel('Operation').inputValue()).toBe('b-video-task.create')
  await tabTo(page.getByLabel('duration', { exact: true }))
  await press('ControlOrMeta+a')
  await page.keyboard.type('99')
  await page.locator('.detail .why:has-text("duration must be")').waitFor()
  expect(await emulator.account(KEY).requests.list()).toEqual([])
  await press('ControlOrMeta+a')
  await page.keyboard.type('5')
  await page.locator('.detail:has-text("What it would make")').waitFor()
  await tabTo(page.getByRole('button', { name: /^Send POST/ }))
  await press('Enter')
  await page.locator('.detail:has-text("What followed")').waitFor()
  const [task] = await emulator.account(KEY).tasks.list()
  expect(task?.order).toMatchObject({ duration: 5 })
  // The console stays beside the answer.
  expect(new URL(page.url()).pathname).toBe('/_backlot/ui/console')
})

browserTest(
  'a result is opened, a callback sent again, and a scenario played and stopped without a mouse',
  async () => {
    const { emulator, page, show } = await openUi()
    const account = emulator.account(KEY)
    await makeTraffic(emulator)
    await show('gaps')
    const { press, tabTo } = keyboardOf(page)

    await press('g', 'e')
    await page.locator('.card').first().waitFor()
    await press('j', 'Enter')
    await page.locator('.detail video').waitFor()
    await press('Escape', 'g', 'b')
    await page.locator('.callback-line').first().waitFor()
    const received = (await account.inbox('hooks').list()).length
    await press('j', 'Enter')
    await tabTo(page.getByRole('button', { name: 'Send it again now' }))
    await press('Enter')
    await page.locator('.notice:has-text("Sent again")').waitFor()
    expect((await account.inbox('hooks').list()).length).toBe(received + 1)

    await press('g', 's')
    await tabTo(page.getByRole('button', { name: 'Fail the next one' }))
    await press('Enter')
    await tabTo(page.locator('.run').getByRole('button', { name: 'Stop fail-next' }))
    expect((await account.scenario.steps()).map(({ scenario }) => scenario)).toContain('fail-next')
    await press('Enter')
    await expect
      .poll(async () => (await account.scenario.steps()).map(({ scenario }) => scenario))
      .not.toContain('fail-next')
  },
)

browserTest(
  'the Tab key stops at one row of a list, and then at what is open; the arrow keys reach the other rows',
  async () => {
    const { emulator, page, show } = await openUi()
    for (let made = 0; made < 40; made += 1) await create(emulator.url, `number ${made}`)
    const { press, tabTo } = keyboardOf(page)
    const text = () => page.evaluate<string>('document.activeElement.textContent')
    for (const view of ['requests', 'timeline']) {
      await show(view)
      await tabTo(page.locator('.list-row a').first())
      expect(await text()).toContain('number 39')
      // The row ends where its link does: an outline around it would not be seen.
      expect(await page.evaluate('getComputedStyle(document.activeElement).outlineOffset')).toBe('-2px')
      await press('ArrowDown', 'ArrowDown', 'ArrowDown', 'ArrowUp', 'Enter')
      await page.locator('.detail .facts').first().waitFor()
      await expect.poll(text).toContain('number 38')
      await press('Tab')
      expect(await text()).toContain('Close')
      await press('Shift+Tab')
      expect(await text()).toContain('number 38')
    }
  },
)

browserTest(
  'a button that copies keeps the focus, also where the browser has no interface to the clipboard',
  async () => {
    const initScript = `Object.defineProperty(navigator, 'clipboard', { value: undefined })`
    const { emulator, page, show } = await openUi({ initScript })
    await create(emulator.url, 'a lighthouse')
    await show('requests')
    await page.locator('.request-line').click()
    await page.getByRole('button', { name: 'curl' }).focus()
    await page.keyboard.press('Enter')
    await page.locator('.notice:has-text("Copied curl.")').waitFor()
    expect(await page.evaluate('document.activeElement.textContent')).toBe('curl')
  },
)

browserTest(
  'a button that moves the clock keeps the focus, also where nothing is left to happen',
  async () => {
    const { emulator, page, show } = await openUi()
    const id = await create(emulator.url, 'a lighthouse')
    await show('timeline')
    const next = page.locator('.clock .next')
    await next.focus()
    for (const status of ['running', 'succeeded']) {
      await page.keyboard.press('Enter')
      await page.locator(`.last-move:has-text("${status}")`).waitFor()
      await expect.poll(async () => (await emulator.account(KEY).tasks.get(id)).status).toBe(status)
    }
    await page.locator('.next:has-text("nothing next")').waitFor()
    await page.keyboard.press('Enter')
    expect(await next.evaluate((element) => element === element.ownerDocument.activeElement)).toBe(true)
    expect(await next.isDisabled()).toBe(true)
  },
)

browserTest(
  'the question before a reset takes the focus, begins with the harmless answer, and gives the focus back',
  async () => {
    const { emulator, page, show } = await openUi()
    const account = emulator.account(KEY)
    await create(emulator.url, 'a lighthouse')
    await show('account')
    const { press } = keyboardOf(page)
    const ask = page.getByRole('button', { name: 'Reset…' })
    const hasFocus = async (wanted: Locator) =>
      wanted.evaluate((element) => element === element.ownerDocument.activeElement)
    await ask.focus()
    await press('Enter')
    await expect.poll(() => hasFocus(page.getByRole('button', { name: 'Keep it' }))).toBe(true)
    await expectAccessible(page)
    // No shortcut acts behind it.
    await press('g', 'r', 'Escape')
    await expect.poll(() => hasFocus(ask)).toBe(true)
    await press('Enter', 'Enter')
    await expect.poll(() => hasFocus(ask)).toBe(true)
    expect(await account.tasks.list()).toHaveLength(1)
    await page.getByRole('button', { name: 'Take a snapshot first' }).waitFor({ state: 'detached' })
    // Behind the offer to take a snapshot.
    await press('Enter', 'Tab', 'Tab', 'Enter')
    await page.locator('.notice:has-text("began anew")').waitFor()
    expect(await account.tasks.list()).toEqual([])
    await expect.poll(() => hasFocus(ask)).toBe(true)
  },
)

browserTest('a snapshot is restored after a question, whose harmless answer is the first', async () => {
  const { emulator, page, show } = await openUi()
  const account = emulator.account(KEY)
  await account.snapshot()
  await create(emulator.url, 'a lighthouse')
  await show('account')
  const { press } = keyboardOf(page)
  const question = page.getByRole('alertdialog', { name: 'Restore snapshot-1' })
  await page.getByRole('button', { name: 'Restore snapshot-1…' }).focus()
  await press('Enter')
  await question.waitFor()
  expect(await question.textContent()).toContain('What came since is lost')
  await expectAccessible(page)
  await press('Enter')
  await expect.poll(() => question.count()).toBe(0)
  expect(await account.tasks.list()).toHaveLength(1)
  // Behind the offer to take a snapshot.
  await press('Enter', 'Tab', 'Tab', 'Enter')
  await page.locator('.notice:has-text("as it was in snapshot-1")').waitFor()
  expect(await account.tasks.list()).toEqual([])
})

browserTest('without an account no key moves a clock, which would open one', async () => {
  const { page, show } = await openUi()
  const sent: string[] = []
  page.on('request', (request) => void sent.push(request.url()))
  await show('')
  await page.locator('.first-use').waitFor()
  await keyboardOf(page).press('n', 'N', '?')
  await page.locator('dialog').waitFor()
  expect(sent.filter((url) => url.includes('/clock'))).toEqual([])
})

browserTest(
  'Enter opens the row that j or k has selected, and that of a view after g, whatever was clicked before',
  async () => {
    const { emulator, page, show } = await openUi()
    await create(emulator.url, 'a lighthouse')
    await create(emulator.url, 'a tram')
    const { press } = keyboardOf(page)
    const { now } = await emulator.account(KEY).clock.read()
    const expectOpened = async (view: string) => {
      await page.locator('.detail .facts').first().waitFor()
      expect(new URL(page.url()).pathname).toMatch(`/ui/${view}/`)
      await press('Escape')
      await page.locator('.detail').waitFor({ state: 'detached' })
    }
    await show('timeline')
    await page.getByRole('button', { name: '+1 m' }).click()
    await page.locator('.last-move:has-text("→")').waitFor()
    await press('j', 'Enter')
    await expectOpened('timeline')
    await page.getByRole('button', { name: /^Theme/ }).click()
    await press('k', 'Enter')
    await expectOpened('timeline')
    await page.getByRole('link', { name: 'Requests' }).click()
    await page.locator('.request-line').first().waitFor()
    await press('j', 'Enter')
    await expectOpened('requests')
    await page.getByRole('button', { name: /^Theme/ }).click()
    await press('g', 't')
    await page.locator('.timeline-line').first().waitFor()
    await press('Enter')
    await expectOpened('timeline')
    const { now: after } = await emulator.account(KEY).clock.read()
    expect(Date.parse(after) - Date.parse(now)).toBe(60_000)
    expect(await page.locator('html').getAttribute('data-theme')).toBe('dark')
  },
)

browserTest('shortcuts act while a filter that was clicked has the focus', async () => {
  const { emulator, page, show } = await openUi()
  await makeTraffic(emulator)
  await show('requests')
  await page.getByLabel(/problems only/).check()
  await page.locator('.request-line').first().waitFor()
  await keyboardOf(page).press('j')
  await expect.poll(() => page.locator('.request-line').first().getAttribute('aria-current')).toBe('true')
  await keyboardOf(page).press('p')
  await expect.poll(() => page.getByLabel(/problems only/).isChecked()).toBe(false)
})

describe.each([1_280, 390])('in a window of %s pixels', (width) => {
  browserTest(
    'the focus returns to the row whose detail is closed, and follows the rows that j and k select',
    async () => {
      const { emulator, page, show } = await openUi({ width })
      for (let made = 0; made < 40; made += 1) await create(emulator.url, `number ${made}`)
      const { press, tabTo } = keyboardOf(page)
      for (const view of ['requests', 'timeline']) {
        await show(view)
        await page.locator('.list-row a').first().waitFor()
        const openRow = page.locator('.list-row a[aria-current="true"]')
        const expectFocusAt = async (prompt: string) => {
          await expect
            .poll(() => page.evaluate('document.activeElement.textContent'))
            .toContain(`number ${prompt}`)
          expect(await page.evaluate('document.activeElement.matches(".list-row a")')).toBe(true)
          expect(await openRow.textContent()).toContain(`number ${prompt}`)
        }
        const row = page.locator('.list-row a:has-text("number 17")').first()
        await page.locator('.list').hover()
        await page.locator('.list').evaluate((list) => list.scrollTo({ top: list.scrollHeight / 2 }))
        await row.focus()
        await press('Enter')
        await tabTo(page.getByRole('button', { name: 'Close' }))
        await press('Enter')
        await expectFocusAt('17')
        await press('j', 'Enter')
        await page.locator('.detail .facts').first().waitFor()
        await page.locator('.detail button').nth(1).focus()
        await press('j', 'Escape')
        await expectFocusAt('15')
      }
      expect(await page.locator('.menu a[aria-current]').getAttribute('aria-current')).toBe('page')
    },
  )
})
