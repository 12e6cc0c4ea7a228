import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
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
