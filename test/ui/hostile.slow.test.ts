import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Page } from 'playwright-core'
import { expect, onTestFinished } from 'vitest'
import { BROWSER_MS, browserTest, callAs, createBody, KEY, openUi, TASKS, useBrowser } from './page.js'

useBrowser()

const run = `window.reportIncident&&reportIncident('script ran')`

/** Texts that have ended as code on some page: markup, attributes, addresses, templates, controls and bidirectional text. */
const hostile: readonly string[] = [
  `<script>${run}</script>`,
  `</script><script>${run}</script>`,
  `<img src=x onerror="${run}">`,
  `<svg onload="${run}">`,
  `<svg><animate onbegin="${run}" attributeName=x dur=1s>`,
  `<iframe srcdoc="<script>parent.${run}</script>">`,
  `<iframe src="javascript:${run}">`,
  `<a href="javascript:${run}">x</a>`,
  `<body onload="${run}">`,
  `<details open ontoggle="${run}">`,
  `<input autofocus onfocus="${run}">`,
  `<video><source onerror="${run}">`,
  `<math><mtext></mtext><style><img src=x onerror="${run}"></style></math>`,
  `<style>*{display:none}</style>`,
  `<link rel=stylesheet href=//example.test/x.css>`,
  `<meta http-equiv=refresh content="0;url=//example.test">`,
  `<base href="//example.test/">`,
  `<form action="//example.test"><button>x</button></form>`,
  `<object data="data:text/html,<script>${run}</script>">`,
  `<template><script>${run}</script></template>`,
  `"><img src=x onerror="${run}">`,
  `' onmouseover='${run}`,
  `" style="position:fixed;inset:0`,
  `\`\${${run}}\``,
  `{{constructor.constructor("${run}")()}}`,
  `javascript:${run}`,
  `data:text/html,<script>${run}</script>`,
  `//example.test/..%2f`,
  '<!--',
  ']]>',
  '&lt;script&gt;&amp;&#60;',
  '\u202Etxt.exe\u202C',
  '\u200B\u200D\uFEFF',
  '\u0000\u0007\u001B[31m',
  'a'.repeat(5_000),
  'Z͑ͫ̓ͪ̂ͫ̽͏̴̙̤̞͉͚̯̞̠͍A̴̵̜̰͔ͫ͗͢L̠ͨͧͩ͘G̴̻͈͍͔̹̑͗̎̅͛́Ǫ̵̹̻̝̳͂̌̌͘!͖̬̰̙̗̿̋ͥͥ̂ͣ̐́́͜͞',
  '__proto__',
  'constructor',
  '%3Cscript%3E%c0%af',
  '\r\nX-Injected: 1\r\n\r\n<h1>',
]

