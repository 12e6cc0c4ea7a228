import type { Page } from 'playwright-core'
import { describe, expect } from 'vitest'
import { type EveryState, makeEveryState, PROFILE } from './every-state.js'
import { BROWSER_MS, browserTest, KEY, openUi, useBrowser, violationsOn } from './page.js'

useBrowser()

/** A state of the page: its address, what has to be there before it is looked at, and what is done before that. */
interface Place {
  readonly path: string
  readonly ready: string
  readonly act?: (page: Page) => Promise<unknown>
}

const clickButton = (name: string | RegExp) => (page: Page) =>
  page.getByRole('button', { name }).first().click()

/** The places of lists and of what is open beside them. */
const listPlaces = (state: EveryState): readonly Place[] => [
  { path: 'timeline', ready: '.timeline-line' },
  { path: 'timeline?idle=1&problems=1', ready: '.timeline-line' },
  ...Object.values(state.tasks).map((id) => ({ path: `timeline/${id}`, ready: '.detail .facts' })),
  { path: 'requests', ready: '.request-line' },
  { path: 'requests?search=nothing+like+it', ready: '.message' },
  { path: `requests/${state.refused}`, ready: '.detail .why' },
  { path: `requests/${state.refused}`, ready: '.differences', act: clickButton('Compare') },
  { path: `requests/${state.refused}`, ready: 'dialog[open]', act: clickButton(/^docs\//) },
  { path: `requests/${state.byScenario}`, ready: '.detail .facts' },
  { path: `requests/${state.unknown}`, ready: '.detail .facts' },
  { path: 'results', ready: '.card img' },
  { path: `results/${state.tasks.succeeded}.0`, ready: '.detail .media' },
  { path: 'callbacks', ready: '.callback-line' },
  { path: `callbacks/${state.delivered}`, ready: '.detail .attempt' },
  { path: `callbacks/${state.undelivered}`, ready: '.detail .why, .detail .attempt' },
  { path: 'callbacks?boxes=1', ready: '.inbox-message' },
]

/** The places of what is read and filled in. */
const formPlaces = (state: EveryState): readonly Place[] => [
  { path: 'scenarios/one-failed-poll', ready: '.ready-made[open]' },
  {
    path: 'scenarios',
    ready: '.problems .problem',
    act: (page) => page.getByLabel('Scenario, YAML').fill('name: mine\nsteps: []\n'),
  },
  { path: 'console', ready: '.detail:has-text("It would be accepted.")' },
  { path: 'console?operation=d-assets.upload', ready: '.file-facts' },
  { path: `console/${state.refused}`, ready: '.detail .why' },
  { path: `console/${state.refused}`, ready: '.answer-line', act: clickButton(/^Send POST/) },
  { path: 'account', ready: '.finding' },
  { path: 'account', ready: 'dialog[open]', act: clickButton('Reset…') },
  { path: 'gaps', ready: '.gaps tbody tr' },
  { path: 'gaps?all=1&search=B1', ready: '.gaps tbody tr' },
  { path: 'gaps', ready: 'dialog[open]', act: (page) => page.keyboard.press('?') },
  { path: 'timeline?account=zzz', ready: '.message.problem' },
  { path: 'no-such-view', ready: '.message.problem' },
]

const WIDTHS = [1_440, 1_024, 390]

const open = async ({ path, ready, act }: Place, page: Page, show: (path: string) => Promise<void>) => {
  await page.setViewportSize({ width: WIDTHS[0] ?? 0, height: 900 })
  await show(path)
  if (act !== undefined) {
    await page.locator('main button, main summary, main td').first().waitFor()
    await act(page)
  }
  await page.locator(ready).first().waitFor()
}

const openEveryState = async () => {
  const opened = await openUi({ settings: PROFILE })
  const state = await makeEveryState(opened.emulator)
  return { ...opened, state }
}

describe.each([
  ['lists, and what is open beside them', listPlaces],
  ['what is read and filled in', formPlaces],
])('%s', (_, placesOf) => {
  browserTest(
    'have nothing that axe-core finds, in both themes and three widths, nor run past the window',
    async () => {
      const { page, show, state } = await openEveryState()
      const found: string[] = []
      for (const place of placesOf(state)) {
        await page.emulateMedia({ colorScheme: 'light' })
        await open(place, page, show)
        for (const width of WIDTHS) {
          await page.setViewportSize({ width, height: 900 })
          const where = `${place.path} at ${width}: `
          found.push(...(await violationsOn(page)).map((text) => where + text))
          const overflow = await page.evaluate<number>(`document.documentElement.scrollWidth - innerWidth`)
          if (overflow > 0) found.push(`${where}${overflow} px past the window`)
        }
        await page.emulateMedia({ colorScheme: 'dark' })
        // A theme changes colours alone.
        for (const width of WIDTHS) {
          await page.setViewportSize({ width, height: 900 })
          const texts = await violationsOn(page, 'color-contrast')
          found.push(...texts.map((text) => `${place.path} at ${width}, dark: ${text}`))
        }
      }
      expect(found).toEqual([])
    },
    2 * BROWSER_MS,
  )

  browserTest(
    'are reached by the Tab key in whole, with a focus that is seen',
    async () => {
      const { page, show, state } = await openEveryState()
      const found: string[] = []
      for (const place of placesOf(state))
        for (const width of [1_440, 390]) {
          await open(place, page, show)
          await page.setViewportSize({ width, height: 900 })
          const where = `${place.path} at ${width}: `
          found.push(...(await unreachedByTab(page)).map((text) => where + text))
        }
      expect(found).toEqual([])
    },
    2 * BROWSER_MS,
  )
})

/** Most stops of the Tab key that a place may have. */
const MAX_TABS = 250
const TABS_AT_ONCE = 25

/** Script that notes what has had the focus, and of each element whether its focus is seen. */
const WATCH = `window.visited = new Map(); document.addEventListener('focusin', ({ target }) => {
  const marked = target.closest('.file-button') ?? target
  const { outlineStyle, outlineWidth } = getComputedStyle(marked)
  const box = marked.getBoundingClientRect()
  const isInWindow = box.right > 0 && box.bottom > 0 && box.left < innerWidth && box.top < innerHeight
  const left = Math.max(0, box.left), right = Math.min(innerWidth, box.right)
  const top = Math.max(0, box.top), bottom = Math.min(innerHeight, box.bottom)
  const points = [[(left + right) / 2, (top + bottom) / 2], [left + 3, top + 3], [right - 3, bottom - 3]]
  const isOnTop = points.some(([x, y]) => {
    const hit = document.elementFromPoint(x, y)
    return hit !== null && (marked.contains(hit) || hit.contains(marked))
  })
  const problems = []
  if (outlineStyle === 'none' || Number.parseFloat(outlineWidth) === 0) problems.push('has no outline')
  if (!isInWindow) problems.push('is outside the window')
  else if (!isOnTop) problems.push('is covered')
  visited.set(target, problems)
})`

/** Script of what can have the focus, was not reached, or is not seen when it is. */
const REPORT = `(() => {
  const name = (element) => element.outerHTML.slice(0, 160)
  const root = document.querySelector('dialog[open]') ?? document
  const focusable = [...root.querySelectorAll('a[href], button, input, select, textarea, summary, video, [tabindex="0"]')]
    .filter((element) => element.tabIndex >= 0 && element.checkVisibility({ visibilityProperty: true }))
  const unreached = focusable.filter((element) => !visited.has(element)).map((element) => name(element) + ' is not reached')
  return [...unreached, ...[...visited].flatMap(([element, problems]) => problems.map((problem) => name(element) + ' ' + problem))]
})()`

const unreachedByTab = async (page: Page): Promise<readonly string[]> => {
  await page.evaluate(WATCH)
  await page.evaluate('document.activeElement.blur()')
  const count = () => page.evaluate<number>('visited.size')
  let before = -1
  for (let tabs = 0; tabs < MAX_TABS && (await count()) !== before; tabs += TABS_AT_ONCE) {
    before = await count()
    await Promise.all(Array.from({ length: TABS_AT_ONCE }, () => page.keyboard.press('Tab')))
  }
  return page.evaluate<string[]>(REPORT)
}

browserTest(
  'an account without a call, and a page without its token, have nothing that axe-core finds',
  async () => {
    const { emulator, page, show } = await openUi()
    await emulator.account(KEY).read()
    const found: string[] = []
    const look = async (name: string) => {
      for (const colorScheme of ['light', 'dark'] as const)
        for (const width of WIDTHS) {
          await page.emulateMedia({ colorScheme })
          await page.setViewportSize({ width, height: 900 })
          found.push(
            ...(await violationsOn(page)).map((text) => `${name} at ${width}, ${colorScheme}: ${text}`),
          )
        }
    }
    for (const view of ['timeline', 'account', 'gaps']) {
      await show(view)
      await page.locator('.first-use, .section, .message, .gaps tr').first().waitFor()
      await look(view)
    }
    const guarded = await openUi({ settings: { controlToken: 'secret' } })
    await guarded.page.goto(`${guarded.emulator.url}/_backlot/ui/`)
    await guarded.page.locator('.token-form').waitFor()
    found.push(...(await violationsOn(guarded.page)))
    expect(found).toEqual([])
  },
)
