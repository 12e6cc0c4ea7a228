import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type ExplainedRequest, type RunningEmulator, startEmulator } from '../../../src/index.js'
import { startOnPort } from '../../emulator.js'
import { callAs, createBody, KEY, TASKS } from '../../ui/page.js'

const JOURNAL_BODY_BYTES = 20_000
const PROMPT = 'A slow aerial shot over the harbour. '.repeat(300)

let emulator: RunningEmulator
beforeAll(async () => {
  emulator = await startEmulator({ clock: 'paused', journalBodyBytes: JOURNAL_BODY_BYTES })
})
afterAll(() => emulator.stop())

/** The record of a call, read by its id, after the call with a body that is sent as it is. */
const readAfter = async (body: string, path = TASKS) => {
  const headers = { authorization: `Bearer ${KEY}`, 'content-type': 'application/json' }
  const response = await fetch(emulator.url + path, { method: 'POST', headers, body })
  return emulator.account(KEY).requests.get(response.headers.get('x-request-id') ?? '')
}

test('a call on its own has its texts whole, and short ones in the list', async () => {
  const { body, isWhole } = await readAfter(JSON.stringify(createBody(PROMPT)))
  expect([body, isWhole]).toEqual([createBody(PROMPT), true])
  const [listed] = await emulator.account(KEY).requests.list()
  expect(JSON.stringify(listed?.body)).toContain(`… (${PROMPT.length} characters)`)
})

test('a call without a body is whole', async () => {
  const response = await callAs(emulator.url, `${TASKS}/none`)
  const record = await emulator.account(KEY).requests.get(response.headers.get('x-request-id') ?? '')
  expect(record).toMatchObject({ isWhole: true })
  expect(record).not.toHaveProperty('text')
})

test.each([
  ['{not json', '{not json', true],
  ['{not json with https://user:pass@media.test/', '{not json with https://(left out)@media.test/', false],
  ['{"api_key": "abc', '(left out)', false],
])('a body that was no JSON is a text: %s', async (sent, text, isWhole) =>
  expect(await readAfter(sent)).toMatchObject({ text, isWhole }),
)

test.each([
  ['a credential in its path', '', '/v1/videos/eyJhbGciOiJIUzI1NiJ9.payload.signature'],
  ['a credential in its query', '{}', '/v1/videos?access_token=abc'],
  ['a credential in its body', '{"token":"abc"}', TASKS],
  ['Base64 in its body', `{"image":"data:image/png;base64,${'A1b2'.repeat(100)}"}`, TASKS],
  ['a body larger than the journal keeps', JSON.stringify(createBody('ab '.repeat(10_000))), TASKS],
  ['a body that no operation reads', '{}', '/v1/nowhere'],
  ['a text of more than 64 KiB', JSON.stringify(createBody('ab '.repeat(30_000))), TASKS],
])('a call with %s is not whole', async (_, body, path) =>
  expect(await readAfter(body, path)).toMatchObject({ isWhole: false }),
)

test.each([
  [2 ** 16, true],
  [2 ** 16 + 1, false],
])('a body of %i characters that was no JSON is kept: %s', async (length, isWhole) => {
  const { post, requests } = await startOnPort()
  const sent = '{'.padEnd(length, 'x')
  const record = await requests.get((await post(TASKS, sent)).requestId)
  expect([record.text === sent, record.isWhole]).toEqual([isWhole, isWhole])
})

test.each([
  ['no operation reads', '/v1/nowhere'],
  ['is read', TASKS],
])('the size of a body that %s is known', async (_, path) =>
  expect(await readAfter('{"model":1}', path)).toMatchObject({ bytes: 11 }),
)

test('of a large body only the media are left out', async () => {
  const square = readFileSync(new URL('../../../fixtures/media/square.png', import.meta.url)).toString(
    'base64',
  )
  const url = `data:image/png;base64,${square}${'A'.repeat(JOURNAL_BODY_BYTES)}`
  const content = (image: string) => [
    { type: 'text', text: PROMPT },
    { type: 'image_url', role: 'reference_image', image_url: { url: image } },
  ]
  const record = await readAfter(JSON.stringify({ ...createBody(''), content: content(url) }))
  const shown = { ...createBody(''), content: content('data:image/png;base64,(left out)') }
  expect(record).toMatchObject({ body: shown, isWhole: false })
})

test('URLs in URLs are refused like any other, and every reader can list what was sent', async () => {
  const nested = 'aa://?='.repeat(1_170)
  const content = [{ type: 'image_url', role: 'reference_image', image_url: { url: nested } }]
  expect(await readAfter(JSON.stringify({ ...createBody('x'), content }))).toMatchObject({ status: 400 })
  expect(await readAfter(JSON.stringify(createBody(nested)))).toMatchObject({ status: 200 })
  const account = emulator.account(KEY)
  expect(JSON.stringify(await account.requests.list())).toContain(`${'aa://?='.repeat(3)}(left out)`)
  expect(JSON.stringify(await account.tasks.list())).toContain(`${'aa://?='.repeat(3)}(left out)`)
})

