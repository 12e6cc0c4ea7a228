import { expect } from 'vitest'
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

browserTest('results have their pictures and videos, which are looked at without a download', async () => {
  const { emulator, page, show, incidents } = await openUi()
  const { done } = await makeTraffic(emulator)
  const calls = (await emulator.account(KEY).requests.list()).length
  await show('results')
  await page.locator('.card').first().click()
  await page.locator('.detail video').waitFor()
  await expect.poll(() => page.evaluate(`document.querySelector('.detail video').videoWidth`)).toBe(1280)
  expect(await page.locator('.detail .facts').textContent()).toContain('downloaded once')
  expect((await emulator.account(KEY).requests.list()).length).toBe(calls)
  await expectAccessible(page)
  await emulator.account(KEY).clock.advance('14d')
  await page.locator('.detail:has-text("URL ended")').waitFor()
  await page.getByRole('link', { name: done }).click()
  await expect.poll(() => new URL(page.url()).pathname).toBe(`/_backlot/ui/timeline/${done}`)
  expect(incidents).toEqual([])
})

browserTest(
  'a task of an account that began anew shows its own file, under the id of one before it',
  async () => {
    const { emulator, page, show } = await openUi()
    const account = emulator.account(KEY)
    const id = await create(emulator.url, 'a tram')
    await show(`results/${id}.0`)
    const files: (string | null)[] = []
    for (const prompt of ['a lighthouse', 'a harbour']) {
      await account.reset()
      await page.locator('.first-use').waitFor()
      expect(await create(emulator.url, prompt)).toBe(id)
      await account.clock.advance({ to: 'idle' })
      await page.locator(`.detail:has-text("${prompt}") video`).waitFor()
      files.push(await page.locator('.detail video').getAttribute('src'))
    }
    expect(files[1]).not.toBe(files[0])
  },
)

browserTest(
  'the file of a task is its own where the account began anew within one reading of its lists',
  async () => {
    const { emulator, page, show } = await openUi()
    const account = emulator.account(KEY)
    const make = async (prompt: string) => {
      const id = await create(emulator.url, prompt)
      await account.clock.advance({ to: 'idle' })
      return id
    }
    const id = await make('a lighthouse')
    await show(`results/${id}.0`)
    const file = () => page.locator('.detail video').getAttribute('src')
    const before = await file()
    let made: Promise<string> | undefined
    await page.route('**/_backlot/tasks?*', async (route) => {
      await made
      await route.fallback()
    })
    made = account.reset().then(() => make('a harbour'))
    expect(await made).toBe(id)
    await page.locator('.detail:has-text("a harbour")').waitFor()
    await expect.poll(file).not.toBe(before)
  },
)

browserTest('a callback that was refused shows its attempts, and is delivered again', async () => {
  const { emulator, page, show } = await openUi()
  const { url } = emulator
  const account = emulator.account(KEY)
  await account.scenario.play({
    name: 'lost',
    description: 'Lost.',
    steps: [{ when: { callback: 'delivery' }, then: { callback: { never: true } }, times: 1 }],
  })
  await create(url, 'a lighthouse', { callback_url: `${url}/_backlot/inbox/hooks` })
  await account.clock.advance({ to: 'idle' })
  await show('callbacks')
  await page.keyboard.press('p')
  await expect.poll(() => page.locator('.callback-line').count()).toBe(1)
  await page.keyboard.press('j')
  await page.keyboard.press('Enter')
  await page.locator('.section:has-text("Body")').getByText('not sent', { exact: true }).waitFor()
  await page.getByRole('button', { name: 'Send it again now' }).click()
  await page.locator('.notice:has-text("Sent again: delivered, 200")').waitFor()
  expect((await account.inbox('hooks').list()).length).toBe(3)
  await page.keyboard.press('b')
  await page.locator('.inbox-message[open] dt:has-text("x-backlot-delivery-id")').waitFor()
  expect(await page.locator('.inbox-message').count()).toBe(3)
  await page.locator('.inbox-message summary:has-text("succeeded of")').click()
  await page.locator('.inbox-message[open]:has-text("video_url")').waitFor()
  await expectAccessible(page)
})

