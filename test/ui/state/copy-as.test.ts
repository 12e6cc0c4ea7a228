import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import { parse } from 'yaml'
import { startEmulator } from '../../../src/index.js'
import { asCurl, asFetch, asRecording, hintOf } from '../../../src/ui/state/copy-as.js'
import { asScenario } from '../../../src/ui/state/copy-scenario.js'
import { openSession, replayed, KEY as SESSION_KEY } from '../../recording/session.js'

const TASKS = '/provB/api/v3/contents/generations/tasks'
const KEY = `it's a "key"`
/** What a shell, a template or a string of JavaScript could trip over. */
// biome-ignore lint/suspicious/noTemplateCurlyInString: meant as it stands
const PROMPT = 'it\'s "quoted" `$(echo no)` ${1 + 1} \\ end'

const bodyWith = (text: string) =>
  JSON.stringify({ model: 'videoa-2-0-260128', duration: 20, content: [{ type: 'text', text }] })

/** An emulator with one refused call that has been recorded. */
const openRefused = async (body = bodyWith(PROMPT), path = TASKS) => {
  const emulator = await startEmulator()
  onTestFinished(() => emulator.stop())
  const headers = { authorization: `Bearer ${KEY}`, 'content-type': 'application/json' }
  await fetch(emulator.url + path, { method: 'POST', headers, body })
  const account = emulator.account(KEY)
  const latest = async () => {
    const [request] = await account.requests.list()
    return account.requests.get(request?.id ?? '')
  }
  return { emulator, account, record: await latest(), latest }
}

// biome-ignore lint/complexity/useArrowFunction: its constructor runs source
const AsyncFunction = async function () {}.constructor as new (
  ...parts: string[]
) => (...values: unknown[]) => Promise<unknown>

test('the fetch makes the same call again', async () => {
  const { emulator, record, latest } = await openRefused()
  const source = asFetch(record, { origin: emulator.url, key: KEY })
  await new AsyncFunction('console', source)({ log: () => {} })
  const again = await latest()
  expect(again.id).not.toBe(record.id)
  expect([again.method, again.path, again.body, again.status]).toEqual([
    record.method,
    TASKS,
    record.body,
    400,
  ])
})

const LONG = 'A slow aerial shot over the harbour. '.repeat(300)

test.each([
  ['a prompt of 11,000 characters', bodyWith(LONG), TASKS],
  ['a body that is no JSON', '{not json', TASKS],
  ['a body that is a JSON text', '"text"', TASKS],
  ['a path of 3,000 characters', '', `/v1/videos/${'abcDEF0123'.repeat(300)}?n=[1]`],
])('the fetch and the command of curl make the same call again: %s', async (_, body, path) => {
  const { emulator, record } = await openRefused(body, path)
  expect(record.isWhole).toBe(true)
  const sent: unknown[] = []
  const fetch = async (url: string, { body }: { body: string }) => {
    sent.push(url, body)
    return new Response()
  }
  const source = asFetch(record, { origin: emulator.url, key: KEY })
  await new AsyncFunction('console', 'fetch', source)({ log: () => {} }, fetch)
  expect(sent).toEqual([emulator.url + path, body || undefined])
  const command = asCurl(record, { origin: emulator.url, key: KEY })
  expect(command).toContain(`'${emulator.url}${path}'`)
  expect(command).toContain(body === '' ? '-sg' : `--data-raw '${body}'`)
})

test('a copy has the headers on which the answer can depend, and not those of the connection', async () => {
  const { emulator, record, latest } = await openRefused()
  const send = async (headers: Record<string, string>, method = 'POST') => {
    await fetch(emulator.url + TASKS, {
      method,
      headers,
      ...(method === 'POST' && { body: bodyWith('a tram') }),
    })
    return latest()
  }
  const own = {
    'content-type': 'text/plain',
    accept: 'application/json',
    'x-backlot-scenario': 'html-error-page',
    'idempotency-key': `it's "one"`,
    range: 'bytes=0-9',
    'if-none-match': '"abc"',
    'cache-control': 'no-cache',
    pragma: 'no-cache',
  }
  const sent = await send({ authorization: `Bearer ${KEY}`, ...own })
  expect(sent.status).toBe(502)
  const requests: RequestInit[] = []
  const capture = async (_: string, init: RequestInit) => {
    requests.push(init)
    return new Response()
  }
  const source = { origin: emulator.url, key: KEY }
  await new AsyncFunction('console', 'fetch', asFetch(sent, source))({ log: () => {} }, capture)
  expect(requests[0]?.headers).toEqual({ authorization: `Bearer ${KEY}`, ...own })
  const lines = asCurl(sent, source).replaceAll(`'\\''`, `'`).split(' \\\n  ')
  const headers = lines.filter((line) => line.startsWith('-H')).map((line) => line.slice(4, -1))
  const expected = [`authorization: Bearer ${KEY}`, ...Object.entries(own).map((header) => header.join(': '))]
  expect(headers.toSorted()).toEqual(expected.toSorted())
  const again = await send(requests[0]?.headers as Record<string, string>)
  expect([again.status, again.answer]).toEqual([sent.status, sent.answer])
  // One without a key is refused for that.
  expect(asCurl({ ...record, headers: { accept: '*/*' }, body: undefined }, source)).not.toContain('-H')
  expect(
    [sent, await send({ Authorization: `Bearer ${KEY}`, Cookie: 'session=abcdef' }, 'GET')].map((request) =>
      hintOf(request),
    ),
  ).toEqual(['', expect.stringContaining('a part of the headers: put it in again')])
})