/** A receiver that passes the handshake and answers everything else with what it is given. */
const openReceiver = async (answer: () => string): Promise<string> => {
  const server = createServer((request, response) => {
    request.resume().on('end', () => response.writeHead(500, { 'content-type': 'text/html' }).end(answer()))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`
}

/** A text as a header can hold it. */
const inHeader = (text: string): string => text.replace(/[^\x20-\x7e]/g, '?').slice(0, 500)

/** What markup would have left behind, had any text become some. */
const markup =
  'img[src="x"], iframe, object, base[href*="example"], link[href*="example"], script:not([src]), [onerror], [onload], [onmouseover], [onfocus]'

browserTest(
  'forty hostile strings in every field that a client, a receiver or a scenario sets are text on every view',
  async () => {
    expect(hostile).toHaveLength(40)
    const { emulator, page, show, incidents } = await openUi()
    const { url } = emulator
    const account = emulator.account(KEY)
    let current = ''
    const receiver = await openReceiver(() => current)
    const headers = { authorization: `Bearer ${KEY}`, 'content-type': 'application/json' }
    for (const [index, text] of hostile.entries()) {
      current = text
      await callAs(url, TASKS, createBody(text, { callback_url: `${receiver}?${encodeURIComponent(text)}` }))
      await account.clock.advance({ to: 'next' })
      await callAs(url, TASKS, createBody('x', { [text]: text, duration: text }))
      await fetch(`${url}/v1/${encodeURIComponent(text)}?${encodeURIComponent(text)}=1`, {
        headers: { ...headers, 'user-agent': inHeader(text), 'x-own': inHeader(text) },
      })
      await fetch(`${url}/_backlot/inbox/${encodeURIComponent(text.slice(0, 50)).replaceAll('%', '-')}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-own': inHeader(text) },
        body: JSON.stringify({ [text]: text }),
      })
      // A key is the name of its account, which every view shows.
      await callAs(url, TASKS, createBody('x'), `${index} ${inHeader(text)}`.trim().slice(0, 100))
      const step = {
        description: text,
        when: { operation: 'b-video-task.list', first: 1 },
        then: { answer: { status: 418, text } },
      } as const
      const never = {
        description: text,
        when: { prompt: { contains: text } },
        then: { answer: { status: 200 } },
      } as const
      await account.scenario.play({ name: `hostile-${index}`, description: text, steps: [step, never] })
      await callAs(url, TASKS)
    }
    await account.clock.advance({ to: 'idle' })
    const { tag } = await account.read()
    const requests = await account.requests.list({ limit: 1_000 })
    const opened: Readonly<Record<string, readonly string[]>> = {
      timeline: (await account.tasks.list({ limit: 1_000 })).map(({ id }) => id),
      requests: requests.filter(({ status }) => status !== 200).map(({ id }) => id),
      results: (await account.tasks.list({ limit: 1_000 })).map(({ id }) => `${id}.0`),
      callbacks: (await emulator.account(KEY).callbacks.list({ limit: 1_000 })).map(({ id }) => id),
      console: requests.filter(({ operation }) => operation === 'b-video-task.create').map(({ id }) => id),
      scenarios: [],
      account: [],
      gaps: [],
    }
    for (const [view, ids] of Object.entries(opened)) {
      // So high that the lists draw every row.
      await page.setViewportSize({ width: 1_280, height: 3_800 })
      await show(`${view}?account=${tag}`)
      await expect.poll(() => page.locator('main').textContent()).not.toBe('')
      expect(await page.locator(markup).count()).toBe(0)
      await page.setViewportSize({ width: 1_280, height: 800 })
      // Each result that is opened is rendered.
      for (const id of ids.slice(0, view === 'results' ? 3 : 40)) {
        const place = `/_backlot/ui/${view}/${encodeURIComponent(id)}?account=${tag}`
        await page.evaluate(
          `history.pushState(null, '', '${place}'); dispatchEvent(new PopStateEvent('popstate'))`,
        )
        await page.locator(`main:has-text("${id.split('.')[0]}") .detail`).waitFor()
        expect(await page.locator(markup).count()).toBe(0)
      }
    }
    for (const query of [
      'callbacks?boxes=1&',
      'requests?problems=1&',
      'timeline?problems=1&',
      'gaps?all=1&',
    ]) {
      await show(`${query}account=${tag}`)
      expect(await page.locator(markup).count()).toBe(0)
    }
    expect(incidents).toEqual([])
  },
  2 * BROWSER_MS,
)

/** Opens everything on the page that is folded, so that markup in it would act. */
const unfold = (page: Page) =>
  page.evaluate('for (const details of document.querySelectorAll("details")) details.open = true')

const goTo = (page: Page, path: string) =>
  page.evaluate(
    `history.pushState(null, '', '/_backlot/ui/${path}'); dispatchEvent(new PopStateEvent('popstate'))`,
  )