browserTest('callbacks are searched by their task, their URL and the answer', async () => {
  const { emulator, page, show } = await openUi()
  const { url } = emulator
  const task = await create(url, 'a lighthouse', { callback_url: `${url}/_backlot/inbox/hooks` })
  await create(url, 'a tram', { callback_url: `${url}/no-receiver` })
  await emulator.account(KEY).clock.advance({ to: 'idle' })
  await show('callbacks')
  const lines = page.locator('.callback-line')
  const count = await lines.count()
  for (const [term, text] of [
    [task.toUpperCase(), 'hooks'],
    ['no-receiver', '/no-receiver'],
    ['404', '/no-receiver'],
  ] as const) {
    await page.getByLabel('Search callbacks').fill(term)
    await expect.poll(async () => (await lines.count()) < count).toBe(true)
    for (const line of await lines.allTextContents()) expect(line).toContain(text)
  }
  await page.getByLabel('Search callbacks').fill('nothing like it')
  await page.locator('.message:has-text("No callback matches the search.")').waitFor()
  await expectAccessible(page)
})

browserTest(
  'all undelivered callbacks are sent again by one click, and the list says what became of them',
  async () => {
    const { emulator, page, show } = await openUi()
    const { url } = emulator
    const account = emulator.account(KEY)
    await account.scenario.play({
      name: 'lost',
      description: 'Lost.',
      steps: [{ when: { callback: 'delivery' }, then: { callback: { never: true } }, times: 2 }],
    })
    for (const prompt of ['a lighthouse', 'a tram'])
      await create(url, prompt, { callback_url: `${url}/_backlot/inbox/hooks` })
    await account.clock.advance({ to: 'idle' })
    await show('callbacks')
    const undelivered = page.locator('.callback-line .outcome-refused')
    await expect.poll(() => undelivered.count()).toBe(2)
    await account.clock.advance('24h')
    await page.getByRole('button', { name: 'Send all 2 undelivered again' }).click()
    await page.locator('.notice:has-text("Sent 2 callbacks again: 2 delivered.")').waitFor()
    await page.getByRole('button', { name: /^Send all/ }).waitFor({ state: 'detached' })
    // What was sent again is the newest, and the day before has a heading.
    await expect.poll(() => page.locator('.list .day').count()).toBe(1)
    const rows = await page.locator('.list-row').allTextContents()
    expect(rows.findIndex((text) => /^\d{4}-/.test(text))).toBe(2)
    await expectAccessible(page)
  },
)

browserTest('boxes follow a restore, and say why they cannot be read', async () => {
  const { emulator, page, show } = await openUi()
  const account = emulator.account(KEY)
  await create(emulator.url, 'a tram')
  const snapshot = await account.snapshot()
  await create(emulator.url, 'a lighthouse', { callback_url: `${emulator.url}/_backlot/inbox/hooks` })
  await account.clock.advance({ to: 'idle' })
  await show('callbacks?boxes=1')
  await page.locator('.inbox-message:has-text("video_url")').first().waitFor()
  await account.restore(snapshot)
  await page.locator('.message:has-text("No box has messages")').waitFor()
  await page.route('**/_backlot/inbox', (route) => route.fulfill({ status: 500 }))
  await show('callbacks?boxes=1')
  await page.locator('.message.problem:has-text("/_backlot/inbox was answered with 500.")').waitFor()
})

browserTest('the next create fails in two clicks, and the counters of the step follow', async () => {
  const { emulator, page, show } = await openUi()
  await emulator.account(KEY).read()
  await show('requests')
  await page.getByRole('link', { name: 'Scenarios' }).click()
  await page.getByRole('button', { name: 'Fail the next one' }).click()
  await page.locator('.run:has-text("fail-next")').waitFor()
  const promise = page.locator('.notice:has-text("The next b-video-task.create fails with")')
  await promise.waitFor()
  expect((await callAs(emulator.url, TASKS, createBody('a lighthouse'))).status).toBeGreaterThanOrEqual(429)
  await page.locator('.run td:has-text("1 of 1")').waitFor()
  await promise.waitFor({ state: 'detached' })
  expect((await callAs(emulator.url, TASKS, createBody('a lighthouse'))).status).toBe(200)
  await page.locator('.run').getByRole('button', { name: 'Stop fail-next' }).click()
  await expect.poll(async () => (await emulator.account(KEY).scenario.steps()).length).toBe(0)
})