// The shells are those of POSIX.
test.skipIf(process.platform === 'win32')(
  'the command of curl makes the same call again, whatever the shell',
  async () => {
    const { emulator, record, latest } = await openRefused()
    // A curl that does nothing but show its arguments: it need not be installed.
    const curl = `curl() { node -e 'console.log(JSON.stringify(process.argv.slice(1)))' -- "$@"; }\n`
    const { stdout } = await promisify(execFile)('sh', [
      '-c',
      curl + asCurl(record, { origin: emulator.url, key: KEY }),
    ])
    const args = JSON.parse(stdout) as string[]
    const [, , method = '', url = '', , authorization = '', , , , body = ''] = args
    await fetch(url, {
      method,
      body,
      headers: { authorization: authorization.replace('authorization: ', '') },
    })
    expect((await latest()).body).toEqual(record.body)
  },
)

test('the scenario answers the next call in the same way', async () => {
  const { emulator, account, record } = await openRefused()
  await account.scenario.play(parse(asScenario(record)))
  const headers = { authorization: `Bearer ${KEY}`, 'content-type': 'application/json' }
  const body = JSON.stringify({ model: 'videoa-2-0-260128', content: [{ type: 'text', text: 'fine' }] })
  const statuses = []
  for (const _ of [1, 2])
    statuses.push((await fetch(emulator.url + TASKS, { method: 'POST', headers, body })).status)
  expect(statuses).toEqual([400, 200])
})

test.each([
  ['a reset', { transport: { reset: true } }],
  ['an answer of text', { answer: { status: 502, text: '<h1>502 Bad Gateway</h1>' } }],
  ['an answer without a body', { answer: { status: 204 } }],
  ['an answer in place of a refusal', { answer: { status: 200, body: { id: 'x' }, stillHappens: true } }],
] as const)('the scenario gives the next call what the client saw: %s', async (_, then) => {
  const emulator = await startEmulator()
  onTestFinished(() => emulator.stop())
  const account = emulator.account(KEY)
  const send = () =>
    fetch(emulator.url + TASKS, {
      method: 'POST',
      headers: { authorization: `Bearer ${KEY}`, 'content-type': 'application/json' },
      body: bodyWith('a tram'),
    }).then(
      async (response) => [response.status, await response.text()],
      () => 'no answer',
    )
  await account.scenario.play({ name: 'first', description: 'The first.', steps: [{ times: 1, then }] })
  const seen = await send()
  const [record] = await account.requests.list()
  await account.scenario.play(parse(asScenario(await account.requests.get(record?.id ?? ''))))
  expect(await send()).toEqual(seen)
  expect(await send()).toEqual([400, expect.stringContaining('duration')])
})

test('the scenario of a refused call has its words, without the id of its request', async () => {
  const { emulator, account, record } = await openRefused()
  const headers = { authorization: `Bearer ${KEY}`, 'content-type': 'application/json' }
  const copy = asScenario(record)
  expect(copy).not.toContain(record.id)
  await account.scenario.play(parse(copy))
  const response = await fetch(emulator.url + TASKS, { method: 'POST', headers, body: bodyWith('a tram') })
  const words = JSON.stringify(record.answer).replace(`. Request id: ${record.id}`, '')
  expect(await response.json()).toEqual(JSON.parse(words))
})

test('the scenario of an error that a step raised names it', async () => {
  const { emulator, account, latest } = await openRefused()
  await account.fail('b-video-task.create', { error: 'ServerOverloaded' })
  const headers = { authorization: `Bearer ${KEY}`, 'content-type': 'application/json' }
  await fetch(emulator.url + TASKS, { method: 'POST', headers, body: bodyWith('a tram') })
  expect(
    asScenario(await latest(), ['InternalServiceError', 'ServerOverloaded']),
  ).toBe(`name: b-video-task-create-429
description: "The next call of b-video-task.create is answered with 429."
steps:
  - when:
      operation: b-video-task.create
    times: 1
    then:
      answer:
        error: ServerOverloaded
`)
})

test('the refusal of a file is copied as a scenario with its XML, without the id of its request', async () => {
  const { emulator, account, latest } = await openRefused(bodyWith('a tram').replace('20', '5'))
  await account.clock.advance({ to: 'idle' })
  const [task] = await account.tasks.list()
  const headers = { authorization: `Bearer ${KEY}` }
  const polled = await (await fetch(`${emulator.url}${TASKS}/${task?.id}`, { headers })).json()
  const { video_url: url } = (polled as { content: { video_url: string } }).content
  const download = async (from: string) => {
    const response = await fetch(from)
    return [response.status, response.headers.get('content-type'), await response.text()]
  }
  const [status, type, text] = await download(`${url}0`)
  const scenario = asScenario(await latest())
  await account.scenario.play(parse(scenario))
  const xml = String(text).replace(/<RequestId>.*<\/RequestId>/, '')
  expect(xml).not.toBe(text)
  expect(await download(url)).toEqual([status, type, xml])
})

