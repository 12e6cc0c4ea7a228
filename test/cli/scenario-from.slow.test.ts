import { execFile } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { parse } from 'yaml'
import type { AccountHandles } from '../../src/emulator/client/handles.js'
import { checkScenarioFile } from '../../src/emulator/scenarios/read.js'
import type { EmulatorSettings, ScenarioFile } from '../../src/generated/emulator-settings.js'
import { startEmulator } from '../../src/start-emulator.js'
import { complaintsOfCompiler } from '../docs/compile.js'
import { newFolder } from '../folder.js'
import { VITEST_RUN } from '../testing/project.js'
import { ended, endedHere } from './backlot.js'
import { type HarCall, har } from './har.js'
import { projectFolder, recorded } from './recorded.js'

test('a recording becomes a scenario of what went wrong in it', async () => {
  const folder = newFolder()
  const { code, out, err } = await ended(['scenario-from', await recorded(folder)])
  expect({ code, err }).toEqual({ code: 0, err: '' })
  expect(out).toMatch(/^# Made from session\.jsonl by backlot scenario-from\.\nname: session\n/)
  const CREATE = 'b-video-task.create'
  expect(parse(out).steps.map(({ when, then }: Record<string, unknown>) => [when, then])).toEqual([
    [
      { operation: CREATE, nth: 1 },
      { task: { fails: { error: 'InternalServiceError', after: expect.any(String) } } },
    ],
    [{ operation: CREATE, nth: 2 }, { answer: { error: 'InvalidParameter' } }],
    ...['queued', 'running', 'succeeded'].map((status) => [
      { operation: CREATE, callback: { status }, nth: 1 },
      { callback: { never: true } },
    ]),
  ])
})

test.each(['made.yaml', 'made.json'])(
  '%s is a file that backlot check finds nothing wrong with',
  async (name) => {
    const folder = newFolder()
    const output = join(folder, name)
    expect((await ended(['scenario-from', await recorded(folder), '-o', output])).err).toBe(
      `Written: ${output}\n`,
    )
    expect(await checkScenarioFile(output)).toMatchObject({ scenario: { name: 'made' } })
  },
)

/** Runs the tests of a folder in a vitest of their own. */
const vitest = (folder: string): Promise<{ code: number; out: string }> => {
  const args = [...VITEST_RUN, '--root', folder, '--config', CONFIG]
  return new Promise((done) => {
    execFile(process.execPath, args, { cwd: folder }, (error, out, err) =>
      done({ code: error === null ? 0 : Number(error.code), out: out + err }),
    )
  })
}

const CONFIG = 'vitest.config.mjs'

/** A project whose tests vitest runs. */
const vitestProject = (): string => {
  const folder = projectFolder()
  // Else the one of this project would be found above it.
  writeFileSync(join(folder, CONFIG), 'export default {}')
  return folder
}

test('the test beside it passes as it is, and fails where a step does not act', async () => {
  const folder = vitestProject()
  const output = join(folder, 'bad-day.yaml')
  const { code } = await ended(['scenario-from', await recorded(folder), '-o', output, '--test'])
  expect(code).toBe(0)
  const passed = await vitest(folder)
  expect(passed.code, passed.out).toBe(0)
  const text = readFileSync(output, 'utf8')
  await writeFile(output, text.replace('nth: 2', 'nth: 7'))
  expect((await vitest(folder)).out).toContain('AssertionError')
}, 60_000)

test.each(['a cancel', 'a forced cancel'])(
  'the test passes of answers that were cut off and of a lost callback of %s',
  async (how) => {
    const folder = vitestProject()
    const emulator = await startEmulator({
      clock: 'paused',
      scenario: {
        name: 'cut',
        description: 'Lists are cut off.',
        steps: [{ when: { operation: 'b-video-task.list' }, then: { transport: { closeAfterBytes: 5 } } }],
      },
    })
    onTestFinished(() => emulator.stop())
    const call = (method: string, path = '', body?: object) =>
      fetch(`${emulator.url}/provB/api/v3/contents/generations/tasks${path}`, {
        ...{ method, headers: { authorization: 'any-key' }, body: JSON.stringify(body) },
      })
    const created = await call('POST', '', {
      model: 'videoa-2-0-260128',
      content: [{ type: 'text', text: 'a lighthouse' }],
      callback_url: 'http://127.0.0.1:1/hook',
    })
    const { id } = (await created.json()) as { id: string }
    if (how === 'a cancel') await call('DELETE', `/${id}`)
    else await emulator.account('any-key').tasks.force(id, 'cancelled')
    await expect(call('GET').then((answer) => answer.text())).rejects.toThrow()
    await emulator.account('any-key').clock.advance({ to: 'idle' })
    const recording = join(folder, 'session.jsonl')
    await emulator.requests.save(recording)
    await ended(['scenario-from', recording, '-o', join(folder, 'cut.yaml'), '--test'])
    const { code, out } = await vitest(folder)
    expect(code, out).toBe(0)
  },
  60_000,
)

test('the test passes of tasks whose creates were not answered, which the client found in the list', async () => {
  const folder = vitestProject()
  const emulator = await startEmulator({
    scenario: ['reset-after-create', 'one-failed-poll', 'result-missing'],
  })
  onTestFinished(() => emulator.stop())
  const headers = { authorization: 'any-key' }
  const tasks = `${emulator.url}/provB/api/v3/contents/generations/tasks`
  const body = JSON.stringify({
    model: 'videoa-2-0-260128',
    content: [{ type: 'text', text: 'a lighthouse' }],
  })
  await expect(fetch(tasks, { method: 'POST', headers, body })).rejects.toThrow()
  const list = await (await fetch(tasks, { headers })).json()
  const { id } = (list as { items: [{ id: string }] }).items[0]
  const reads = []
  for (let nth = 0; nth < 3; nth += 1) reads.push(await (await fetch(`${tasks}/${id}`, { headers })).text())
  expect((await fetch(/https?:[^"]*\/results\/[^"]*/.exec(reads.at(-1) ?? '')?.[0] ?? '')).status).toBe(404)
  const recording = join(folder, 'session.jsonl')
  await emulator.requests.save(recording)
  await ended(['scenario-from', recording, '-o', join(folder, 'unanswered.yaml'), '--test'])
  const { code, out } = await vitest(folder)
  expect(code, out).toBe(0)
}, 60_000)

test('the test passes of downloads whose URL came late, or by a callback, and the compiler has nothing against it', async () => {
  const folder = vitestProject()
  const emulator = await startEmulator({
    clock: 'paused',
    scenario: {
      name: 'expired',
      description: 'Results expire at once.',
      steps: [{ when: { operation: 'results.download' }, then: { result: { expired: true } } }],
    },
  })
  onTestFinished(() => emulator.stop())
  const account = emulator.account('any-key')
  const post = async (path: string, body: object): Promise<{ id: string }> => {
    const sent = { method: 'POST', headers: { authorization: 'any-key' }, body: JSON.stringify(body) }
    return (await (await fetch(emulator.url + path, sent)).json()) as { id: string }
  }
  const content = [{ type: 'text', text: 'a lighthouse' }]
  const tasks = '/provB/api/v3/contents/generations/tasks'
  const { id } = await post(tasks, { model: 'videoa-2-0-260128', content })
  const callback_url = account.inbox('hook').url
  await post('/provC/v2/video_generation', { model: 'gamma-H3', content, duration: 5, callback_url })
  await account.clock.advance({ to: 'idle' })
  const read = await fetch(`${emulator.url}${tasks}/${id}`, { headers: { authorization: 'any-key' } })
  const received = (await account.inbox('hook').list()).at(-1)
  for (const text of [await read.text(), JSON.stringify(received?.body)])
    expect((await fetch(/https?:[^"]*\/results\/[^"]*/.exec(text)?.[0] ?? '')).status).toBe(403)
  const recording = join(folder, 'session.jsonl')
  await account.requests.save(recording)
  await ended(['scenario-from', recording, '-o', join(folder, 'late.yaml'), '--test'])
  const { code, out } = await vitest(folder)
  expect(code, out).toBe(0)
  const page = join(folder, 'late.test.ts')
  const block = { page, line: 1, language: 'ts', code: readFileSync(page, 'utf8'), marks: {} }
  expect([...complaintsOfCompiler([block]).values()]).toEqual([[]])
}, 60_000)

const NOWHERE = 'http://127.0.0.1:1/hook'

/** Creates a task of `any-key` whose callbacks go to an address. */
const createReporting = (url: string, callback_url: string) => {
  const content = [{ type: 'text', text: 'a lighthouse' }]
  return fetch(`${url}/provB/api/v3/contents/generations/tasks`, {
    method: 'POST',
    headers: { authorization: 'any-key' },
    body: JSON.stringify({ model: 'videoa-2-0-260128', content, callback_url }),
  })
}

test('callbacks are counted in the order in which the statuses changed, not in that of their delivery', async () => {
  const folder = newFolder()
  const scenario = join(folder, 'lost.yaml') as ScenarioFile
  const statuses = async (settings: EmulatorSettings, hooks: readonly string[]): Promise<string[][]> => {
    const emulator = await startEmulator({ clock: 'paused', ...settings })
    onTestFinished(() => emulator.stop())
    const account = emulator.account('any-key')
    for (const hook of hooks)
      await createReporting(emulator.url, hook === 'lost' ? NOWHERE : account.inbox(hook).url)
    await account.clock.advance({ to: 'idle' })
    await emulator.requests.save(join(folder, 'session.jsonl'))
    const boxes = await Promise.all(hooks.map((hook) => account.inbox(hook).list()))
    return boxes.map((box) => box.map(({ body }) => (body as { status: string }).status))
  }
  const all = ['queued', 'running', 'succeeded']
  expect(await statuses({}, ['lost', 'second', 'third'])).toEqual([[], all, all])
  expect((await ended(['scenario-from', join(folder, 'session.jsonl'), '-o', scenario])).code).toBe(0)
  expect(await statuses({ scenario }, ['first', 'second', 'third'])).toEqual([[], all, all])
})

test('callbacks behind a challenge that failed are not counted', async () => {
  const folder = newFolder()
  const scenario = join(folder, 'lost.yaml') as ScenarioFile
  const played = async (played: NonNullable<EmulatorSettings['scenario']>) => {
    const emulator = await startEmulator({ clock: 'paused', scenario: played })
    onTestFinished(() => emulator.stop())
    const account = emulator.account('any-key')
    const hook = account.inbox('hook').url
    for (const callback_url of [hook, hook, NOWHERE, hook])
      await fetch(`${emulator.url}/provC/v2/video_generation`, {
        method: 'POST',
        headers: { authorization: 'any-key' },
        body: JSON.stringify({
          ...{
            model: 'gamma-H3',
            content: [{ type: 'text', text: 'a lighthouse' }],
            duration: 5,
            callback_url,
          },
        }),
      })
    await account.clock.advance({ to: 'idle' })
    await account.requests.save(join(folder, 'session.jsonl'))
    return account.scenario.unused()
  }
  const never = { callback: { never: true } } as const
  await played({
    name: 'lost',
    description: 'A callback is lost, and a challenge is wrong.',
    steps: [
      { when: { callback: { status: 'succeeded' }, nth: 1 }, then: never },
      { when: { callback: 'challenge', nth: 2 }, then: { callback: { challenge: 'wrong' } } },
    ],
  })
  expect((await endedHere(['scenario-from', join(folder, 'session.jsonl'), '-o', scenario])).code).toBe(0)
  expect(parse(readFileSync(scenario, 'utf8')).steps).toMatchObject([
    { when: { callback: 'challenge', nth: [2, 3] }, then: never },
    { when: { callback: { status: 'succeeded' }, nth: 1 }, then: never },
  ])
  expect(await played(scenario)).toEqual([])
})

test.each([
  ['an answer in place of the true one', { answer: { status: 504, text: 'late', stillHappens: true } }],
  ['a connection that ended', { transport: { reset: true } }],
] as const)(
  'a task whose create got %s is made again, fails again, and reports it again in vain',
  async (_, then) => {
    const folder = newFolder()
    const scenario = join(folder, 'lost.yaml') as ScenarioFile
    const played = async (settings: EmulatorSettings, act: (account: AccountHandles) => Promise<unknown>) => {
      const emulator = await startEmulator({ clock: 'paused', ...settings })
      onTestFinished(() => emulator.stop())
      const account = emulator.account('any-key')
      await createReporting(emulator.url, NOWHERE).catch(() => undefined)
      await act(account)
      await account.clock.advance({ to: 'idle' })
      await account.requests.save(join(folder, 'session.jsonl'))
      return { tasks: await account.tasks.list(), unused: await account.scenario.unused() }
    }
    const step = { when: { operation: 'b-video-task.create' as const }, then }
    await played(
      { scenario: { name: 'bad', description: 'Goes wrong.', steps: [step] } },
      async ({ tasks }) => tasks.fail((await tasks.list())[0]?.id ?? '', 'InternalServiceError'),
    )
    expect((await endedHere(['scenario-from', join(folder, 'session.jsonl'), '-o', scenario])).code).toBe(0)
    const { tasks, unused } = await played({ scenario }, async () => {})
    expect(tasks.map(({ timeline }) => timeline.at(-1)?.error)).toEqual(['InternalServiceError'])
    expect(unused).toEqual([])
  },
)

/** Lines of a recording whose account, of 12 times this digit, opens and makes a task. */
const opened = (digit: string) => {
  const [account, at, id] = [digit.repeat(12), '2026-01-01T00:00:00.000Z', 'cgt-1']
  const request = { method: 'POST', path: '/provB/api/v3/contents/generations/tasks', json: {} }
  const rest = { clock: 'paused', key: { is: 'plain' }, balance: 1, agreementAccepted: true }
  const limits = { requestsPerMinute: null, tasksInFlight: null, imageQuota: null }
  const created = { account, at, id: 'r', operation: 'b-video-task.create', request }
  return {
    open: { kind: 'account', account, at, ...rest, limits },
    create: { kind: 'call', ...created, task: id, answer: { status: 200, json: { id } } },
    cutCreate: { kind: 'call', ...created, answer: { status: 200, text: '{"i', broken: 'cut' } },
    failed: { kind: 'task', account, at, id, family: 'b-video-task', createdAt: at, state: 'failed' },
    reset: { kind: 'reset', account },
  }
}

const recordingOf = async (lines: readonly object[]): Promise<string> => {
  const head = { kind: 'recording', version: 1, emulator: '0', platform: 'x', seed: 1, settings: {} }
  const file = join(newFolder(), 'session.jsonl')
  await writeFile(file, [head, ...lines].map((line) => `${JSON.stringify(line)}\n`).join(''))
  return file
}

test('what failed before a reset belongs to the calls before it, though their ids come again', async () => {
  const { open, create, failed, reset } = opened('a')
  const lines = [open, create, { ...failed, error: 'InternalServiceError' }, reset, open, create]
  const { out } = await endedHere(['scenario-from', await recordingOf(lines)])
  expect(parse(out).steps).toMatchObject([{ when: { operation: 'b-video-task.create', nth: 1 } }])
})

test('a task that fails after a snapshot with it was restored belongs to the call before that', async () => {
  const { open, create, failed, reset } = opened('a')
  const lines = [open, create, reset, open, { ...failed, error: 'InternalServiceError' }]
  const { out } = await endedHere(['scenario-from', await recordingOf(lines)])
  expect(parse(out).steps).toMatchObject([{ when: { operation: 'b-video-task.create', nth: 1 } }])
})

test('what failed of a call that the recording lacks is said', async () => {
  const { open, create, failed } = opened('a')
  const { account } = open
  const sent = { id: 'cgt-3-1', task: 'cgt-3', message: 'delivery', state: 'failed', attempts: [], body: {} }
  const lost = { kind: 'callback', account, ...sent }
  const lines = [open, create, { ...failed, id: 'cgt-2', error: 'InternalServiceError' }, lost]
  const { code, err } = await endedHere(['scenario-from', await recordingOf(lines)])
  expect(code).toBe(1)
  expect(err).toContain(
    'Skipped: what failed of calls that are not in the file: the task cgt-2, a callback of the task cgt-3.\n',
  )
})

test('the account with the most failures is taken, whatever they are, and the others are told', async () => {
  const [fine, cut, failed] = [opened('a'), opened('b'), opened('c')]
  const failing = [failed.open, failed.create, { ...failed.failed, error: 'InternalServiceError' }]
  const lines = [fine.open, fine.create, cut.open, cut.cutCreate, cut.cutCreate, ...failing]
  const { out, err } = await endedHere(['scenario-from', await recordingOf(lines)])
  expect(parse(out).steps).toMatchObject([{ then: { transport: { closeAfterBytes: 16 } } }])
  expect(err).toBe('backlot: The account cccccccccccc met 1 failure of its own: --account cccccccccccc\n')
})

describe('a HAR file of the real service', () => {
  const API = 'https://gateway.example.test/team/v1/videos'
  const result = 'https://store.example.test/a.mp4?Signature=result-secret'
  const body = { model: 'videoa-2-0-260128', media: [{ type: 'text', text: 'a lighthouse' }] }
  const calls: readonly HarCall[] = [
    { url: 'https://app.example.test/index.html', status: 200, answer: '<html>' },
    {
      method: 'POST',
      url: API,
      body,
      status: 429,
      headers: { 'Retry-After': '3' },
      answer: {
        code: 'rate_limit_exceeded',
        message: 'Slowly',
        data: null,
        error: { message: 'Slowly', type: 'rate_limit_error', code: 'rate_limit_exceeded', param: null },
      },
    },
    { method: 'POST', url: API, body, status: 200, answer: { id: 'cgt-20260501000000-abcde' } },
    {
      url: `${API}/cgt-20260501000000-abcde`,
      status: 502,
      answer: '<html>Bad gateway</html>',
      headers: { 'Content-Type': 'text/html' },
    },
    { url: `${API}/cgt-20260501000000-abcde`, status: 0, error: 'net::ERR_CONNECTION_RESET' },
    {
      url: `${API}/cgt-20260501000000-abcde`,
      status: 200,
      answer: { id: 'cgt-20260501000000-abcde', status: 'succeeded', content: { video_url: result } },
    },
    { url: result, status: 403, answer: '<Error/>' },
  ]

  test('its failing calls become steps, and no credential is left', async () => {
    const folder = newFolder()
    const file = join(folder, 'production.har')
    await writeFile(file, har(calls))
    const { code, out, err } = await ended(['scenario-from', file])
    expect({ code, err }).toEqual({ code: 0, err: '' })
    expect(parse(out).steps.map(({ when, then }: Record<string, unknown>) => [when, then])).toEqual([
      [{ operation: 'c-video.create', nth: 1 }, { answer: { error: expect.any(String), retryAfter: 3 } }],
      [
        { operation: 'c-video.read', nth: 1 },
        { answer: { status: 502, contentType: 'text/html', text: '<html>Bad gateway</html>' } },
      ],
      [{ operation: 'c-video.read', nth: 2 }, { transport: { reset: true } }],
      [{ operation: 'results.download', nth: 1 }, { result: { expired: true } }],
    ])
    expect(out).not.toMatch(/secret/)
  })

  test('whose answers quote credentials becomes a scenario without them', async () => {
    const file = join(newFolder(), 'production.har')
    const key = 'sk-real-key-1234567890'
    const send = (name: string, value: string, answer: unknown): HarCall => ({
      ...{ url: API, status: 401, answer },
      entry: { request: { method: 'POST', url: API, headers: [{ name, value }] } },
    })
    const message = `Incorrect API key provided: ${key}`
    await writeFile(
      file,
      har([
        send('Authorization', `Token ${key}`, { error: { message } }),
        send('X-Api-Key', key, message),
        send('Cookie', `a=1; session=${key}`, `${message}.`),
        send('Authorization', 'Bearer another-key', { api_key: key, nested: { token: [key] }, token: '' }),
      ]),
    )
    const { out } = await endedHere(['scenario-from', file])
    const hidden = message.replace(key, '(key)')
    expect(parse(out).steps.map(({ then }: { then: object }) => then)).toMatchObject([
      { answer: { body: { error: { message: hidden } } } },
      { answer: { text: hidden } },
      { answer: { text: `${hidden}.` } },
      { answer: { body: { api_key: '(key)', nested: { token: ['(key)'] }, token: '' } } },
    ])
  })

  test.each([undefined, { code: 'NewError', message: 'New.' }])(
    'a task that failed with the error %j fails in the scenario too',
    async (error) => {
      const file = join(newFolder(), 'production.har')
      const answer = { task: { id: '77', status: 'failed', error } }
      const F = 'https://api.example.test/provC/v2'
      const create = { method: 'POST', url: `${F}/video_generation`, status: 200 }
      const query = { url: `${F}/query/video_generation/77`, status: 200, answer }
      await writeFile(file, har([{ ...create, answer: { output: { task_id: '77' } } }, query]))
      const { code, out, err } = await endedHere(['scenario-from', file])
      expect({ code, err }).toEqual({ code: 0, err: expect.stringContaining('an error that its family has') })
      const name = /it fails with (\w+)/.exec(err)?.[1]
      expect(parse(out).steps).toMatchObject([{ then: { task: { fails: { error: name, after: '1s' } } } }])
    },
  )

  test('whose bodies are files beside it is read with them', async () => {
    const folder = newFolder()
    const file = join(folder, 'production.har')
    const archive = JSON.parse(har(calls))
    for (const [index, { request, response }] of archive.log.entries.entries())
      for (const body of [request.postData, response.content].filter((one) => one?.text)) {
        const name = `${index}-${body === response.content ? 'answer' : 'request'}.json`
        await writeFile(join(folder, name), body.text)
        delete body.text
        body._file = name
      }
    await writeFile(file, JSON.stringify(archive))
    const besides = await ended(['scenario-from', file])
    await writeFile(file, har(calls))
    expect(besides).toEqual(await ended(['scenario-from', file]))

    archive.log.entries[0].response.content._file = 'missing.json'
    await writeFile(file, JSON.stringify(archive))
    expect(await ended(['scenario-from', file])).toMatchObject({
      code: 0,
      err: `backlot: 1 body of ${file} cannot be read from beside it: missing.json\n`,
    })
  })

  test('that lacks the bodies of answers is said to', async () => {
    const file = join(newFolder(), 'production.har')
    const omitted = (url: string, status: number, mimeType = 'application/json'): HarCall => ({
      ...{ url, status },
      response: { content: { size: 9, mimeType } },
    })
    const videos = [omitted(`${API}/a`, 200), omitted(`${API}/b`, 500), omitted(`${API}/c`, 200, 'video/mp4')]
    await writeFile(file, har([...videos, omitted('https://app.example.test/', 200)]))
    const { code, err } = await endedHere(['scenario-from', file])
    expect({ code, err }).toEqual({
      code: 0,
      err: `backlot: 2 answers of the service have no body in ${file}: the scenario lacks what they said of errors and failed tasks.\n`,
    })
  })

  test.each([
    ['Chromium', { _error: 'net::ERR_ABORTED' }],
    ['Firefox', { _error: 'NS_BINDING_ABORTED' }],
    ['Playwright', { status: -1, _failureText: 'net::ERR_ABORTED' }],
  ])('of %s with a call that the client aborted has no failure there', async (_, response) => {
    const file = join(newFolder(), 'production.har')
    const aborted = { url: `${API}/a`, status: 0, response }
    const lost = { url: `${API}/a`, status: 0, error: 'net::ERR_CONNECTION_ABORTED' }
    await writeFile(file, har([aborted, lost, { url: `${API}/a`, status: 0 }]))
    const { out, err } = await endedHere(['scenario-from', file])
    expect(err).toMatch(
      /^backlot: Skipped: calls that the client itself aborted: GET [^ ]*\/v1\/videos\/a\.\n$/,
    )
    expect(parse(out).steps).toMatchObject([{ when: { nth: [2, 3] }, then: { transport: { reset: true } } }])
  })

  test('with entries that are not whole is read without them', async () => {
    const file = join(newFolder(), 'production.har')
    const archive = JSON.parse(har([{ url: `${API}/a`, status: 500, answer: '' }]))
    const { request, ...answered } = archive.log.entries[0]
    const { response, ...sent } = archive.log.entries[0]
    const params = [{ name: 'content', value: { type: 'text', text: 'a lighthouse' } }]
    request.postData = { mimeType: 'application/json', text: '{}', params }
    archive.log.entries.push(answered, { ...sent, response: null }, null)
    await writeFile(file, JSON.stringify(archive))
    const { code, out, err } = await endedHere(['scenario-from', file])
    expect({ code, err }).toEqual({
      code: 0,
      err: 'backlot: Skipped: 3 entries without a request or an answer.\n',
    })
    expect(parse(out).steps).toHaveLength(1)
  })

  test('does not take the place of a test that was made before', async () => {
    const folder = newFolder()
    const [file, made] = [join(folder, 'production.har'), join(folder, 'production.test.ts')]
    await writeFile(file, har(calls))
    await writeFile(made, '// edited\n')
    const { code, err } = await ended([
      'scenario-from',
      file,
      '-o',
      join(folder, 'production.yaml'),
      '--test',
    ])
    expect({ code, kept: readFileSync(made, 'utf8') }).toEqual({ code: 0, kept: '// edited\n' })
    expect(err).toContain(`Kept: ${made}`)
    expect(readFileSync(join(folder, 'production.yaml'), 'utf8')).toContain('steps:')
  })

  test('its test passes as it is, without a credential in it', async () => {
    const folder = vitestProject()
    const file = join(folder, 'production.har')
    await writeFile(file, har(calls))
    await ended(['scenario-from', file, '-o', join(folder, 'production.yaml'), '--test'])
    expect(readFileSync(join(folder, 'production.test.ts'), 'utf8')).not.toMatch(/-secret/)
    const { code, out } = await vitest(folder)
    expect(code, out).toBe(0)
  }, 60_000)

  test.each([
    ['that is cut off', har(calls).slice(0, 300), 'a.har:1:301: the closing " is missing'],
    [
      'without what it has to say',
      '{"log":{"entries":[{"request":{},"response":{}}]}}',
      'is no HTTP archive that can be read',
    ],
    ['that is another document', '{}', 'is no HTTP archive that can be read'],
    [
      'that is nested too deep',
      `{"log":{"entries":[${'['.repeat(3_000)}${']'.repeat(3_000)}]}}`,
      'is no HTTP archive that can be read.\nIt is nested too deep',
    ],
    ['that is a list', '[1]', 'It must be an object that holds log.entries.\n'],
    ['in which nothing went wrong', har(calls.slice(2, 3)), 'Nothing went wrong in'],
  ])('one %s', async (_, text, message) => {
    const file = join(newFolder(), 'a.har')
    await writeFile(file, text)
    const { code, err } = await ended(['scenario-from', file])
    expect(code).toBe(message.startsWith('Nothing') ? 1 : 2)
    expect(err).toContain(message)
  })
})

test.each(['recording', 'HAR file'])('a %s without calls is said to have none', async (kind) => {
  const file = join(newFolder(), 'empty')
  if (kind === 'recording') await ended(['exec', '--record', file, '--', process.execPath, '-v'])
  else await writeFile(file, har([]))
  const none = `backlot: ${file} holds no calls of the service.\n`
  expect(await endedHere(['scenario-from', file])).toEqual({ code: 1, out: '', err: none })
})

describe('what cannot be done says why', () => {
  test.each([
    ['--test without a place', ['--test'], '--test writes beside the scenario'],
    ['an account that is not in it', ['--account', '0123456789ab'], 'has no account 0123456789ab'],
    ['a place that cannot be written to', ['-o', '/no/such/folder/x.yaml'], 'cannot be written'],
  ])('%s', async (_, options, message) => {
    const file = await recorded(newFolder())
    const { code, err } = await ended(['scenario-from', file, ...options])
    expect({ code, err }).toEqual({ code: 2, err: expect.stringContaining(message) })
  })
})
