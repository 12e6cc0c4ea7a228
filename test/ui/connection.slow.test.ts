import type { Route } from 'playwright-core'
import { expect, onTestFinished } from 'vitest'
import { startEmulator } from '../../src/index.js'
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

browserTest(
  'a page whose server goes says so after the second failure, and shows what the next one has',
  async () => {
    const { emulator, page, show } = await openUi()
    await makeTraffic(emulator)
    await show('requests')
    await page.locator('.request-line').first().waitFor()
    await emulator.stop()
    await page.locator(`.connection.lost:has-text("${emulator.url}")`).waitFor()
    const again = await startEmulator({ clock: 'paused', port: emulator.port })
    onTestFinished(() => again.stop())
    await callAs(again.url, TASKS, createBody('after the restart'))
    await page.locator('.connection:has-text("live")').waitFor()
    await page.locator('.request-line:has-text("after the restart")').waitFor()
    await page.locator('.notice:has-text("The emulator was started again.")').waitFor()
    expect(await page.locator('.frame.lost').count()).toBe(0)
    await expect.poll(() => page.locator('.request-line').count()).toBe(1)
  },
)

browserTest(
  'a lost connection is said once, and what failed beside it in a region that stays and leaves the view its room',
  async () => {
    const { emulator, page, show } = await openUi({ width: 900 })
    await create(emulator.url, 'a lighthouse')
    await show('account')
    await page.getByRole('button', { name: '+1 m' }).click()
    await page.locator('.last-move:has-text("happened")').waitFor()
    const region = page.locator('.notice').getByRole('status')
    await region.evaluate((element) => element.setAttribute('data-first', ''))
    await page.getByRole('button', { name: 'Save' }).click()
    await page.locator('.notice output[data-first]:has-text("Changed")').waitFor()
    await emulator.stop()
    await page.locator('.connection.lost:has-text("Tried 3 times; trying on.")').waitFor()
    expect(await page.getByRole('alert').allTextContents()).toEqual([
      `No emulator answers at ${emulator.url}.`,
    ])
    await page.getByRole('button', { name: 'Save' }).click()
    await page.locator('.notice.problem output[data-first]:has-text("Start it again")').waitFor()
    expect((await page.locator('.foot').boundingBox())?.height).toBeLessThan(80)
    const again = await startEmulator({ clock: 'paused', port: emulator.port })
    onTestFinished(() => again.stop())
    await page.locator('.connection:has-text("live")').waitFor()
    await page.locator('.notice:has-text("Start it again")').waitFor({ state: 'detached' })
    await page.locator('.last-move:has-text("happened")').waitFor({ state: 'detached' })
  },
)

browserTest('the time of a live clock stands still while no emulator answers', async () => {
  const { emulator, page, show } = await openUi({ settings: { clock: 'live' } })
  await emulator.account(KEY).read()
  await show('timeline')
  await emulator.stop()
  await page.locator('.frame.lost .connection:has-text("Tried 2 times")').waitFor()
  const face = page.locator('.clock-face')
  const before = await face.textContent()
  // The pauses between tries grow, and are seconds by then.
  await page.locator('.connection:has-text("Tried 4 times")').waitFor()
  expect(await face.textContent()).toBe(before)
  expect(await page.getByRole('button', { name: '+1 m' }).isDisabled()).toBe(true)
})

browserTest('a view that was opened while the server was away shows what the next one has', async () => {
  const { emulator, page, show } = await openUi()
  await emulator.account(KEY).read()
  await show('account')
  await emulator.stop()
  await page.locator('.connection.lost').waitFor()
  await page.getByRole('link', { name: 'Scenarios' }).click()
  await page.locator('.message:has-text("This view could not be loaded")').waitFor()
  const again = await startEmulator({ clock: 'paused', port: emulator.port })
  onTestFinished(() => again.stop())
  await page.locator('.ready-made').first().waitFor()
  expect(await page.locator('main .message').count()).toBe(0)
})