browserTest('a link to a ready-made scenario shows it, wherever it stands in the list', async () => {
  const { emulator, page, show } = await openUi()
  await create(emulator.url, 'a lighthouse')
  await show('scenarios/usage-missing')
  const isInSight = () =>
    page.evaluate<boolean>(`(() => {
      const box = document.querySelector('.ready-made[open]')?.getBoundingClientRect()
      return box !== undefined && box.top > 0 && box.bottom < innerHeight
    })()`)
  await expect.poll(isInSight).toBe(true)
})

browserTest('ready-made scenarios are grouped, found, played and opened in the editor', async () => {
  const { emulator, page, show } = await openUi()
  await emulator.account(KEY).read()
  await show('scenarios')
  await page.locator('h3:has-text("Callbacks")').waitFor()
  await page.getByLabel('Search scenarios').fill('money')
  await page.locator('h3:has-text("Callbacks")').waitFor({ state: 'detached' })
  await page.locator('h3:has-text("Money and agreement")').waitFor()
  await page.getByLabel('Search scenarios').fill('retry-after')
  const burst = page.locator('.ready-made:has-text("rate-limit-burst")')
  await burst.locator('summary').click()
  await burst.getByRole('button', { name: 'play' }).click()
  await expect.poll(async () => (await emulator.account(KEY).scenario.steps()).length).toBe(4)
  await burst.getByRole('button', { name: 'Open in the editor' }).click()
  await expect.poll(() => page.getByLabel('Scenario, YAML').inputValue()).toContain('name: rate-limit-burst')
})

browserTest('the editor completes words, says what is wrong and where, and plays what is right', async () => {
  const { emulator, page, show } = await openUi()
  await emulator.account(KEY).read()
  await show('scenarios')
  const editor = page.getByLabel('Scenario, YAML')
  await editor.fill('this is no scenario')
  await page.locator('.problems .problem').first().waitFor()
  expect(await page.locator('.line-numbers .problem').allTextContents()).toEqual(['1'])
  expect(await page.getByRole('button', { name: 'Play it' }).isEnabled()).toBe(false)
  await editor.fill(
    'name: mine\ndescription: Mine.\nsteps:\n  - when: { operation: b-video-task.create }\n    then: { answer: { error: ServerO',
  )
  await page.locator('.completions button:has-text("ServerOverloaded")').first().waitFor()
  await editor.press('Control+Space')
  await editor.pressSequentially(' } }\n')
  await page.locator('.problems:has-text("It can be played")').waitFor()
  expect(await page.locator('.line-numbers .problem').count()).toBe(0)
  expect(await page.locator('.line-numbers div').allTextContents()).toEqual(['1', '2', '3', '4', '5', '6'])
  await page.getByRole('link', { name: 'Gaps' }).click()
  await page.goBack()
  expect(await editor.inputValue()).toContain('error: ServerOverloaded } }')
  await page.getByRole('button', { name: 'Play it' }).click()
  await page.locator('.run:has-text("mine")').waitFor()
  await editor.fill('name: mine\nsteps: []\n')
  await page.locator('.problems .problem').first().getByRole('button').click()
  await expect.poll(() => page.evaluate(`document.activeElement.id`)).toBe('scenario-text')
  await expectAccessible(page)
})

browserTest('a text of the editor that is replaced comes back by an undo', async () => {
  const { emulator, page, show } = await openUi()
  await emulator.account(KEY).read()
  await show('scenarios?search=retry-after')
  const editor = page.getByLabel('Scenario, YAML')
  await editor.fill('name: my work')
  await page.getByRole('button', { name: 'Begin anew' }).click()
  await expect.poll(() => editor.inputValue()).toContain('name: mine')
  await page.locator('.ready-made:has-text("rate-limit-burst") summary').click()
  await page.getByRole('button', { name: 'Open in the editor' }).first().click()
  await expect.poll(() => editor.inputValue()).toContain('name: rate-limit-burst')
  for (const text of ['name: mine', 'name: my work']) {
    await page.keyboard.press('ControlOrMeta+z')
    await expect.poll(() => editor.inputValue()).toContain(text)
  }
  await page.reload()
  await expect.poll(() => editor.inputValue()).toBe('name: my work')
})

