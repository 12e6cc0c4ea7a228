import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Locator, Route } from 'playwright-core'
import { describe, expect } from 'vitest'
import { verifiedText } from '../../src/emulator/verified/file.js'
import { BREAK_WIDTH } from '../../src/ui/state/time-scale.js'
import { bodies, paths } from '../emulator.js'
import { newFolder } from '../folder.js'
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

const views = [
  'timeline',
  'requests',
  'results',
  'callbacks',
  'scenarios',
  'console',
  'account',
  'gaps',
] as const

/** Relative luminance of `rgb(1, 2, 3)`, as WCAG 2 defines it. */
const luminance = (colour: string): number => {
  const [red = 0, green = 0, blue = 0] = (colour.match(/[\d.]+/g) ?? []).map((part) => {
    const value = Number(part) / 255
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

const contrast = (a: number, b: number): number => (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05)

describe.each(['light', 'dark'] as const)('in the %s theme', (colorScheme) => {
  browserTest('fields have an edge of at least 3:1 and a hint of at least 4.5:1', async () => {
    const { emulator, page, show } = await openUi({ colorScheme })
    await makeTraffic(emulator)
    await show('timeline')
    const colours = await page.evaluate<string[]>(`[
      getComputedStyle(document.querySelector('input[type=search]')).borderTopColor,
      getComputedStyle(document.querySelector('input[type=search]'), '::placeholder').color,
      getComputedStyle(document.querySelector('input[type=search]')).backgroundColor,
    ]`)
    const [edge = 0, hint = 0, background = 0] = colours.map(luminance)
    expect(contrast(edge, background)).toBeGreaterThanOrEqual(3)
    expect(contrast(hint, background)).toBeGreaterThanOrEqual(4.5)
  })

  browserTest(
    'axe-core finds nothing on any view with traffic, wide and narrow, nor CSP or a script',
    async () => {
      const { emulator, page, show, incidents } = await openUi({ colorScheme })
      await makeTraffic(emulator)
      for (const view of views) {
        await show(view)
        await page.locator('.list-row, .section, .gaps tr').first().waitFor()
        await expectAccessible(page)
      }
      expect(await page.locator('.menu a').count()).toBe(views.length)
      await show('requests?problems=1')
      await page.locator('.request-line').first().click()
      await page.locator('.detail .facts').first().waitFor()
      await expectAccessible(page)
      await page.setViewportSize({ width: 390, height: 800 })
      await expectAccessible(page)
      await page.keyboard.press('Escape')
      await page.keyboard.press('?')
      await page.locator('dialog').waitFor()
      await expectAccessible(page)
      expect(incidents).toEqual([])
    },
  )
})

browserTest(
  'a window of 320 by 256 px, as at 400 % zoom, leaves the list its room below the clock',
  async () => {
    const { emulator, page, show } = await openUi()
    await makeTraffic(emulator)
    await page.setViewportSize({ width: 320, height: 256 })
    await show('requests')
    await page.locator('.request-line').first().click()
    await page.locator('.detail .facts').first().waitFor()
    expect((await page.locator('.view').boundingBox())?.height).toBeGreaterThan(120)
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(320)
  },
)

browserTest('a window of 360 px cuts neither a task of another day nor the list of shortcuts', async () => {
  const { emulator, page, show } = await openUi()
  const id = await create(emulator.url, 'a lighthouse')
  await emulator.account(KEY).clock.advance('26h')
  await page.setViewportSize({ width: 360, height: 800 })
  await show(`timeline/${id}`)
  await page.locator('.detail table').first().waitFor()
  const table = await page.locator('.detail table').first().boundingBox()
  expect((table?.x ?? 0) + (table?.width ?? 0)).toBeLessThanOrEqual(360 - 16)
  await page.keyboard.press('Escape')
  await page.keyboard.press('?')
  const row = page.locator('.shortcuts div:has(kbd:text-is("Enter"))')
  const [key, label] = [await row.locator('kbd').boundingBox(), await row.locator('dd').boundingBox()]
  expect((key?.x ?? 0) + (key?.width ?? 0)).toBeLessThanOrEqual(label?.x ?? 0)
})

browserTest(
  'forced colours leave the line of now, the bars, and what is selected or pressed to be seen',
  async () => {
    const { emulator, page, show } = await openUi()
    await makeTraffic(emulator)
    await page.emulateMedia({ forcedColors: 'active' })
    const lineOf = (selector: string, side: 'outline' | 'border-left') =>
      page.evaluate<string>(
        `getComputedStyle(document.querySelector('${selector}')).getPropertyValue('${side}-style')`,
      )
    await show('timeline')
    await page.locator('.bar-piece.state-running:not(.future)').first().waitFor()
    expect(await lineOf('.bar-piece.state-running:not(.future)', 'border-left')).toBe('solid')
    expect(await lineOf('.now-line', 'border-left')).toBe('solid')
    await show('requests')
    await page.locator('.request-line').first().click()
    await page.locator('.detail .facts').first().waitFor()
    expect(await lineOf('.request-line[aria-current]', 'outline')).toBe('solid')
    expect(await lineOf('.menu a[aria-current]', 'outline')).toBe('solid')
    await show('console')
    await page.getByRole('button', { name: 'Form' }).waitFor()
    expect(await lineOf('button[aria-pressed="true"]', 'outline')).toBe('solid')
  },
)

browserTest(
  'an emulator without traffic shows the request to paste, and what comes of it at once',
  async () => {
    const { emulator, page, show } = await openUi()
    await show('')
    await expect.poll(() => page.locator('.first-use pre').textContent()).toContain(`${emulator.url}${TASKS}`)
    await callAs(emulator.url, TASKS, createBody('a lighthouse'), 'a-new-key')
    await page.locator('.timeline-label:has-text("a lighthouse")').waitFor()
    expect(await page.getByLabel('Account').inputValue()).toBe(
      (await emulator.account('a-new-key').requests.list())[0]?.account,
    )
  },
)

browserTest('the request to paste is sent by one click, and fills the page', async () => {
  const { emulator, page, show } = await openUi()
  await show('')
  await page.getByRole('button', { name: 'Send it for me' }).click()
  await page.locator('.timeline-label:has-text("a lighthouse in the fog")').waitFor()
  await page.locator('.notice:has-text("Sent as my-key: it was answered with 200.")').waitFor()
  expect(await emulator.account('my-key').tasks.list()).toHaveLength(1)
  expect(await page.locator('select[aria-label="Account"] option').allTextContents()).toEqual(['my-key'])
})

browserTest('a badge counts the kinds of problems: one mistake that is repeated is of one kind', async () => {
  const { emulator, page, show } = await openUi()
  const { url } = emulator
  for (const duration of [20, 21, 22]) await callAs(url, TASKS, createBody('a tram', { duration }))
  await callAs(url, '/v1/nowhere')
  await show('timeline')
  const badge = page.getByRole('img', { name: '4 problems of 2 kinds' })
  await badge.waitFor()
  expect(await badge.textContent()).toBe('2')
  await page.getByRole('link', { name: 'Requests' }).click()
  await badge.waitFor({ state: 'detached' })
})

browserTest('the calls of an earlier day stand below its date, which the keyboard passes over', async () => {
  const { emulator, page, show } = await openUi()
  const { url } = emulator
  await create(url, 'on the first day')
  await emulator.account(KEY).clock.advance('24h')
  await create(url, 'on the second day')
  await show('requests')
  const rows = page.locator('.list-row')
  await expect.poll(() => rows.count()).toBe(3)
  const [day] = (await emulator.account(KEY).requests.list()).at(-1)?.at.split('T') ?? []
  expect(await rows.nth(1).textContent()).toBe(day)
  expect(await page.locator('.request-line .date').count()).toBe(0)
  for (const text of ['on the second day', 'on the first day']) {
    await page.keyboard.press('j')
    await page.locator(`.request-line[aria-current]:has-text("${text}")`).waitFor()
  }
  await expectAccessible(page)
  await emulator.account(KEY).clock.advance('24h')
  await expect.poll(() => rows.count()).toBe(4)
})

browserTest(
  'an address with an account that is gone shows the request to paste where there is no account, and what comes of it',
  async () => {
    const { emulator, page, show } = await openUi()
    await show('timeline?account=zzz')
    await page.locator('.first-use').waitFor()
    await callAs(emulator.url, TASKS, createBody('a lighthouse'))
    await page.locator('.timeline-label:has-text("a lighthouse")').waitFor()
    await show('timeline?account=zzz')
    await page.locator('.message:has-text("There is no account zzz.")').waitFor()
  },
)

browserTest('the list of accounts is read again when the pointer comes to it', async () => {
  const { emulator, page, show } = await openUi()
  await create(emulator.url, 'a lighthouse')
  await show('timeline')
  await callAs(emulator.url, TASKS, createBody('a tram'), 'another-key')
  await page.getByLabel('Account').hover()
  await page.locator('option:has-text("another-key")').waitFor({ state: 'attached' })
})

browserTest(
  'a search says how many of the calls it has found, and a badge counts problems in words',
  async () => {
    const { emulator, page, show } = await openUi()
    await makeTraffic(emulator)
    await show('timeline')
    await page.getByRole('img', { name: /^\d problems of \d kinds?$/ }).waitFor()
    await page.getByRole('link', { name: 'Requests' }).click()
    await page.getByLabel('Search requests').fill('/v1/videoss')
    const { length } = await emulator.account(KEY).requests.list()
    await page.locator(`.filters:has-text("1 of ${length} calls")`).waitFor()
  },
)

browserTest('a test that is copied from a call about a task makes the task', async () => {
  const { emulator, page, show } = await openUi()
  const id = await create(emulator.url, 'a lighthouse')
  await callAs(emulator.url, `${TASKS}/${id}`)
  await show('requests')
  await page.locator('.request-line.poll').click()
  await page.getByRole('button', { name: 'vitest test' }).click()
  await page.locator('.notice:has-text("Copied vitest test.")').waitFor()
  const source = await page.evaluate<string>('navigator.clipboard.readText()')
  expect(source).toContain('a lighthouse')
  expect(source).toContain(`${TASKS}/\${task.id}`)
})

browserTest('lists that are empty without a filter do not ask for another one', async () => {
  const { emulator, page, show } = await openUi()
  await callAs(emulator.url, TASKS)
  await show('timeline')
  await page.locator('.message:has-text("No task yet.")').waitFor()
  await create(emulator.url, 'a tram')
  await page.getByLabel('Search the timeline').fill('a lighthouse')
  await page.locator('.message:has-text("No row matches the filters.")').waitFor()
})

browserTest('the timeline has a row for each task, and its buttons move the clock', async () => {
  const { emulator, page, show } = await openUi()
  const id = await create(emulator.url, 'a lighthouse')
  await show('timeline')
  await page.locator('.bar-piece.future').first().waitFor()
  expect(await page.locator('.clock-face').textContent()).toMatch(/:\d\d UTC$/)
  await page.getByRole('button', { name: /^next/ }).click()
  await page.locator('.last-move:has-text("running")').waitFor()
  expect((await emulator.account(KEY).tasks.get(id)).status).toBe('running')
  await page.getByRole('button', { name: 'until idle' }).click()
  await page.locator('.end:not(.future):has-text("succeeded")').waitFor()
  await page.locator('.last-move:has-text("1 happened"):has-text("succeeded")').waitFor()
  await page.getByLabel('Mode of the clock').selectOption('on-poll')
  await expect.poll(async () => (await emulator.account(KEY).clock.read()).mode).toBe('on-poll')
})

browserTest(
  'what a move of the clock brought is shown together with the buttons that are free again',
  async () => {
    const { emulator, page, show } = await openUi()
    await create(emulator.url, 'a lighthouse')
    await show('timeline')
    const readings: Route[] = []
    await page.route('**/_backlot/clock', (route) => void readings.push(route))
    const next = page.locator('.clock .next')
    await next.click()
    await expect.poll(() => readings.length).toBe(1)
    expect(await next.isDisabled()).toBe(true)
    expect(await page.locator('.last-move').textContent()).toBe('')
    await readings[0]?.continue()
    await page.locator('.last-move:has-text("running")').waitFor()
    expect(await next.isDisabled()).toBe(false)
  },
)

browserTest(
  'the buttons of the clock stay where they are when it moves, and a list has all that happened',
  async () => {
    const { emulator, page, show } = await openUi()
    for (const prompt of ['a lighthouse', 'a tram', 'a harbour']) await create(emulator.url, prompt)
    const buttons = page.locator('.clock button')
    const places = async () => Promise.all((await buttons.all()).map((button) => button.boundingBox()))
    for (const width of [1_280, 1_440, 1_920]) {
      await page.setViewportSize({ width, height: 800 })
      await show('timeline')
      await page.locator('.clock .next').waitFor()
      const before = await places()
      await page.getByRole('button', { name: '+1 h' }).click()
      await page.locator('.last-move:has-text("happened")').waitFor()
      expect(await places()).toEqual(before)
    }
    await page.reload()
    for (const prompt of ['a lighthouse', 'a tram', 'a harbour']) await create(emulator.url, prompt)
    await page.getByRole('button', { name: 'until idle' }).click()
    const move = page.locator('.last-move:has-text("6 happened")')
    await move.getByText('all of it').click()
    expect(await move.locator('li').count()).toBe(6)
    await move.locator('li a').first().click()
    await page.locator('.detail').waitFor()
  },
)

browserTest('a move of the clock within a second shows milliseconds', async () => {
  const { emulator, page, show } = await openUi()
  await create(emulator.url, 'a lighthouse')
  const { clock } = emulator.account(KEY)
  const { next } = await clock.read()
  await clock.advance({ to: new Date(Date.parse(next ?? '') - 1).toISOString() })
  await show('timeline')
  await page.locator('.clock .next').click()
  const move = await page.locator('.last-move:has-text("→")').textContent()
  expect(move).toMatch(/^00:00:\d\d\.\d{3} → 00:00:\d\d\.\d{3} · 1 happened/)
})

browserTest('what a move of the clock brought is not shown for another account', async () => {
  const { emulator, page, show } = await openUi()
  await create(emulator.url, 'a lighthouse')
  await callAs(emulator.url, TASKS, createBody('a tram'), 'another-key')
  const { tag: shown } = await emulator.account(KEY).read()
  const { tag: other } = await emulator.account('another-key').read()
  await show(`timeline?account=${shown}`)
  const readings: Route[] = []
  await page.route('**/_backlot/clock', (route) =>
    readings.length === 0 ? void readings.push(route) : route.continue(),
  )
  await page.locator('.clock .next').click()
  await expect.poll(() => readings.length).toBe(1)
  await page.locator('select[aria-label="Account"]').selectOption(other)
  await page.locator('.list-row a:has-text("a tram")').waitFor()
  await readings[0]?.continue()
  await page.locator('.clock .next[aria-disabled="false"]').waitFor()
  expect(await page.locator('.last-move').textContent()).toBe('')
})

browserTest(
  'what a move of the clock brought is not shown once the account was restored or reset',
  async () => {
    const { emulator, page, show } = await openUi()
    await emulator.account(KEY).snapshot()
    await show('account')
    for (const action of ['Restore', 'Reset']) {
      await page.getByRole('button', { name: '+1 m' }).click()
      await page.locator('.last-move:has-text("happened")').waitFor()
      await page.getByRole('button', { name: new RegExp(`^${action}.*…$`) }).click()
      await page.locator('dialog[open]').getByRole('button', { name: action }).click()
      await page.locator('.last-move:has-text("happened")').waitFor({ state: 'detached' })
    }
  },
)

browserTest(
  'the line of now says what will happen before it is let go, and then moves the clock to that moment',
  async () => {
    const { emulator, page, show } = await openUi()
    const id = await create(emulator.url, 'a lighthouse')
    const { timeline } = await emulator.account(KEY).tasks.get(id)
    await show('timeline')
    await page.locator('.bar-piece.future').first().waitFor()
    const line = page.getByRole('slider')
    await line.hover({ position: { x: 5, y: 60 } })
    await page.mouse.down()
    await page.locator('.end.future').hover({ position: { x: 2, y: 4 } })
    await page.locator('.preview li:has-text("succeeded")').waitFor()
    expect(await page.locator('.preview li').count()).toBe(2)
    await line.dispatchEvent('pointercancel')
    await expect.poll(() => page.locator('.preview').count()).toBe(0)
    await page.mouse.up()
    expect((await emulator.account(KEY).tasks.get(id)).status).toBe('queued')
    await line.hover({ position: { x: 5, y: 60 } })
    await page.mouse.down()
    await page.locator('.end.future').hover({ position: { x: 2, y: 4 } })
    await page.locator('.preview li:has-text("succeeded")').waitFor()
    await page.mouse.up()
    await expect.poll(async () => (await emulator.account(KEY).clock.read()).now).toBe(timeline.at(-1)?.at)
    await line.press('ArrowLeft')
    await page.locator('.preview:has-text("The past is only looked at")').waitFor()
    expect((await emulator.account(KEY).clock.read()).now).toBe(timeline.at(-1)?.at)
    await line.press('Escape')
    await expect.poll(() => page.locator('.preview').count()).toBe(0)
  },
)

browserTest('a snapshot that is taken leaves the page where it was scrolled to', async () => {
  const { emulator, page, show } = await openUi()
  for (let count = 0; count < 40; count += 1) await emulator.account(KEY).snapshot()
  await show('account')
  await page.locator('td code:has-text("snapshot-40")').waitFor()
  const button = page.getByRole('button', { name: 'Take a snapshot' })
  await button.click()
  await page.locator('td code:has-text("snapshot-41")').waitFor()
  expect((await button.boundingBox())?.y).toBeLessThan(800)
})

browserTest('the past offers a snapshot from before it', async () => {
  const { emulator, page, show } = await openUi()
  const account = emulator.account(KEY)
  await create(emulator.url, 'a lighthouse')
  await show('account')
  await page.getByRole('button', { name: 'Take a snapshot' }).click()
  await page.locator('td code:has-text("snapshot-1")').waitFor()
  await expectAccessible(page)
  await account.clock.advance({ to: 'idle' })
  await page.getByRole('link', { name: 'Timeline' }).click()
  await page.locator('.end:not(.future)').waitFor()
  await page.getByRole('slider').press('ArrowLeft')
  await page.getByRole('button', { name: 'Restore snapshot-1…' }).click()
  await page.getByRole('alertdialog', { name: 'Restore snapshot-1' }).waitFor()
  await expectAccessible(page)
  await page.keyboard.press('Escape')
  await expect.poll(() => page.getByRole('alertdialog').count()).toBe(0)
  expect((await account.tasks.list())[0]?.status).toBe('succeeded')
  await page.getByRole('button', { name: 'Restore snapshot-1…' }).click()
  await page.getByRole('button', { name: 'Restore snapshot-1', exact: true }).click()
  await page.locator('.end.future').waitFor()
  await expect.poll(() => page.locator('.preview').count()).toBe(0)
  expect((await account.tasks.list())[0]?.status).toBe('queued')
})

browserTest('what is said beside the line of now stays in sight in a narrow window', async () => {
  const { emulator, page, show } = await openUi({ width: 390 })
  for (const step of ['1h', '1200ms', '0s'] as const) {
    await create(emulator.url, 'a lighthouse')
    await emulator.account(KEY).clock.advance(step)
  }
  await show('timeline')
  await page.locator('.bar-piece.future').first().waitFor()
  const line = page.getByRole('slider')
  for (const key of ['ArrowLeft', 'ArrowRight']) {
    for (let presses = 0; presses < 4; presses += 1) await line.press(key)
    const box = await page.locator('.preview').boundingBox()
    expect(box?.x).toBeGreaterThanOrEqual(0)
    expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual(390)
    await line.press('Escape')
  }
})

browserTest('another account is shown without what was looked at or asked for one before it', async () => {
  const { emulator, page, show } = await openUi()
  const tags: string[] = []
  for (const key of ['with-a-snapshot', 'without-one']) {
    await callAs(emulator.url, TASKS, createBody('a lighthouse'), key)
    await emulator.account(key).clock.advance({ to: 'idle' })
    tags.push((await emulator.account(key).read()).tag)
  }
  const [first = '', second = ''] = tags
  const choose = (tag: string) => page.locator('select[aria-label="Account"]').selectOption(tag)
  await show(`account?account=${first}`)
  await page.getByRole('button', { name: 'Take a snapshot' }).click()
  await page.locator('td code:has-text("snapshot-1")').waitFor()
  await page.getByRole('button', { name: 'Reset…' }).click()
  await page.getByRole('alertdialog').waitFor()
  await choose(second)
  await expect.poll(() => page.getByRole('alertdialog').count()).toBe(0)
  await page.getByRole('link', { name: 'Timeline' }).click()
  await page.locator('.end').waitFor()
  await emulator.account('without-one').clock.advance('1h')
  await emulator.account('with-a-snapshot').clock.advance('1h')
  await page.getByRole('slider').press('ArrowLeft')
  await page.locator('.preview:has-text("The past is only looked at")').waitFor()
  await expect.poll(() => page.locator('.preview button').count()).toBe(0)
  await choose(first)
  await expect.poll(() => page.locator('.preview').count()).toBe(0)
})

browserTest(
  'a collapsed stretch of idle time is as wide as the scale has it, and says how long it is',
  async () => {
    const { emulator, page, show } = await openUi()
    await create(emulator.url, 'a lighthouse')
    await emulator.account(KEY).clock.advance('23h')
    await create(emulator.url, 'a harbour')
    await show('timeline')
    await page.locator('.break').first().waitFor()
    for (const part of ['.break', '.break-label'])
      expect((await page.locator(part).first().boundingBox())?.width).toBe(BREAK_WIDTH)
    expect(await page.locator('.break-label').first().textContent()).toMatch(/^2[23] h/)
    await page.keyboard.press('c')
    await expect.poll(() => page.locator('.break').count()).toBe(0)
  },
)

browserTest(
  'the axis says the date where another day begins, also after idle time that is collapsed',
  async () => {
    const { emulator, page, show } = await openUi()
    const account = emulator.account(KEY)
    await account.scenario.play({
      name: 'slow',
      description: 'Slow.',
      steps: [{ when: { operation: 'b-video-task.create' }, then: { task: { runningFor: '40h' } } }],
    })
    for (const prompt of ['a lighthouse', 'a harbour']) {
      await create(emulator.url, prompt)
      await account.clock.advance('30d')
    }
    await show('timeline?idle=1')
    await page.locator('.tick').nth(1).waitFor()
    const labels = await page.locator('.tick').allTextContents()
    expect(new Set(labels).size).toBe(labels.length)
    await show('timeline')
    await page.locator('.break').first().waitFor()
    const dates = ['2026-01-01', '2026-01-31']
    expect(await page.locator('.tick').allTextContents()).toEqual(expect.arrayContaining(dates))
  },
)

browserTest(
  'a refused call begins with the sentence that explains, marks its field, and is copied as a test',
  async () => {
    const { emulator, page, show } = await openUi()
    await makeTraffic(emulator)
    await show('requests')
    await page.locator('.request-line:has-text("duration must be")').click()
    await expect
      .poll(() => page.locator('.why').textContent())
      .toBe('duration must be an integer from 4 to 15, or -1, found 20')
    expect(await page.locator('.detail .json-line.marked').textContent()).toBe('duration: 20')
    await page.getByRole('button', { name: 'vitest test' }).click()
    await page.locator('.notice:has-text("Copied")').waitFor()
    expect(await page.evaluate('navigator.clipboard.readText()')).toContain("from 'backlot/vitest'")
  },
)

browserTest(
  'the effect of a scenario stands once in a call, beside what it changed in the answer',
  async () => {
    const { emulator, page, show } = await openUi()
    await emulator.account(KEY).scenario.play({
      name: 'blue',
      description: 'Blue.',
      steps: [{ then: { answer: { set: { colour: 'blue' } } } }],
    })
    await create(emulator.url, 'a lighthouse')
    await show('requests')
    await page.locator('.request-line').click()
    await page.locator('.why a:has-text("blue")').waitFor()
    const text = (await page.locator('.detail').textContent()) ?? ''
    expect(text.match(/answer\.set/g)).toHaveLength(1)
    expect(text).toContain('The step changed the answer: colour "blue".')
  },
)

browserTest('a call to a route that does not exist says so once, with the nearest one', async () => {
  const { emulator, page, show } = await openUi()
  await callAs(emulator.url, '/v1/videoss', {})
  await show('requests')
  await page.locator('.request-line').click()
  await page.locator('.why:text-is("No operation has the route POST /v1/videoss.")').waitFor()
  const text = (await page.locator('.detail').textContent()) ?? ''
  expect(text.match(/No operation has the route/g)).toHaveLength(1)
  expect(text).toContain('Did you mean POST /v1/videos?')
})

browserTest('a warning of a call stands once in its detail', async () => {
  const { emulator, page, show } = await openUi()
  await create(emulator.url, 'a lighthouse', { '<b>': 1 })
  await show('requests')
  await page.locator('.request-line').click()
  await page.locator('.detail:has-text("is not a field of this interface and was ignored.")').waitFor()
  expect(await page.locator('.detail dt:text-is("ignored")').count()).toBe(0)
})

browserTest('a long value that was copied leaves the view its room', async () => {
  const { emulator, page, show } = await openUi()
  const headers = { authorization: `Bearer ${KEY}`, 'x-own': 'long '.repeat(1_000) }
  await fetch(emulator.url + TASKS, { headers })
  await show('requests')
  await page.locator('.request-line').click()
  await page.locator('summary').click()
  await page.locator('button.value:has-text("long long")').click()
  await page.locator('.notice:has-text("Copied long")').waitFor()
  expect((await page.locator('.view').boundingBox())?.height).toBeGreaterThan(500)
  await expectAccessible(page)
})

browserTest(
  'a call is copied and opened again as it was sent, and what is missing from it is said',
  async () => {
    const { emulator, page, show } = await openUi()
    const send = async (body: string) => {
      const headers = { authorization: `Bearer ${KEY}`, 'content-type': 'application/json' }
      const response = await fetch(emulator.url + TASKS, { method: 'POST', headers, body })
      return response.headers.get('x-request-id')
    }
    const copied = async (id: string | null) => {
      await show(`requests/${id}`)
      await page.getByRole('button', { name: 'curl' }).click()
      await page.locator('.notice:has-text("Copied curl")').waitFor()
      return [
        await page.evaluate('navigator.clipboard.readText()'),
        await page.locator('.notice').textContent(),
      ]
    }
    const prompt = 'A slow aerial shot over the harbour. '.repeat(20)
    const [long, notice] = await copied(await send(JSON.stringify(createBody(prompt))))
    expect(long).toContain(prompt)
    expect(notice).not.toContain('put it in again')
    const noJson = await send('{not json')
    expect((await copied(noJson))[0]).toContain(`--data-raw '{not json'`)
    expect(await page.locator('.detail .json').first().textContent()).toContain('{not json')
    await show(`console/${noJson}`)
    await page.getByLabel('Body, JSON').waitFor()
    expect(await page.getByLabel('Body, JSON').inputValue()).toBe('{not json')
    const secret = await send(JSON.stringify(createBody('a harbour', { token: 'abc' })))
    expect((await copied(secret))[1]).toContain('a part of the body: put it in again')
    await show(`console/${secret}`)
    await page.locator('.problem:has-text("put it in again")').waitFor()
  },
)

browserTest('a call leads to its task, its callbacks and its downloads', async () => {
  const { emulator, page, show } = await openUi()
  const { done } = await makeTraffic(emulator)
  await show('requests')
  await page.locator('.request-line:has-text("a lighthouse in the fog")').click()
  const followed = page.locator('.detail .section:has-text("What followed")')
  await followed.getByRole('link', { name: '200' }).waitFor()
  expect(await followed.getByRole('link', { name: /delivered/ }).count()).toBeGreaterThan(1)
  await followed.getByRole('link', { name: done }).click()
  await page.locator('.detail:has-text("Calls and callbacks")').waitFor()
  expect(new URL(page.url()).pathname).toBe(`/_backlot/ui/timeline/${done}`)
})

browserTest('filters are in the address and come back with the view', async () => {
  const { emulator, page, show } = await openUi()
  await makeTraffic(emulator)
  await show('requests')
  await page.keyboard.press('p')
  await page.getByLabel('Search requests').fill('videoss')
  await expect.poll(() => page.locator('.request-line').count()).toBe(1)
  expect(page.url()).toContain('problems=1')
  await page.locator('.request-line').click()
  await page.getByRole('link', { name: 'Gaps' }).click()
  await page.goBack()
  await page.goBack()
  await expect.poll(() => page.getByLabel('Search requests').inputValue()).toBe('videoss')
  await page.reload()
  await expect.poll(() => page.locator('.request-line').count()).toBe(1)
})

browserTest(
  'the account is changed, refused changes keep what was typed, and a reset says what will go',
  async () => {
    const { emulator, page, show } = await openUi()
    const account = emulator.account(KEY)
    await makeTraffic(emulator)
    await show('account')
    await page.getByLabel('balance').fill('3.5')
    await page.getByLabel(/^tasksInFlight/).fill('1.5')
    await page.evaluate(`for (const form of document.forms) form.noValidate = true`)
    await page.getByRole('button', { name: 'Save' }).click()
    await page.locator('.notice.problem:has-text("tasksInFlight")').waitFor()
    expect(await page.getByLabel('balance').inputValue()).toBe('3.5')
    await page.getByLabel(/^tasksInFlight/).fill('2')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.locator('.notice:has-text("Changed")').waitFor()
    expect(await account.read()).toMatchObject({
      balance: 3.5,
      limits: { tasksInFlight: 2, imageQuota: null },
    })
    await page.getByLabel(/^tasksInFlight/).fill('-1')
    expect(await page.locator('.notice:has-text("Changed")').count()).toBe(0)
    await page.getByRole('button', { name: 'Reset…' }).click()
    expect(await page.getByRole('alertdialog').textContent()).toContain('2 tasks')
    await page.getByRole('button', { name: `Reset ${KEY}` }).click()
    await page.locator('.notice:has-text("began anew")').waitFor()
    expect(await account.requests.list()).toEqual([])
  },
)

browserTest('a balance that was saved goes on showing what tasks cost', async () => {
  const { emulator, page, show } = await openUi()
  const account = emulator.account(KEY)
  await account.read()
  await show('account')
  await page.getByLabel('balance').fill('100')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.locator('.notice:has-text("Changed")').waitFor()
  await create(emulator.url, 'a lighthouse')
  await account.clock.advance({ to: 'idle' })
  const { balance } = await account.read()
  expect(balance).toBeLessThan(100)
  await expect.poll(() => page.getByLabel('balance').inputValue()).toBe(String(balance))
})

browserTest('the gaps are those that the calls have met, and all of them on request', async () => {
  const { emulator, page, show } = await openUi()
  await callAs(emulator.url, TASKS, createBody('a lighthouse', { resolution: '4k' }))
  await show('gaps')
  await page.locator('.gaps tbody tr').first().waitFor()
  const ids = await page.locator('.gaps tbody tr td:first-child button').allTextContents()
  expect(new Set(ids.map((id) => id.charAt(0)))).toEqual(new Set(['B']))
  await page.getByLabel(/met or not/).check()
  await expect.poll(() => page.locator('.gaps tbody tr').count()).toBeGreaterThan(100)
})

browserTest(
  'what the real service was seen to answer stands in place of the grade, and at the call',
  async () => {
    const fact = {
      answer: 'b-video-task.create@InvalidParameter',
      rule: 'b-video-task.schema.resolution',
      asked: 'a task in 4k',
      gaps: ['B8'],
      verdict: 'same' as const,
      at: '2026-11-28T10:00:00.000Z',
      host: 'abcdefabcdef',
      profile: null,
    }
    const file = join(newFolder(), 'seen.json')
    writeFileSync(file, verifiedText([fact, { ...fact, gaps: ['B7'], rule: 'other', verdict: 'differs' }]))
    const { emulator, page, show } = await openUi({ settings: { verified: file } })
    await callAs(emulator.url, TASKS, createBody('a lighthouse', { resolution: '4k' }))
    await show('gaps')
    const row = (id: string) =>
      page.locator('.gaps tbody tr').filter({ has: page.getByText(id, { exact: true }) })
    await expect.poll(() => row('B8').textContent()).toContain('seen on 2026-11-28')
    await expect.poll(() => row('B7').textContent()).toContain('the service answers otherwise')
    await expect.poll(() => row('B1').textContent()).not.toContain('2026-11-28')
    await show('requests')
    await page.locator('.list-row').first().click()
    await page.getByText('the real service answers so too (asked: a task in 4k)').waitFor()
  },
)

browserTest(
  'the row of a task that the address names is brought into sight, and says which of how many it is',
  async () => {
    const { emulator, page, show } = await openUi()
    const first = await create(emulator.url, 'the first of many')
    for (let made = 0; made < 60; made += 1) await create(emulator.url, `number ${made}`)
    await show(`timeline/${first}`)
    const ends = `['.timeline-line.selected', '.list'].map((name) => document.querySelector(name)?.getBoundingClientRect().bottom)`
    await page.locator('.timeline-line.selected').waitFor()
    const row = page.locator('[role=listitem]:has(.selected)')
    expect(await row.getAttribute('aria-posinset')).toBe('61')
    expect(await row.getAttribute('aria-setsize')).toBe('61')
    await expect
      .poll(async () => {
        const [row, list] = await page.evaluate<[number, number]>(ends)
        return row <= list
      })
      .toBe(true)
  },
)

browserTest('the bar of a task that is opened is scrolled into sight, where none of it is', async () => {
  const { emulator, page, show } = await openUi()
  const { clock } = emulator.account(KEY)
  const first = await create(emulator.url, 'the first')
  for (let made = 0; made < 9; made += 1) {
    await clock.advance('30s')
    await create(emulator.url, 'later')
  }
  const isBarInSight = () =>
    page.evaluate<boolean>(`{
      const pieces = [...document.querySelectorAll('.timeline-line.selected .bar-piece')]
      const label = document.querySelector('.axis-label').getBoundingClientRect()
      const list = document.querySelector('.list').getBoundingClientRect()
      pieces.map((piece) => piece.getBoundingClientRect()).some((bar) => bar.right > label.right && bar.left < list.right)
    }`)
  await show(`timeline/${first}`)
  await page.locator('.timeline-line.selected').waitFor()
  await expect.poll(isBarInSight).toBe(true)
  await page.keyboard.press('Escape')
  await show('timeline')
  await page.locator('.timeline-line').first().waitFor()
  for (let times = 0; times < 10; times += 1) await page.keyboard.press('+')
  await page.locator('.list').evaluate((list) => list.scrollBy(100_000, 0))
  for (let moves = 0; moves < 10; moves += 1) await page.keyboard.press('j')
  await page.locator('.timeline-line.selected:has-text("the first")').waitFor()
  expect(await isBarInSight()).toBe(false)
  await page.keyboard.press('Enter')
  await page.locator('.detail').waitFor()
  await expect.poll(isBarInSight).toBe(true)
})

/** On how many lines each text in an element stands. */
const linesOfTexts = (element: Locator): Promise<number[]> =>
  element.evaluate(({ childNodes, ownerDocument }) =>
    [...childNodes]
      .filter(({ nodeName }) => nodeName === '#text')
      .map((text) => {
        const range = ownerDocument.createRange()
        range.selectNodeContents(text)
        return range.getClientRects().length
      }),
  )

browserTest('a long error of a task has room in a pane that is narrower', async () => {
  const { emulator, page, show } = await openUi({ width: 800 })
  const id = await create(emulator.url, 'a lighthouse')
  await emulator.account(KEY).tasks.fail(id)
  await emulator.account(KEY).clock.advance('26h')
  await show(`timeline/${id}`)
  await page.locator('.detail td:has-text("failed")').first().waitFor()
  const widths = await page
    .locator('.detail')
    .evaluate(({ scrollWidth, clientWidth }) => [scrollWidth, clientWidth])
  expect(widths[0]).toBe(widths[1])
  expect((await linesOfTexts(page.locator('.detail td:has-text("failed")').first())).at(-1)).toBe(1)
})

browserTest('a name of an error is broken behind its dots alone', async () => {
  const { emulator, page, show } = await openUi({ width: 800 })
  const refused = await callAs(emulator.url, TASKS, { ...createBody('a lighthouse'), model: 'none' })
  await show(`requests/${refused.headers.get('x-request-id')}`)
  const name = page.locator('.facts .value:has-text("InvalidEndpointOrModel.NotFound")')
  await name.waitFor()
  expect(await linesOfTexts(name)).toEqual([1, 1])
})

browserTest('the line of now that has the focus is outlined as one line', async () => {
  const { emulator, page, show } = await openUi()
  await create(emulator.url, 'a lighthouse')
  await show('timeline')
  await page.getByRole('slider').focus()
  const offset = await page.evaluate<string>(`getComputedStyle(document.activeElement).outlineOffset`)
  expect(Number.parseInt(offset, 10)).toBeLessThanOrEqual(-5)
})

browserTest('a prompt that is written from right to left leaves the direction of its row', async () => {
  const { emulator, page, show } = await openUi()
  await create(emulator.url, 'منارة في الضباب '.repeat(2))
  await show('requests')
  await page.locator('.request-line .sentence').waitFor()
  const direction = `getComputedStyle(document.querySelector('.request-line .sentence')).direction`
  expect(await page.evaluate(direction)).toBe('ltr')
})

browserTest('a call without an answer yet stands above the list of requests, until it has one', async () => {
  const { emulator, page, show } = await openUi({
    settings: {
      scenario: {
        name: 'held-back',
        description: 'Downloads take an hour.',
        steps: [{ when: { operation: 'results.download' }, then: { transport: { delay: '1h' } } }],
      },
    },
  })
  const id = await create(emulator.url, 'a lighthouse', { duration: 4, resolution: '480p' })
  await emulator.account(KEY).clock.advance({ to: 'idle' })
  const task = (await (await callAs(emulator.url, `${TASKS}/${id}`)).json()) as {
    content: { video_url: string }
  }
  const left = new AbortController()
  const download = fetch(task.content.video_url, { signal: left.signal }).catch(() => {})
  await show('requests')
  const line = page.locator('.in-flight li')
  await line.waitFor()
  expect(await line.textContent()).toMatch(
    /^GET \/results\/\S+\.mp4 no answer yet, held back by a scenario for \d+\.\d s$/,
  )
  await expectAccessible(page)
  left.abort()
  await download
  await line.waitFor({ state: 'detached' })
})

browserTest('the timeline says that pictures are tasks once it has one', async () => {
  const { emulator, page, show } = await openUi()
  const note = page.getByText('Pictures are tasks as well: they end as they begin.')
  await create(emulator.url, 'a lighthouse in the fog')
  await show('timeline')
  await page.locator('.timeline-line').waitFor()
  expect(await note.count()).toBe(0)
  await callAs(emulator.url, paths.image, bodies.image())
  await note.waitFor()
  expect(await page.locator('.timeline-line').count()).toBe(2)
  await expectAccessible(page)
})