browserTest('a server of another version makes the page load anew', async () => {
  const { emulator, page } = await openUi()
  let version = ''
  await page.route('**/_backlot/events*', async (route) => {
    const stamp = version === '' ? emulator.url : version
    const data = JSON.stringify({ version: stamp, instance: stamp, seed: 1, journalEntries: 10 })
    await route.fulfill({ contentType: 'text/event-stream', body: `event: hello\ndata: ${data}\n\n` })
  })
  await page.goto(`${emulator.url}/_backlot/ui/gaps`)
  await page.locator(`.connection:has-text("v${emulator.url}")`).waitFor()
  const loaded = page.waitForEvent('load')
  version = '9.9.9'
  await loaded
  await page.locator('.connection:has-text("v9.9.9")').waitFor()
})

browserTest(
  'a token in the address is taken out of it and kept for the tab; a wrong one is asked for again',
  async () => {
    const { emulator, page } = await openUi({ settings: { controlToken: 'right-token' } })
    const ui = `${emulator.url}/_backlot/ui/requests`
    await callAs(emulator.url, TASKS, createBody('a lighthouse'))
    await page.goto(ui)
    await page.locator('.token-form').waitFor()
    expect(await page.locator('.menu, .bar, .account, .clock').count()).toBe(0)
    await expectAccessible(page)
    expect(await page.textContent('body')).not.toContain('?token=')
    await page.goto(`${ui}#token=wrong`)
    await page.locator('.token-form:has-text("is not the one of this emulator")').waitFor()
    await page.locator('.connection:has-text("refused ·")').waitFor()
    expect(await page.getByRole('alert').count()).toBe(1)
    // With the quotes of a text processor, which no header can have.
    await page.getByLabel('Control token').fill('“right-token”')
    await page.getByRole('button', { name: 'Use it in this tab' }).click()
    await page.locator('.token-form:has-text("is not the one of this emulator")').waitFor()
    await page.getByLabel('Control token').fill('right-token')
    await page.getByRole('button', { name: 'Use it in this tab' }).click()
    await page.locator('.request-line').waitFor()
    await page.evaluate('sessionStorage.clear()')
    await page.goto(`${emulator.url}/_backlot/ui/gaps`)
    await page.locator('.token-form').waitFor()
    await page.goto(`${ui}#token=right-token`)
    await page.reload()
    await page.locator('.request-line').waitFor()
    expect(page.url()).not.toContain('token')
    await page.evaluate('sessionStorage.clear()')
    await page.reload()
    await page.locator('.token-form').waitFor()
    // The page stays: only the hash is another one.
    await page.evaluate(`location.hash = 'token=right-token'`)
    await page.locator('.request-line').waitFor()
    expect(page.url()).not.toContain('token')
  },
)

for (const cause of ['opened', 'reset'])
  browserTest(
    `what could not be read of an account that was ${cause} is read again, and new calls are shown`,
    async () => {
      const { emulator, page, show } = await openUi()
      await page.clock.install()
      if (cause === 'reset') await show('requests')
      let failed = 0
      await page.route('**/_backlot/callbacks?*', async (route) => {
        failed += 1
        if (failed === 1) await route.abort()
        else await route.continue()
      })
      await create(emulator.url, 'the first call')
      if (cause === 'opened') await page.goto(`${emulator.url}/_backlot/ui/requests`)
      await page.locator('.notice.problem').waitFor()
      await page.clock.runFor(10_000)
      await create(emulator.url, 'the second call')
      await page.locator('main[aria-busy="false"] .request-line:has-text("the second call")').waitFor()
      await expect.poll(() => page.locator('.notice.problem').count()).toBe(0)
    },
  )