test('the scenario of a call without an answer hangs, and one whose bytes are not known is refused', async () => {
  const { record } = await openRefused()
  const stepOf = (request: object) => parse(asScenario({ ...record, ...request })).steps[0].then
  expect(stepOf({ connection: 'no-answer' })).toEqual({ transport: { hang: true } })
  const file = { operation: 'results.download', status: 206, refusedBy: [], answer: undefined }
  for (const request of [{ connection: 'cut-off' }, file])
    expect(() => stepOf(request)).toThrow('does not know which bytes were sent')
})

test('the recording ends with the call', async () => {
  const { account, emulator, record } = await openRefused()
  await fetch(`${emulator.url}${TASKS}/later`, { headers: { authorization: `Bearer ${KEY}` } })
  const answer = await fetch(`${emulator.url}/_backlot/requests?format=replay`, {
    headers: { authorization: `Bearer ${KEY}` },
  })
  const lines = asRecording(await answer.text(), record.id)
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as { kind: string; id?: string })
  expect(lines.map(({ kind }) => kind)).toEqual(['recording', 'account', 'call'])
  expect(lines.at(-1)?.id).toBe(record.id)
  expect((await account.requests.list()).length).toBe(2)
  expect(() => asRecording('{"kind":"recording"}\n', 'gone')).toThrow('does not hold this call')
})

test.each(['paused', 'on-poll', 'live'] as const)(
  'the recording up to each call is replayed without a difference, with the callbacks sent by then: a %s clock',
  async (clock) => {
    const { emulator, client, saved } = await openSession({ clock, timing: 'fast' })
    const account = emulator.account(SESSION_KEY)
    const callback_url = `${emulator.url}/_backlot/inbox/hooks`
    for (const text of ['a lighthouse', 'a tram']) {
      const { id } = (await client.post(TASKS, { ...JSON.parse(bodyWith(text)), duration: 5, callback_url }))
        .body
      await client.get(`${TASKS}/${id}`)
      await account.clock.advance({ to: 'next' })
      await client.get(`${TASKS}/${id}`)
      await account.clock.advance({ to: 'idle' })
      await client.get(`${TASKS}/${id}`)
    }
    const recording = await saved()
    const compared: number[] = []
    for (const { id } of (await account.requests.list()).toReversed()) {
      const report = await replayed(asRecording(recording, id))
      expect(report.mismatches).toEqual([])
      compared.push(report.callbacks)
    }
    expect(compared).toEqual(compared.toSorted((a, b) => a - b))
    expect(compared.at(-1)).toBe((await replayed(recording)).callbacks)
  },
)

test('an upload is copied as a form of curl, and as no fetch of one line', async () => {
  const { emulator, client } = await openSession()
  await client.upload('a.png', new Uint8Array([1]), { group_id: "it's" })
  const account = emulator.account(SESSION_KEY)
  const record = await account.requests.get((await account.requests.list())[0]?.id ?? '')
  const source = { origin: emulator.url, key: SESSION_KEY }
  const command = asCurl(record, source)
  expect(command).toContain(`--form-string 'group_id=it'\\''s' \\\n  -F 'file=@FILE'`)
  expect(command).not.toContain('application/json')
  expect(() => asFetch(record, source)).toThrow('copied as curl or as a test')
})

test('an upload to a path of no operation is copied without its form, which the journal does not have', async () => {
  const { emulator, latest } = await openRefused()
  const form = new FormData()
  form.set('file', new Blob(['picture']), 'a.png')
  const headers = { authorization: `Bearer ${KEY}` }
  await fetch(`${emulator.url}/v1/asset/uplod`, { method: 'POST', headers, body: form })
  const record = await latest()
  const [start, ...options] = asCurl(record, { origin: emulator.url, key: 'k' }).split(' \\\n  ')
  expect(start).toBe(`curl -s -X POST '${emulator.url}/v1/asset/uplod'`)
  expect(options).toEqual([`-H 'authorization: Bearer k'`])
  expect(hintOf(record)).toContain('a part of the body: put it in again')
})

test('what is said beside a copy names the parts of the call that were cut', async () => {
  const { emulator, latest } = await openRefused()
  const headers = { authorization: `Bearer ${KEY}`, cookie: 'session=abcdef' }
  await fetch(`${emulator.url}${TASKS}?key=abc`, { headers })
  expect(hintOf(await latest())).toContain('a part of the headers and query: put it in again')
})

test('the command of curl for a HEAD awaits no body', async () => {
  const { emulator, record } = await openRefused()
  const lines = asCurl({ ...record, method: 'HEAD' }, { origin: emulator.url, key: KEY }).split(' \\\n  ')
  expect(lines[0]).toBe(`curl -s -I '${emulator.url}${TASKS}'`)
})