browserTest(
  'forty hostile strings are text where two calls are compared, in headers, file names and posters',
  async () => {
    const { emulator, page, show } = await openUi()
    const { url } = emulator
    const account = emulator.account(KEY)
    const authorization = `Bearer ${KEY}`
    const idOf = (answer: Response) => answer.headers.get('x-request-id')
    const calls: (readonly [before: string | null, after: string | null])[] = []
    const uploads: (string | null)[] = []
    const picture = new Blob([await readFile('fixtures/media/first-frame.png')])
    for (const text of hostile) {
      const send = (more: object, own: string) =>
        fetch(`${url}${TASKS}?${new URLSearchParams({ [text]: own })}`, {
          method: 'POST',
          headers: { authorization, 'content-type': 'application/json', 'x-own': own },
          body: JSON.stringify(createBody(text, { [text]: own, ...more })),
        })
      calls.push([
        idOf(await send({ duration: 4, resolution: '480p' }, '')),
        idOf(await send({ duration: text }, inHeader(text))),
      ])
      const form = new FormData()
      form.set('group_id', text)
      form.set('file', picture, text)
      uploads.push(
        idOf(
          await fetch(`${url}/v1/asset/upload`, { method: 'POST', headers: { authorization }, body: form }),
        ),
      )
    }
    await account.clock.advance({ to: 'idle' })
    await show('requests')
    for (const [before, after] of calls) {
      await goTo(page, `requests/${after}?with=${before}`)
      await page.locator(`.detail:has(.value:text-is("${after}")) .differences`).first().waitFor()
      await unfold(page)
      expect(await page.locator(markup).count()).toBe(0)
    }
    for (const id of uploads)
      for (const view of ['requests', 'console']) {
        await goTo(page, `${view}/${id}`)
        await page.locator(`main:has-text("${id}")`).waitFor()
        await unfold(page)
        expect(await page.locator(markup).count()).toBe(0)
      }
    // So high that every poster is drawn.
    await page.setViewportSize({ width: 1_280, height: 3_000 })
    await show('results')
    await page
      .locator('.card img.poster')
      .nth(hostile.length - 1)
      .waitFor()
    expect(await page.locator(markup).count()).toBe(0)
  },
  2 * BROWSER_MS,
)

browserTest(
  'hostile strings are text in what the console has sent and got, in its history, and in a section of the documentation',
  async () => {
    const { emulator, page, show } = await openUi()
    const account = emulator.account(KEY)
    const all = hostile.join('\n')
    const headers = { 'x-own': inHeader(hostile.join(' ')) }
    await account.scenario.play({
      name: 'hostile',
      description: all,
      steps: [
        { when: { operation: 'b-video-task.create' }, then: { answer: { status: 418, text: all, headers } } },
      ],
    })
    await show('console?operation=b-video-task.create')
    const prompt = page.getByLabel('content[0].text', { exact: true })
    await page.getByText('Headers (the usual ones)').click()
    await page
      .getByLabel('Headers, one a line')
      .fill(`Authorization: Bearer ${KEY}\nX-Own: ${inHeader(hostile.join(' '))}`)
    await prompt.fill(all.replaceAll('\n', ' '))
    await page.getByRole('button', { name: /^Send POST/ }).click()
    await page.locator('.answer-line:has-text("was ✕ 418")').waitFor()
    await unfold(page)
    expect(await page.locator('.answer-text').first().textContent()).toContain('<script>')
    expect(await page.locator(markup).count()).toBe(0)
    await page.reload()
    await page.locator('.sent li').getByRole('button', { name: /^edit/ }).click()
    await expect.poll(() => prompt.inputValue()).toContain('<script>')
    expect(await page.locator(markup).count()).toBe(0)

    await account.scenario.stop()
    const refused = await callAs(emulator.url, TASKS, createBody('x', { duration: 20 }))
    await page.route('**/_backlot/ui/docs/**', (route) =>
      route.fulfill({ contentType: 'text/markdown', body: `# duration\n\n${all}` }),
    )
    await show(`requests/${refused.headers.get('x-request-id')}`)
    await page.locator('.doc-link').first().click()
    await page.locator('dialog[open] pre:has-text("<script>")').waitFor()
    expect(await page.locator(markup).count()).toBe(0)
  },
)