browserTest('an account that is gone is named, and another one can be chosen', async () => {
  const { emulator, page, show } = await openUi()
  await makeTraffic(emulator)
  await callAs(emulator.url, TASKS, createBody('of bob'), 'bob-key')
  await show('requests?account=0123456789ab')
  await page.locator('.message.problem:has-text("There is no account 0123456789ab.")').waitFor()
  const { tag } = await emulator.account('bob-key').read()
  await page.getByLabel('Account').selectOption(tag)
  await page.locator('.request-line:has-text("of bob")').waitFor()
  await page.goBack()
  await page.locator('.message.problem').waitFor()
})

browserTest('the address of an open row names the account that the page has chosen', async () => {
  const { emulator, page, context, show } = await openUi()
  await emulator.account('first-key').read()
  const { tag } = await emulator.account(KEY).read()
  await create(emulator.url, 'a lighthouse')
  await show('requests')
  await page.locator('.request-line').click()
  await page.locator('.detail .facts').first().waitFor()
  await callAs(emulator.url, TASKS, createBody('a tram'), 'first-key')
  const other = await context.newPage()
  for (const one of [page, other]) {
    await one.goto(page.url())
    await one.locator('.detail .facts:has-text("/tasks")').first().waitFor()
    expect(new URL(one.url()).searchParams.get('account')).toBe(tag)
  }
  await emulator.account(KEY).reset()
  await page.locator('.first-use').waitFor()
})

browserTest('the way back from an account leads to the one that was shown before it', async () => {
  const { emulator, page, show } = await openUi()
  await create(emulator.url, 'of alice')
  await callAs(emulator.url, TASKS, createBody('of bob'), 'bob-key')
  await show('requests')
  await page.locator('.request-line:has-text("of alice")').waitFor()
  await page.getByLabel('Account').selectOption((await emulator.account('bob-key').read()).tag)
  await page.locator('.request-line:has-text("of bob")').waitFor()
  await page.goBack()
  await page.locator('.request-line:has-text("of alice")').waitFor()
})

browserTest('the clock of an account that was chosen is not shown for the one before it', async () => {
  const { emulator, page, show } = await openUi()
  await create(emulator.url, 'of alice')
  await callAs(emulator.url, TASKS, createBody('of bob'), 'bob-key')
  const { tag } = await emulator.account('bob-key').read()
  await emulator.account('bob-key').clock.advance('26h')
  await show('timeline')
  const face = page.locator('.clock-face')
  const before = await face.textContent()
  const streams: Route[] = []
  await page.route(`**/_backlot/events?account=${tag}`, (route) => void streams.push(route))
  await page.getByLabel('Account').selectOption(tag)
  await expect.poll(() => streams.length).toBe(1)
  await page.getByRole('button', { name: '+1 h' }).click()
  await expect.poll(async () => (await emulator.account('bob-key').clock.read()).now).toContain('T03')
  await page.locator('.clock button[aria-disabled="false"]:has-text("+1 h")').waitFor()
  expect(await face.textContent()).toBe(before)
  await streams[0]?.continue()
  await page.locator('.clock-face:has-text("03:00")').waitFor()
})

browserTest('what is not there says so where it was looked for', async () => {
  const { emulator, page, show } = await openUi()
  await makeTraffic(emulator)
  await show('requests/no-such-call')
  await page.locator('.detail .problem:has-text("no request no-such-call")').waitFor()
  await show('timeline/no-such-task')
  await page.locator('.detail .problem:has-text("no task no-such-task")').waitFor()
  await show('nowhere')
  await page.locator('.problem:has-text("There is no view nowhere.")').waitFor()
})

