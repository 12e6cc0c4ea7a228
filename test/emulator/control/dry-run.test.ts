import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type RunningEmulator, startEmulator } from '../../../src/index.js'

let emulator: RunningEmulator
beforeAll(async () => {
  emulator = await startEmulator({ clock: 'paused' })
})
afterAll(() => emulator.stop())

const TASKS = '/provB/api/v3/contents/generations/tasks'
const video = { model: 'videoa-2-0-260128', content: [{ type: 'text', text: 'a lighthouse' }] }

interface Answer {
  readonly status: number
  readonly operation: string | null
  readonly refusedBy: readonly Readonly<Record<string, unknown>>[]
  readonly warnings: readonly string[]
  readonly explanation: readonly string[]
  readonly answer: unknown
  readonly at: string
  readonly scenario: { readonly acted: { readonly scenario: string } | null } | null
  readonly task: { readonly id: string; readonly timeline: readonly unknown[]; readonly price: number } | null
  readonly asset: { readonly id: string } | null
  readonly error: { readonly code: string; readonly message: string }
}

const dryRun = async (key: string, input: object): Promise<Answer> => {
  const response = await fetch(`${emulator.url}/_backlot/dry-run`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${key}` },
    body: JSON.stringify(input),
  })
  return (await response.json()) as Answer
}

const send = async (key: string, body: object) => {
  const headers = { Authorization: `Bearer ${key}` }
  const response = await fetch(emulator.url + TASKS, { method: 'POST', headers, body: JSON.stringify(body) })
  return { status: response.status, answer: (await response.json()) as { id: string } }
}

/** Everything of an account that a call could change. */
const stateOf = async (key: string) => {
  const account = emulator.account(key)
  const response = await fetch(`${emulator.url}/_backlot/state`, {
    headers: { Authorization: `Bearer ${key}` },
  })
  return {
    state: await response.json(),
    requests: await account.requests.list(),
    steps: await account.scenario.steps(),
    clock: await account.clock.read(),
  }
}

describe('a dry run', () => {
  test('says what would be made, and the call then makes the same', async () => {
    const dry = await dryRun('made', { operation: 'b-video-task.create', body: video })
    expect(dry).toMatchObject({ status: 200, operation: 'b-video-task.create', refusedBy: [] })
    expect(dry.task).toMatchObject({
      family: 'b-video-task',
      status: 'queued',
      order: { prompt: 'a lighthouse' },
    })
    expect(dry.task?.timeline).toHaveLength(3)
    const { answer } = await send('made', video)
    expect(answer.id).toBe(dry.task?.id)
    expect(dry.answer).toEqual(answer)
  })

  test('names results at the address of the emulator, or at the Host header of the call', async () => {
    const input = { messages: [{ role: 'user', content: [{ text: 'a lighthouse' }] }] }
    const call = { operation: 'a-image.create', body: { model: 'alpha-image-3.0-pro', input } }
    const urlIn = ({ answer }: Answer) => /"image":"(https?:[^"]*)"/.exec(JSON.stringify(answer))?.[1]
    expect(urlIn(await dryRun('address', call))).toContain(`${emulator.url}/results/`)
    const headers = { Host: 'emulator.test:81' }
    expect(urlIn(await dryRun('address', { ...call, headers }))).toContain('http://emulator.test:81/results/')
  })

  test('says every rule that refuses, with field, value and place', async () => {
    const { status, refusedBy, explanation, task } = await dryRun('refused', {
      operation: 'b-video-task.create',
      body: { ...video, duration: 99 },
    })
    expect([status, task]).toEqual([400, null])
    expect(refusedBy[0]).toMatchObject({ field: 'duration', found: 99 })
    expect(refusedBy[0]?.place).not.toBe('')
    expect(explanation.join(' ')).toContain('duration')
  })

  test('changes nothing of the account', async () => {
    const account = emulator.account('unchanged')
    await account.scenario.play('rate-limit-burst')
    await send('unchanged', video)
    const before = await stateOf('unchanged')
    for (const body of [video, { ...video, duration: 99 }, {}]) {
      await dryRun('unchanged', { operation: 'b-video-task.create', body })
      await dryRun('unchanged', {
        operation: 'b-video-task.create',
        body,
        headers: { 'X-Backlot-Scenario': 'queue-full' },
      })
    }
    await dryRun('unchanged', { operation: 'a-image.create', body: { model: 'alpha-image', input: {} } })
    await dryRun('unchanged', { operation: 'b-video-task.list' })
    await dryRun('unchanged', {
      operation: 'd-assets.upload',
      fields: { group_id: 'g' },
      fixture: 'landscape.jpg',
    })
    expect(await stateOf('unchanged')).toEqual(before)
  })

  test('has what scenarios would do, and counts none of their steps', async () => {
    await emulator.account('scenario').scenario.play('rate-limit-burst')
    for (let time = 0; time < 5; time += 1) {
      const { status, scenario } = await dryRun('scenario', { operation: 'b-video-task.create', body: video })
      expect([status, scenario?.acted?.scenario]).toEqual([429, 'rate-limit-burst'])
    }
    expect((await send('scenario', video)).status).toBe(429)
  })

  test('takes the method and the path of a call in place of its operation', async () => {
    const { answer } = await send('path', video)
    const read = await dryRun('path', { method: 'get', path: `${TASKS}/${answer.id}` })
    expect(read).toMatchObject({ status: 200, operation: 'b-video-task.read', answer: { id: answer.id } })
    const params = { id: answer.id }
    expect(await dryRun('path', { operation: 'b-video-task.read', params })).toMatchObject({ status: 200 })
    expect(await dryRun('path', { method: 'GET', path: '/v1/video' })).toMatchObject({
      status: 404,
      operation: null,
    })
  })

  test('takes the query in the path, as fields of its own, or both; a path alone is asked for with GET', async () => {
    const refused = async (input: object) =>
      (await dryRun('query', input)).refusedBy.map(({ field }) => field)
    const query = { page_size: '0' }
    expect(await refused({ operation: 'b-video-task.list', query })).toEqual(['page_size'])
    expect(await refused({ path: `${TASKS}?page_num=0` })).toEqual(['page_num'])
    expect(await refused({ path: `${TASKS}?page_num=0`, query })).toEqual(['page_num', 'page_size'])
  })

  test('refuses a path that is none', async () => {
    expect(await dryRun('path', { method: 'GET', path: 'v1/videos' })).toMatchObject({
      error: { message: 'path must be a path that begins with /, found "v1/videos".' },
    })
  })

  test('reads a text that is no JSON as the service does', async () => {
    const { status, refusedBy } = await dryRun('text', {
      operation: 'b-video-task.create',
      text: '{"model": ',
    })
    expect(status).toBe(400)
    expect(String(refusedBy[0]?.message)).toContain('not valid JSON')
  })

  test('warns of what the service would not know of the headers, as the call does', async () => {
    const headers = { Authorization: 'Token my-key', 'Idempotency-Key': 'order-1' }
    const { warnings } = await dryRun('headers', { operation: 'b-video-task.create', body: video, headers })
    expect(warnings).toEqual([
      expect.stringContaining('Authorization is not `Bearer KEY`'),
      expect.stringContaining('does not know the header Idempotency-Key'),
    ])
  })

  test('of a call without a key is refused for that', async () => {
    const { status } = await dryRun('keyless', { operation: 'b-video-task.create', body: video, key: '' })
    expect(status).toBe(401)
  })

  test('reads the media of the body, and the file of a form', async () => {
    const upload = (fixture: string) =>
      dryRun('media', { operation: 'd-assets.upload', fields: { group_id: 'g' }, fixture })
    expect(await upload('landscape.jpg')).toMatchObject({ status: 200, asset: { id: expect.any(String) } })
    expect((await dryRun('media', { operation: 'd-assets.upload', fields: { group_id: 'g' } })).status).toBe(
      400,
    )
    const content = [
      ...video.content,
      { type: 'image_url', image_url: { url: `${emulator.url}/_backlot/fixtures/none.jpg` } },
    ]
    const { status, refusedBy } = await dryRun('media', {
      operation: 'b-video-task.create',
      body: { ...video, content },
    })
    expect(status).toBe(400)
    expect(String(refusedBy[0]?.field)).toContain('content[1]')
  })

  test('reads a file that is given as Base64, under its own name', async () => {
    const upload = async (name: string, bytes: Uint8Array) =>
      dryRun('file', {
        operation: 'd-assets.upload',
        file: { name, base64: Buffer.from(bytes).toString('base64') },
      })
    const picture = await readFile('fixtures/media/landscape.jpg')
    expect(await upload('mine.jpg', picture)).toMatchObject({
      status: 200,
      asset: { id: expect.any(String) },
    })
    expect(await upload('mine.jpg', picture.subarray(0, 2))).toMatchObject({ status: 400 })
    expect(await upload(`${'m'.repeat(65)}.jpg`, picture)).toMatchObject({ status: 400 })
  })

  test.each([
    [
      'a file that is no Base64',
      { operation: 'd-assets.upload', file: { name: 'a', base64: '?' } },
      'bad-input',
    ],
    ['neither operation nor path', {}, 'bad-input'],
    ['a download without the path of a result', { operation: 'results.download' }, 'bad-input'],
    [
      'a sample medium that there is not',
      { operation: 'd-assets.upload', fixture: 'landscap.jpg' },
      'no-such-fixture',
    ],
    ['an operation that there is not', { operation: 'b-video-task.creat' }, 'unknown-operation'],
    ['a key that there is not', { operation: 'b-video-task.create', bodi: {} }, 'bad-input'],
  ])('%s is a sentence', async (_, input, code) => {
    expect((await dryRun('mistakes', input)).error.code).toBe(code)
  })
})

test('on an on-poll clock, a dry query has the answer of the moment to which a query would move it', async () => {
  const other = await startEmulator({ clock: 'on-poll' })
  try {
    const account = other.account('default')
    const response = await fetch(other.url + TASKS, {
      method: 'POST',
      headers: { Authorization: 'Bearer default' },
      body: JSON.stringify(video),
    })
    const { id } = (await response.json()) as { id: string }
    const before = await account.clock.read()
    const dry = await fetch(`${other.url}/_backlot/dry-run`, {
      method: 'POST',
      body: JSON.stringify({ operation: 'b-video-task.read', params: { id } }),
    })
    expect(await dry.json()).toMatchObject({ at: before.next, answer: { status: 'running' } })
    expect(await account.clock.read()).toEqual(before)
  } finally {
    await other.stop()
  }
})

test('a dry run meets a step that is about a header, as the call does', async () => {
  await using own = await startEmulator({
    clock: 'paused',
    scenario: {
      name: 'by-header',
      description: 'Calls of one client are refused.',
      steps: [
        {
          when: { operation: 'b-video-task.create', header: 'x-client' },
          then: { answer: { error: 'ServerOverloaded' } },
        },
      ],
    },
  })
  const headers = { Authorization: 'Bearer k', 'X-Client': 'old' }
  const body = JSON.stringify({
    operation: 'b-video-task.create',
    headers: { 'X-Client': 'old' },
    body: video,
  })
  const dry = (await (
    await fetch(`${own.url}/_backlot/dry-run`, { method: 'POST', headers, body })
  ).json()) as Answer
  const sent = await fetch(own.url + TASKS, { method: 'POST', headers, body: JSON.stringify(video) })
  expect(dry.status).toBe(sent.status)
  expect(dry.scenario?.acted?.scenario).toBe('by-header')
})

test('a dry run names results as the call does where there is a public URL', async () => {
  await using own = await startEmulator({ clock: 'paused', publicUrl: 'http://Backlot.test:80/base/' })
  const image = {
    model: 'alpha-image-3.0-pro',
    input: { messages: [{ role: 'user', content: [{ text: 'a' }] }] },
  }
  const headers = { Authorization: 'Bearer k' }
  const body = JSON.stringify({ operation: 'a-image.create', body: image })
  const dry = await (await fetch(`${own.url}/_backlot/dry-run`, { method: 'POST', headers, body })).json()
  expect(JSON.stringify(dry)).toContain('http://backlot.test/base/results/')
})

test('a dry run of a call before which a scenario moves the clock is decided after that', async () => {
  const account = emulator.account('jumping')
  const { now } = await account.change({ limits: { tasksInFlight: 1 } }).then(() => account.clock.read())
  expect((await send('jumping', video)).status).toBe(200)
  const call = { operation: 'b-video-task.create', body: video }
  expect((await dryRun('jumping', call)).status).toBe(429)
  await account.scenario.play({
    name: 'an-hour-passes',
    description: 'An hour passes before each create.',
    steps: [{ when: { operation: 'b-video-task.create' }, then: { clock: { jump: '1h' } } }],
  })
  const dry = await dryRun('jumping', call)
  expect([dry.status, Date.parse(dry.at) - Date.parse(now)]).toEqual([200, 3_600_000])
  expect((await account.clock.read()).now).toBe(now)
  expect((await send('jumping', video)).status).toBe(200)
})

test('a dry query that moves an on-poll clock, and before which a scenario moves it too, is decided after both', async () => {
  const account = emulator.account('polling')
  const { id } = (await send('polling', video)).answer
  await account.clock.change({ mode: 'on-poll' })
  await account.scenario.play({
    name: 'a-moment-passes',
    description: 'A moment passes before each query.',
    steps: [{ when: { operation: 'b-video-task.read' }, then: { clock: { jump: '100ms' } } }],
  })
  const dry = await dryRun('polling', { operation: 'b-video-task.read', params: { id } })
  await fetch(`${emulator.url}${TASKS}/${id}`, { headers: { Authorization: 'Bearer polling' } })
  expect(dry.at).toBe((await account.clock.read()).now)
})

test('a dry run on a clock before 1970 is decided at the time of that clock', async () => {
  await using own = await startEmulator({ clock: 'paused', startAt: '1960-01-01T00:00:00Z' })
  const body = JSON.stringify({ operation: 'b-video-task.create', body: video })
  const headers = { Authorization: 'Bearer k' }
  const dry = await fetch(`${own.url}/_backlot/dry-run`, { method: 'POST', headers, body })
  expect(((await dry.json()) as Answer).at).toBe('1960-01-01T00:00:00.000Z')
})