browserTest(
  'what was written in the console outlives a reload, also over a past request, where the browser has room for it',
  async () => {
    const { emulator, page, show, incidents } = await openUi()
    const id = await create(emulator.url, 'a lighthouse', { duration: 7 })
    const { requestId } = await emulator.account(KEY).tasks.get(id)
    const duration = page.getByLabel('duration', { exact: true })
    for (const path of ['console?operation=b-video-task.create', `console/${requestId}`]) {
      await show(path)
      await page.locator('.detail:has-text("What it would make")').waitFor()
      await duration.fill('11')
      await page.reload()
      await page.locator('.detail:has-text("What it would make")').waitFor()
      await expect.poll(() => duration.inputValue()).toBe('11')
    }
    await page.evaluate(`for (let size = 2 ** 23; size >= 1; size /= 2)
      try { sessionStorage.setItem('filler ' + size, 'x'.repeat(size)) } catch {}`)
    await page.getByRole('button', { name: 'JSON' }).click()
    await page.getByLabel('Body, JSON').fill('"'.padEnd(1_000, 'x'))
    await page.locator('.detail .why:has-text("not valid JSON")').waitFor()
    expect(incidents).toEqual([])
  },
)

browserTest(
  'the console has a valid request of each operation, checks while it is typed, and leads to what came of it',
  async () => {
    const { emulator, page, show, incidents } = await openUi()
    await emulator.account(KEY).read()
    await show('console?operation=b-video-task.create')
    await page.locator('.detail:has-text("It would be accepted.")').waitFor()
    await page.getByLabel('duration', { exact: true }).fill('99')
    await page.locator('.detail .why:has-text("duration must be")').waitFor()
    // A screen reader says the verdict while the user types, and no more.
    expect(await page.locator('.detail').getByRole('status').allTextContents()).toEqual([
      'would be ✕ 400 duration must be an integer from 4 to 15, or -1, found 99.',
    ])
    expect(await page.getByLabel('duration', { exact: true }).getAttribute('aria-invalid')).toBe('true')
    expect(await emulator.account(KEY).requests.list()).toEqual([])
    await expectAccessible(page)
    await page.getByLabel('duration', { exact: true }).fill('5')
    await page.locator('.detail:has-text("What it would make")').waitFor()
    const made = await page.locator('.detail .facts code').first().textContent()
    await page.getByRole('button', { name: /^Send POST/ }).click()
    await page.locator('.answer-line:has-text("would be 200, was ✓ 200")').waitFor()
    await page.getByRole('link', { name: 'why, and what followed' }).click()
    await page.locator('.detail:has-text("What followed")').waitFor()
    expect((await emulator.account(KEY).tasks.list())[0]?.id).toBe(made)
    expect(page.url()).toContain('/requests/')
    expect(incidents).toEqual([])
  },
)

browserTest('a number in the console is emptied and typed anew, digit by digit', async () => {
  const { emulator, page, show } = await openUi()
  await emulator.account(KEY).read()
  await show('console?operation=b-video-task.create')
  const duration = page.getByLabel('duration', { exact: true })
  await duration.focus()
  await page.keyboard.press('ControlOrMeta+a')
  await page.keyboard.press('Backspace')
  await page.locator('.detail .why:has-text("duration must be")').waitFor()
  await page.keyboard.type('15')
  await page.locator('.detail:has-text("What it would make")').waitFor()
  expect(await duration.inputValue()).toBe('15')
})