browserTest('nothing of an account is shown for another one, whose reads fail', async () => {
  const { emulator, page, show } = await openUi()
  const [first, second] = await Promise.all(
    ['first-key', 'second-key'].map(async (key) => {
      await callAs(emulator.url, TASKS, createBody(`of the ${key}`), key)
      await emulator.account(key).clock.advance({ to: 'idle' })
      return (await emulator.account(key).read()).tag
    }),
  )
  await emulator.account('first-key').snapshot()
  await show(`account?account=${first}`)
  await page.locator('td code:has-text("snapshot-1")').waitFor()
  for (const path of ['results', 'snapshots'])
    await page.route(`**/_backlot/${path}**`, async (route) => {
      const key = await route.request().headerValue('authorization')
      return key === 'Bearer second-key' ? route.fulfill({ status: 500 }) : route.continue()
    })
  const choose = (tag: string | undefined) =>
    page.locator('select[aria-label="Account"]').selectOption(tag ?? '')
  await choose(second)
  await page.locator('.notice:has-text("was answered with 500")').waitFor()
  expect(await page.locator('td code:has-text("snapshot-1")').count()).toBe(0)
  await page.getByRole('link', { name: 'Results' }).click()
  await choose(first)
  await page.locator('.card:has-text("of the first-key")').waitFor()
  await choose(second)
  await page.locator('.message.problem:has-text("was answered with 500")').waitFor()
  expect(await page.locator('.card').count()).toBe(0)
})

browserTest('what is open and the emulator has no more stays, and the page says so', async () => {
  const { emulator, page, show } = await openUi()
  const account = emulator.account(KEY)
  await create(emulator.url, 'a tram')
  const snapshot = await account.snapshot()
  const callback_url = `${emulator.url}/_backlot/inbox/hooks`
  for (const line of ['.request-line:has-text("lighthouse")', '.callback-line']) {
    await create(emulator.url, 'a lighthouse', { callback_url })
    await account.clock.advance({ to: 'idle' })
    await show(line.startsWith('.request') ? 'requests' : 'callbacks')
    let restored = () => {}
    const restoring = new Promise<void>((resolve) => {
      restored = resolve
    })
    // What stands in the list is shown before it has been read.
    await page.route('**/_backlot/callbacks/*', (route) => restoring.then(() => route.continue()))
    await page.locator(line).first().click()
    await page.locator('.detail .facts').first().waitFor()
    await account.restore(snapshot)
    restored()
    await page.locator('.detail .problem:has-text("has no")').waitFor()
    expect(await page.locator('.detail .facts').count()).toBeGreaterThan(0)
  }
})

browserTest(
  'two pages follow the same account, one of them in the background and without frames',
  async () => {
    const { emulator, page, context, show, incidents } = await openUi()
    const hidden = await context.newPage()
    await hidden.addInitScript(`window.requestAnimationFrame = () => 0`)
    await makeTraffic(emulator)
    await show('requests', hidden)
    await show('requests')
    await page.bringToFront()
    await create(emulator.url, 'seen on both')
    for (const one of [page, hidden]) await one.locator('.request-line:has-text("seen on both")').waitFor()
    await page.getByRole('button', { name: 'until idle' }).click()
    await page.locator('.last-move:has-text(" happened")').waitFor()
    const { now } = await emulator.account(KEY).clock.read()
    await expect.poll(() => hidden.locator('.clock-face').textContent()).toContain(now.slice(11, 19))
    expect(incidents).toEqual([])
  },
)

/** Gives a page a function that breaks its stream of events. */
const BREAKABLE = `{
  const send = window.fetch
  window.fetch = (url, init) => {
    if (!String(url).includes('/_backlot/events')) return send(url, init)
    const ending = new AbortController()
    window.breakStream = () => ending.abort()
    return send(url, { ...init, signal: AbortSignal.any([init.signal, ending.signal]) })
  }
}`