test('the key of the account is not shown in the URL of a callback', async () => {
  const body = JSON.stringify({ ...createBody('x'), callback_url: `http://127.0.0.1:9/${KEY}/hook` })
  const { task } = await readAfter(body)
  const { tasks, callbacks } = emulator.account(KEY)
  expect((await tasks.get(task ?? '')).callbackUrl).toBe('http://127.0.0.1:9/(key)/hook')
  const items = await callbacks.list({ taskId: task ?? '' })
  expect(items.map(({ url }) => url)).toContain('http://127.0.0.1:9/(key)/hook')
  expect((await callbacks.get(items[0]?.id ?? '')).url).toBe('http://127.0.0.1:9/(key)/hook')
})

test('a call of another account is found with all, and so is what followed there', async () => {
  const { id, task } = await readAfter(JSON.stringify(createBody('x')))
  const read = (query: string) =>
    callAs(emulator.url, `/_backlot/requests/${id}${query}`, undefined, 'another')
  expect((await read('')).status).toBe(404)
  const found = (await (await read('?all=1')).json()) as ExplainedRequest
  expect(found).toMatchObject({ id, followed: { task: { id: task } } })
  expect(found.reasons.map(({ says }) => says)).toEqual(found.explanation)
})

test('a call of an account in which no scenario plays has no result of scenarios', async () => {
  expect(await readAfter(JSON.stringify(createBody('x')))).toMatchObject({ scenario: null })
})

test('a long body that was no JSON is not kept', async () => {
  const record = await readAfter(`{not json${' '.repeat(65 * 1024)}`)
  expect(record).toMatchObject({ isWhole: false, status: 400 })
  expect(record).not.toHaveProperty('text')
})

test('the XML of a refused download is kept with its headers, and a file has no text', async () => {
  const account = emulator.account('downloads')
  const made = await callAs(emulator.url, TASKS, createBody('a tram'), 'downloads')
  const { id } = (await made.json()) as { id: string }
  await account.clock.advance({ to: 'idle' })
  const read = await callAs(emulator.url, `${TASKS}/${id}`, undefined, 'downloads')
  const { content } = (await read.json()) as { content: { video_url: string } }
  await (await fetch(content.video_url)).arrayBuffer()
  await account.clock.advance('30d')
  const refused = await (await fetch(content.video_url)).text()
  const [denied, fetched] = await account.requests.list({ operation: 'results.download' })
  const record = await account.requests.get(denied?.id ?? '')
  expect(record).toMatchObject({ status: 403, answerText: refused })
  expect(record.answerHeaders['Content-Type']).toContain('xml')
  const file = await account.requests.get(fetched?.id ?? '')
  expect(file).not.toHaveProperty('answerText')
  expect(file.answerHeaders['content-type']).toBe('video/mp4')
})

test('a call without an operation names the one whose route is nearest, and no other call does', async () => {
  const meant = async (path: string) => (await readAfter('{}', path)).meant
  expect(await meant('/v1/videoss')).toBe('c-video.create')
  expect(await meant('/nothing/like/it/at/all')).toBe(null)
  expect(await meant(TASKS)).toBe(null)
})

test('a step that did not act has its conditions: those that held, the one that did not, and the rest', async () => {
  const account = emulator.account('conditions')
  await account.scenario.play({
    name: 'third',
    description: 'Third.',
    steps: [
      {
        when: { operation: 'b-video-task.create', prompt: { contains: 'tram' }, nth: 3, until: '1h' },
        then: { answer: { status: 503 } },
      },
    ],
  })
  await callAs(emulator.url, TASKS, createBody('a tram'), 'conditions')
  await callAs(emulator.url, TASKS, createBody('a harbour'), 'conditions')
  const [harbour, tram] = await account.requests.list()
  const conditionsOf = async (id = '') =>
    (await account.requests.get(id)).tried.flatMap(({ conditions }) =>
      conditions.map(({ says, holds }) => `${holds} ${says}`),
    )
  expect(await conditionsOf(tram?.id)).toEqual([
    'true a b-video-task.create',
    'true a prompt with "tram"',
    'false the third b-video-task.create',
    'null until 1h after the start',
  ])
  expect((await conditionsOf(harbour?.id))[1]).toBe('false a prompt with "tram"')
  await callAs(emulator.url, TASKS, createBody('a tram'), 'conditions')
  await callAs(emulator.url, TASKS, createBody('a tram'), 'conditions')
  const [acted] = await account.requests.list()
  expect(await conditionsOf(acted?.id)).toEqual([])
})