browserTest(
  'the JSON of the console is kept where it cannot be read, and media are picked from the samples',
  async () => {
    const { emulator, page, show } = await openUi()
    await emulator.account(KEY).read()
    await show('console?operation=b-video-task.create')
    await page.getByRole('button', { name: '+ image_url' }).click()
    await page.getByLabel('Sample medium for content[1].image_url.url').selectOption('landscape.jpg')
    await page.locator('.detail:has-text("What it would make")').waitFor()
    await page.getByRole('button', { name: 'JSON' }).click()
    const json = page.getByLabel('Body, JSON')
    expect(await json.inputValue()).toContain('/_backlot/fixtures/landscape.jpg')
    await json.fill('{ "model": ')
    await page.locator('.detail .why:has-text("not valid JSON")').waitFor()
    await page.getByRole('button', { name: 'Form' }).click()
    await page.locator('.problem:has-text("The JSON cannot be read")').waitFor()
    expect(await json.inputValue()).toBe('{ "model": ')
  },
)

browserTest('every operation is in the console, its form too, and a past request is sent again', async () => {
  const { emulator, page, show } = await openUi()
  const id = await create(emulator.url, 'a lighthouse', { duration: 7 })
  await show('console')
  const operations = page.getByLabel('Operation').locator('option')
  await expect.poll(() => operations.count()).toBeGreaterThan(14)
  await page.getByLabel('Operation').selectOption('b-video-task.read')
  expect(await page.getByLabel('id in the path').inputValue()).toBe(id)
  await page.getByLabel('Operation').selectOption('d-assets.upload')
  await page.locator('.detail:has-text("It would make the asset")').waitFor()
  await page.getByRole('button', { name: /^Send POST/ }).click()
  await expect
    .poll(async () => (await emulator.account(KEY).requests.list())[0])
    .toMatchObject({ operation: 'd-assets.upload', status: 200 })
  await show('console?operation=d-assets.upload')
  await page.getByLabel('file in the form').fill('nothing.png')
  await page.getByRole('button', { name: /^Send POST/ }).click()
  await page.locator('.notice.problem:has-text("nothing.png")').waitFor()
  const [request] = await emulator.account(KEY).requests.list({ operation: 'b-video-task.create' })
  await show(`console/${request?.id}`)
  const duration = page.getByLabel('duration', { exact: true })
  await expect.poll(() => duration.inputValue()).toBe('7')
  await page.getByLabel('Sample').selectOption({ index: 1 })
  await expect.poll(() => page.locator('p:has-text("From the request")').count()).toBe(0)
  await page.goBack()
  await page.locator('p:has-text("From the request")').waitFor()
  await expect.poll(() => duration.inputValue()).toBe('7')
  await page.getByRole('button', { name: /^Send POST/ }).click()
  await expect.poll(async () => (await emulator.account(KEY).tasks.list()).length).toBe(2)
  await callAs(emulator.url, '/v1/videos/%ff')
  const [malformed] = await emulator.account(KEY).requests.list()
  await show(`console/${malformed?.id}`)
  await expect.poll(() => page.getByLabel(/ in the path$/).inputValue()).toBe('%ff')
  await show('console/no-such-request')
  await page.locator('.problem:has-text("no request no-such-request")').waitFor()
})

browserTest(
  'the console fills in the task that an operation is likely meant for, and names a parameter without one',
  async () => {
    const { emulator, page, show } = await openUi()
    const account = emulator.account(KEY)
    const filled = async (operation: string, label: string) => {
      await page.getByLabel('Operation').selectOption(operation)
      return page.getByLabel(label).inputValue()
    }
    const ofB = await create(emulator.url, 'a lighthouse')
    await show('console')
    await page.getByLabel('Operation').waitFor()
    expect(await filled('e-video-reference.read', 'task_id in the path')).toBe('')
    await page.locator('.detail .problem:has-text("The path needs a task_id.")').waitFor()
    expect(await page.locator('.detail:has-text("accepted")').count()).toBe(0)
    expect(await filled('b-video-task.read', 'id in the path')).toBe(ofB)
    const bodyOfF = createBody('a tram', { model: 'gamma-H3', duration: 5, resolution: '768P' })
    const made = await (await callAs(emulator.url, '/provC/v2/video_generation', bodyOfF)).json()
    const ofF = (made as { task_id: string }).task_id
    await page.locator('.account-facts:has-text("2 tasks")').waitFor()
    expect(await filled('f-video-v2.cancel', 'task_id in the path')).toBe(ofF)
    await account.clock.advance({ to: 'idle' })
    const queued = await create(emulator.url, 'a harbour')
    await create(emulator.url, 'a bridge')
    await page.locator('.account-facts:has-text("4 tasks")').waitFor()
    await account.tasks.force((await account.tasks.list())[0]?.id ?? '', 'running')
    await expect.poll(() => filled('b-video-task.cancel', 'id in the path')).toBe(queued)
    await page.getByLabel('Operation').selectOption('d-assets.upload')
    await page.locator('.detail:has-text("It would make the asset")').waitFor()
    await page.getByRole('button', { name: /^Send POST/ }).click()
    await page.locator('.answer-line').waitFor()
    const [upload] = await account.requests.list({ operation: 'd-assets.upload' })
    await show('console?operation=d-assets.resolve')
    await expect.poll(() => page.getByLabel('task_id in the query').inputValue()).toBe(upload?.task)
  },
)