/** What runs past its place: the page as a whole, or what is open beside a list. */
const overflowsOn = (page: Page) =>
  page.evaluate<
    string[]
  >(`[document.documentElement, ...document.querySelectorAll('.detail, .bar, .foot, .filters, .scroll, dialog[open]')]
    .filter(({ scrollWidth, clientWidth, className }) => scrollWidth > clientWidth && !(className === 'filters' && innerWidth < 761))
    .map(({ tagName, className, scrollWidth, clientWidth }) => tagName + '.' + className + ': ' + scrollWidth + ' in ' + clientWidth)`)

browserTest(
  '10,000 characters without a space break no layout, wherever a client, a receiver or a scenario sets them',
  async () => {
    const long = 'W'.repeat(10_000)
    const { emulator, page, show } = await openUi()
    const { url } = emulator
    const account = emulator.account(KEY)
    const receiver = await openReceiver(() => long)
    const id = await (async () => {
      const body = createBody(long.slice(0, 4_000), { callback_url: `${receiver}?${long.slice(0, 1_500)}` })
      return ((await (await callAs(url, TASKS, body)).json()) as { id: string }).id
    })()
    await account.clock.advance({ to: 'idle' })
    const headers = {
      authorization: `Bearer ${KEY}`,
      'content-type': 'application/json',
      'x-own': long.slice(0, 8_000),
    }
    const before = await fetch(url + TASKS, {
      method: 'POST',
      headers,
      body: JSON.stringify(createBody(long, { duration: 5, [long]: long, ratio: long })),
    })
    const after = await callAs(url, TASKS, createBody(`${long}!`, { duration: 20, [`${long}!`]: [long] }))
    const lost = await callAs(url, `/v1/${long.slice(0, 4_000)}`)
    const form = new FormData()
    form.set('file', new Blob([await readFile('fixtures/media/first-frame.png')]), `${long}.png`)
    const upload = await fetch(`${url}/v1/asset/upload`, {
      method: 'POST',
      headers: { authorization: `Bearer ${KEY}` },
      body: form,
    })
    await account.scenario.play({
      name: 'long',
      description: long,
      steps: [
        {
          description: long,
          when: { operation: 'b-video-task.create', prompt: { contains: long } },
          then: { answer: { status: 418, text: long } },
        },
      ],
    })
    const [callback] = await account.callbacks.list()
    const idIn = (answer: Response): string => {
      const id = answer.headers.get('x-request-id')
      if (id === null) throw new Error(`An answer with ${answer.status} has no id of its request.`)
      return id
    }
    const { tag } = await account.read()
    const places = [
      'timeline',
      `timeline/${id}`,
      'requests',
      `requests/${idIn(after)}?with=${idIn(before)}`,
      `requests/${idIn(lost)}`,
      `requests/${idIn(upload)}`,
      'results',
      `results/${id}.0`,
      'callbacks',
      `callbacks/${callback?.id}`,
      'scenarios',
      `console/${idIn(before)}`,
      `console/${idIn(upload)}`,
      'account',
      'gaps',
    ]
    const found: string[] = []
    for (const path of places) {
      await page.setViewportSize({ width: 1_280, height: 800 })
      await show(`${path}${path.includes('?') ? '&' : '?'}account=${tag}`)
      await page.locator('.list-row, .section, .gaps tr, .message').first().waitFor()
      if (path.includes('/')) await page.locator('.detail :is(.facts, .why, .message)').first().waitFor()
      if (path.includes('with=')) await page.locator('.differences').first().waitFor()
      await unfold(page)
      for (const width of [1_280, 390]) {
        await page.setViewportSize({ width, height: 800 })
        found.push(...(await overflowsOn(page)).map((text) => `${path} at ${width}: ${text}`))
      }
    }
    expect(found).toEqual([])
  },
  2 * BROWSER_MS,
)