browserTest(
  'the list has the calls that the journal has, and counts the problems that were not looked at, whatever was evicted',
  async () => {
    const { emulator, page, show } = await openUi({ settings: { journalEntries: 10 }, initScript: BREAKABLE })
    await callAs(emulator.url, '/v1/nowhere')
    await show('requests')
    for (let made = 2; made <= 15; made += 1) await callAs(emulator.url, '/v1/nowhere')
    await page.locator('.filters:has-text("10 calls, 5 older ones evicted")').waitFor()
    await page.getByRole('link', { name: 'Gaps' }).click()
    const answers = [{ contentType: 'text/event-stream', body: 'event: reload\ndata: {}\n\n' }]
    // The route stays: when one is removed, as by `times`, the browser tells nothing of requests that are on their way.
    await page.route('**/_backlot/events*', (route) => {
      const answer = answers.shift()
      return answer === undefined ? route.continue() : route.fulfill(answer)
    })
    const isRead = page.waitForResponse(/_backlot\/callbacks\?/)
    await page.evaluate('breakStream()')
    await isRead
    await callAs(emulator.url, '/v1/nowhere')
    await expect.poll(() => page.locator('.menu .count').allTextContents()).toEqual(['1'])
  },
)

browserTest(
  'the list is followed for ten seconds from its first moment: at its top it shows each new call, further down nothing moves',
  async () => {
    const { emulator, page, show } = await openUi()
    await page.clock.install()
    await show('requests')
    await page.locator('.first-use').waitFor()
    const make = async (from: number, to: number) => {
      for (let number = from; number <= to; number += 1)
        await callAs(emulator.url, TASKS, createBody(`call number ${number}.`))
      await page.locator(`.filters:has-text("${to} calls")`).waitFor()
    }
    for (let second = 1; second <= 5; second += 1) {
      await make(10 * second - 9, 10 * second)
      await page.clock.runFor(1_000)
      const rows = page.locator('.list-row .request-line')
      await expect.poll(() => rows.first().textContent()).toContain(`call number ${10 * second}.`)
      expect(await rows.nth(9).textContent()).toContain(`call number ${10 * second - 9}.`)
    }
    await page.evaluate(`document.querySelector('.list').scrollTop = 400`)
    const read = page.locator('.request-line:has-text("call number 30.")')
    const { y } = (await read.boundingBox()) as { y: number }
    for (let second = 6; second <= 10; second += 1) {
      await make(10 * second - 9, 10 * second)
      await page.clock.runFor(1_000)
      await expect.poll(async () => (await read.boundingBox())?.y).toBe(y)
    }
    // Rows that are out of sight are not drawn.
    expect(await page.locator('.request-line').count()).toBeLessThan(60)
  },
)

/** The keys of the accounts that an emulator has. */
const keysOf = async (url: string): Promise<string[]> => {
  const { items } = (await (await fetch(`${url}/_backlot/accounts`)).json()) as { items: { key: string }[] }
  return items.map(({ key }) => key)
}

for (const view of ['results', 'console', 'requests/none', 'account', 'timeline'])
  browserTest(
    `a page opens no account by its reads, and shows the first one that a client opens: ${view}`,
    async () => {
      const { emulator, page, show } = await openUi()
      await show(view)
      await page.reload()
      await page.locator('.connection:has-text("live")').waitFor()
      expect(await keysOf(emulator.url)).toEqual([])
      await create(emulator.url, 'of the first client')
      await page.locator('.account-facts:has-text("1 task")').waitFor()
      expect(await keysOf(emulator.url)).toEqual([KEY])
    },
  )

for (const view of ['results', 'requests', 'console'])
  browserTest(
    `a page does not open its account again on an emulator that was started anew: ${view}`,
    async () => {
      const { emulator, page, show } = await openUi()
      await makeTraffic(emulator)
      await show(view)
      await page.locator('.account-facts').waitFor()
      await emulator.stop()
      await page.locator('.connection.lost').waitFor()
      const again = await startEmulator({ clock: 'paused', port: emulator.port })
      onTestFinished(() => again.stop())
      await page.locator('.connection:has-text("live")').waitFor()
      await page.locator('.account:has-text("no account yet")').waitFor()
      expect(await keysOf(again.url)).toEqual([])
      await callAs(again.url, TASKS, createBody('of another client'), 'bob-key')
      await page.locator('.account-facts:has-text("1 task")').waitFor()
      expect(await keysOf(again.url)).toEqual(['bob-key'])
    },
  )