browserTest('nothing of the scenarios runs past its column in a window of 800 px', async () => {
  const { emulator, page, show } = await openUi({ width: 800 })
  await callAs(emulator.url, '/v1/nowhere')
  await show('scenarios')
  await page.getByLabel('Error', { exact: true }).waitFor()
  const { scrollWidth, clientWidth } = await page
    .locator('section[aria-label="Scenarios"]')
    .evaluate(({ scrollWidth, clientWidth }) => ({ scrollWidth, clientWidth }))
  expect(scrollWidth).toBe(clientWidth)
})

browserTest(
  'a result moves the clock to the end of its URL, and the sentence of the move says so',
  async () => {
    const { emulator, page, show } = await openUi()
    const id = await create(emulator.url, 'a lighthouse')
    await emulator.account(KEY).clock.advance({ to: 'idle' })
    await show(`results/${id}.0`)
    await page.getByRole('button', { name: 'Clock to when it ends' }).click()
    await page.locator('.last-move:has-text("1 URL ended")').waitFor()
    expect(await page.locator('.last-move').textContent()).not.toContain('nothing')
    await page.locator('.detail:has-text("URL ended")').waitFor()
    expect(await page.getByRole('button', { name: 'Clock to when it ends' }).count()).toBe(0)
  },
)

browserTest('every refused field of a call has its sentence and is marked', async () => {
  const { emulator, page, show } = await openUi()
  await callAs(emulator.url, TASKS, createBody('a tram', { duration: 20, ratio: '5:4' }))
  await show('requests')
  await page.locator('.request-line').click()
  await page.locator('.detail .why').nth(1).waitFor()
  const sentences = await page.locator('.detail .why').allTextContents()
  expect(sentences.join()).toMatch(/ratio.*duration/)
  const marked = await page.locator('.json-line.marked').allTextContents()
  expect(marked.toSorted()).toEqual(['duration: 20', 'ratio: "5:4"'])
})

browserTest('a scenario that is used up leaves the foot, and says so in its view', async () => {
  const { emulator, page, show } = await openUi()
  await emulator.account(KEY).fail('b-video-task.create', { error: 'ServerOverloaded', times: 1 })
  await show('scenarios')
  await page.locator('.playing:has-text("plays")').waitFor()
  await callAs(emulator.url, TASKS, createBody('a tram'))
  await page.locator('.run:has-text("used up")').waitFor()
  expect(await page.locator('.playing').textContent()).toBe('')
})

browserTest(
  'the account has the verdict on its client, with the calls that it is about, and the profile',
  async () => {
    const { emulator, page, show } = await openUi()
    await emulator.account(KEY).read()
    await show('account')
    await page.locator('.section:has-text("The client has behaved.")').waitFor()
    await page.locator('.section:has-text("No profile")').waitFor()
    await callAs(emulator.url, TASKS, createBody('a tram', { '<b>duratoin</b>': 5 }))
    await page.locator('.finding:has-text("ignored-fields")').waitFor()
    await expectAccessible(page)
    await page.locator('.finding a').first().click()
    await page.locator('.detail:has-text("<b>duratoin</b>")').waitFor()
  },
)
