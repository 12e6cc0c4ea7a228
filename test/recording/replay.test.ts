import { readFile } from 'node:fs/promises'
import { describe, expect, test } from 'vitest'
import type { EmulatorSettings } from '../../src/generated/emulator-settings.js'
import { parseRecording } from '../../src/traffic/parse.js'
import {
  differing,
  expectSame,
  fixture,
  image,
  KEY,
  openSession,
  paths,
  replayed,
  type Session,
  serve,
  text,
  videoTask,
} from './session.js'

test('a session of every kind of call is answered the same again', async () => {
  const { client, saved, emulator } = await openSession()
  const picture = await client.post(paths.image, image())
  const { id } = (await client.post(paths.tasks, videoTask())).body
  await client.get(`${paths.tasks}/${id}`)
  const done = (await client.get(`${paths.tasks}/${id}`)).body
  await client.get(picture.body.output.choices[0].message.content[0].image, { range: 'bytes=0-99' })
  await client.get(done.content.video_url)
  await client.head(done.content.video_url)
  const unchanged = { 'if-none-match': '*', 'cache-control': 'no-cache' }
  expect((await client.get(done.content.video_url, unchanged)).status).toBe(304)
  expect((await client.get(done.content.video_url, { 'if-none-match': '"another"' })).status).toBe(200)
  expect((await client.get(done.content.video_url, { 'if-match': '"another"' })).status).toBe(412)
  await client.get(`${paths.tasks}?page_size=5&filter.status=succeeded`)
  await client.post(paths.tasks, { model: 'nobody-has-this' })
  await client.post(paths.tasks, videoTask({ duration: 99 }))
  await client.get('/no/such/path')
  await client.delete(`${paths.tasks}/${id}`)
  await client.get(`${paths.tasks}/${id}`)
  await client.get(done.content.video_url)
  await emulator.account(KEY).clock.advance('8d')
  await client.post(paths.videos, { model: 'beta2.7-r2v', prompt: 'a', subject_reference: [] })
  const { calls } = await expectSame(await saved())
  expect(calls).toBe(18)
})

describe('clocks', () => {
  test.each(['paused', 'on-poll', 'live'] as const)('a session on a %s clock', async (clock) => {
    const { client, saved, emulator } = await openSession({ clock, timing: 'fast' })
    const account = emulator.account(KEY)
    const { id } = (await client.post(paths.tasks, videoTask())).body
    await client.get(`${paths.tasks}/${id}`)
    await account.clock.advance({ to: 'next' })
    await client.get(`${paths.tasks}/${id}`)
    await account.clock.advance({ to: 'idle' })
    await client.get(`${paths.tasks}/${id}`)
    await account.clock.change({ mode: 'on-poll' })
    const second = (await client.post(paths.tasks, videoTask())).body.id
    await client.get(`${paths.tasks}/${second}`)
    await expectSame(await saved())
  })

  test('an account whose clock was put to another time begins there again', async () => {
    const { client, saved, emulator } = await openSession({ clock: 'paused' })
    await emulator.account(KEY).clock.change({ now: '2031-05-06T07:08:09.010Z' })
    const { id } = (await client.post(paths.tasks, videoTask())).body
    expect(id).toMatch(/^cgt-20310506070809-/)
    await expectSame(await saved())
  })

  test('a live clock that was stopped at an earlier time is stopped there again', async () => {
    const { client, saved, emulator } = await openSession({ clock: 'live' })
    await emulator.account(KEY).clock.change({ mode: 'on-poll', now: '2026-01-01T00:00:00.000Z' })
    const { id } = (await client.post(paths.tasks, videoTask())).body
    expect(id).toMatch(/^cgt-20260101000000-/)
    await client.get(`${paths.tasks}/${id}`)
    await expectSame(await saved())
  })

  test('a snapshot that was restored takes the clock back again', async () => {
    const { client, saved, emulator } = await openSession({ clock: 'on-poll' })
    const account = emulator.account(KEY)
    const before = await account.snapshot()
    for (const restore of [() => account.restore(before), () => Promise.resolve()]) {
      const { id } = (await client.post(paths.tasks, videoTask())).body
      await client.get(`${paths.tasks}/${id}`)
      await account.clock.advance('1h')
      await client.get(`${paths.tasks}/${id}`)
      await restore()
    }
    await expectSame(await saved())
  })
})

describe('accounts', () => {
  test('each is played by a key of its nature', async () => {
    const { as, saved, emulator } = await openSession()
    const exp = Date.UTC(2026, 0, 1, 1) / 1_000
    const token = `e30.${Buffer.from(JSON.stringify({ exp })).toString('base64url')}.sig`
    for (const key of [
      'no-balance-of-mine',
      'no-agreement-here',
      'rate-limited-1',
      'invalid-one',
      token,
      undefined,
    ])
      await as(key).post(paths.tasks, videoTask())
    await emulator.account(token).clock.advance('61m')
    expect((await as(token).post(paths.tasks, videoTask())).status).toBe(401)
    expect((await expectSame(await saved())).calls).toBe(7)
  })

  test('with configured accounts, other keys are refused again and the balances are the same', async () => {
    const { as, saved } = await openSession({ account: ['listed-key', { key: 'poor-key', balance: 0 }] })
    const statuses = []
    for (const key of ['listed-key', 'poor-key', 'stranger'])
      statuses.push((await as(key).post(paths.tasks, videoTask())).status)
    expect(statuses).toEqual([200, 403, 401])
    await expectSame(await saved())
  })

  test('changes of an account come at the same place', async () => {
    const { client, saved, emulator } = await openSession()
    const account = emulator.account(KEY)
    await account.change({ limits: { requestsPerMinute: 1 } })
    await client.post(paths.tasks, videoTask())
    expect((await client.post(paths.tasks, videoTask())).status).toBe(429)
    await account.change({ limits: { requestsPerMinute: null }, balance: 0 })
    expect((await client.post(paths.tasks, videoTask())).status).toBe(403)
    await expectSame(await saved())
  })

  test('a forced task is forced again', async () => {
    const { client, saved, emulator } = await openSession({ clock: 'live' })
    const { id } = (await client.post(paths.tasks, videoTask())).body
    await emulator.account(KEY).tasks.fail(id, 'OutputVideoSensitiveContentDetected')
    expect((await client.get(`${paths.tasks}/${id}`)).body.status).toBe('failed')
    await expectSame(await saved())
  })

  test('a task that is held where it is goes on until then', async () => {
    const { client, saved, emulator } = await openSession({ clock: 'paused' })
    const account = emulator.account(KEY)
    const { id } = (await client.post(paths.videos, { model: 'videoa-2-0-260128', media: [text()] })).body
    await account.clock.advance({ to: 'next' })
    await account.clock.advance('1s')
    expect((await client.get(`${paths.videos}/${id}`)).body.progress).toBeGreaterThan(0)
    await account.tasks.force(id, 'running')
    await expectSame(await saved())
  })

  test('calls that overlapped keep their request ids', async () => {
    const { client, saved } = await openSession()
    const slow = await serve(async (_request, response) => {
      // The other call is decided while this medium is on its way.
      await client.post(paths.tasks, videoTask())
      response.end(await fixture('landscape.jpg'))
    })
    const url = { type: 'image_url', image_url: { url: `${slow}/slow.jpg` } }
    await client.post(paths.tasks, videoTask({ content: [text(), url] }))
    await client.get(paths.tasks)
    expect((await expectSame(await saved())).calls).toBe(3)
  })
})

describe('what is done while a call waits', () => {
  /** A server that answers no request before it is told to. */
  const holding = async (answer: (sent: string) => string | Buffer, isHeld: (sent: string) => boolean) => {
    let hold = () => {}
    let release = () => {}
    const held = new Promise<void>((resolve) => {
      hold = resolve
    })
    const released = new Promise<void>((resolve) => {
      release = resolve
    })
    const url = await serve(async (request, response) => {
      let sent = ''
      for await (const chunk of request) sent += chunk
      if (isHeld(sent)) {
        hold()
        await released
      }
      response.end(answer(sent))
    })
    return { url, held, release }
  }

  test('a change comes after a create that was decided before and answered later', async () => {
    const { url, held, release } = await holding(
      (sent) => sent,
      (sent) => !sent.includes('challenge'),
    )
    const { client, saved, emulator } = await openSession({ clock: 'paused' })
    const when = { operation: 'f-video-v2.create', callback: { status: 'queued' } }
    await emulator.account(KEY).scenario.play({
      name: 'mine',
      says: 'A callback comes before the answer.',
      steps: [{ when, then: { callback: { beforeAnswer: true } } }],
    } as never)
    const create = client.post(paths.second, {
      ...{ model: 'gamma-H3', content: [text()], duration: 5 },
      callback_url: `${url}/hook`,
    })
    await held
    await emulator.account(KEY).change({ balance: 0 })
    release()
    expect((await create).status).toBe(200)
    await expectSame(await saved())
  })

  test('a redelivery comes before what is changed while it is on its way', async () => {
    let isAgain = false
    const { url, held, release } = await holding(
      (sent) => sent,
      () => isAgain,
    )
    const { client, saved, emulator } = await openSession({ clock: 'paused' })
    const account = emulator.account(KEY)
    await client.post(paths.second, {
      ...{ model: 'gamma-H3', content: [text()], duration: 5 },
      callback_url: `${url}/hook`,
    })
    await account.clock.advance('1h')
    const [{ id = '' } = {}] = await account.callbacks.list({ status: 'succeeded' })
    isAgain = true
    const again = account.callbacks.redeliver(id)
    await held
    await account.change({ balance: 0 })
    release()
    await again
    const recording = await saved()
    const controls = parseRecording(recording).lines.flatMap(({ line }) =>
      'action' in line ? line.action : [],
    )
    expect(controls).toEqual(['clock.advance', 'callbacks.redeliver', 'account.change'])
    await expectSame(recording)
  })

  test('a call whose medium is fetched is made when the clock says what it said at the decision', async () => {
    const png = await fixture('square.png')
    const { url, held, release } = await holding(
      () => png,
      () => true,
    )
    const { client, saved, emulator } = await openSession({ clock: 'paused' })
    const content = [{ image: `${url}/a.png` }, { text: 'a lighthouse' }]
    const create = client.post(paths.image, image({ input: { messages: [{ role: 'user', content }] } }))
    await held
    await emulator.account(KEY).clock.advance('1m')
    release()
    expect((await create).status).toBe(200)
    await expectSame(await saved())
  })
})

describe('bodies that could not be read', () => {
  test('broken JSON is sent again as it was', async () => {
    const { client, saved } = await openSession()
    await client.post(paths.tasks, '{"model": "videoa-2-0-260128", ')
    await expectSame(await saved())
  })

  test('a body that was too large is declared again', async () => {
    const { client, saved } = await openSession({ videoBodyBytes: 2_000 })
    expect((await client.post(paths.tasks, videoTask({ content: [text('x'.repeat(3_000))] }))).status).toBe(
      413,
    )
    await expectSame(await saved())
  })

  test('a file that was too large is declared again, larger than is read of a form', async () => {
    const limit = { assetImageBytes: 1_000, assetVideoBytes: 1_000, assetAudioBytes: 1_000 }
    const { client, saved } = await openSession(limit)
    expect((await client.upload('a.png', Buffer.alloc(1_001))).body.msg).toContain('larger than 1000 bytes')
    await expectSame(await saved())
  })

  test('only the status is compared of a body that was not kept', async () => {
    const { client, saved } = await openSession()
    await client.upload('a', Buffer.alloc(10), { x: 'y'.repeat(70_000) })
    const report = await expectSame(await saved())
    expect(report.statusOnly).toBe(1)
  })
})

describe('callbacks', () => {
  const second = (url: string) => ({
    ...{ model: 'gamma-H3', content: [text()], duration: 5 },
    callback_url: url,
  })

  test('a replay calls no receiver and gives the same answers', async () => {
    let calls = 0
    const receiver = await serve((request, response) => {
      calls += 1
      let sent = ''
      request.on('data', (chunk) => {
        sent += chunk
      })
      // The first delivery is refused once.
      request.on('end', () => response.writeHead(calls === 2 ? 500 : 200).end(sent))
    })
    const { client, saved, emulator } = await openSession({ clock: 'paused' })
    const { task_id } = (await client.post(paths.second, second(`${receiver}/hook`))).body
    await emulator.account(KEY).clock.advance({ to: 'idle' })
    await client.get(`/provC/v2/query/video_generation/${task_id}`)
    const before = calls
    expect(before).toBe(5)
    const { callbacks } = await expectSame(await saved())
    expect({ callbacks, calls }).toEqual({ callbacks: 4, calls: before })
  })

  test.each([
    [404, 'not found'],
    [200, 'no challenge'],
  ])(
    'a callback whose challenge was answered with %i and not returned is skipped again',
    async (status, body) => {
      const receiver = await serve((_request, response) => response.writeHead(status).end(body))
      const { client, saved, emulator } = await openSession({ clock: 'paused' })
      await client.post(paths.second, second(`${receiver}/hook`))
      await emulator.account(KEY).clock.advance({ to: 'idle' })
      const recording = await saved()
      expect(recording).toContain('"state":"skipped"')
      await expectSame(recording)
    },
  )
})

describe('differences are named', () => {
  const recorded = async (act?: (session: Session) => Promise<unknown>): Promise<string> => {
    const session = await openSession({ clock: 'paused' })
    const { id } = (await session.client.post(paths.tasks, videoTask())).body
    await session.client.get(`${paths.tasks}/${id}`)
    await act?.(session)
    return session.saved()
  }

  test.each([
    ['a field of an answer', ['"ratio":"16:9"', '"ratio":"1:1"'], [['b-video-task.read', 'ratio']]],
    [
      'a status',
      ['"answer":{"status":200,"json":{"id":"cgt-', '"answer":{"status":201,"json":{"id":"cgt-'],
      [['b-video-task.create', 'status']],
    ],
    [
      'a field that was there',
      ['"draft":false,', '"draft":false,"more":1,'],
      [['b-video-task.read', 'more']],
    ],
    ['a field that was not', ['"draft":false,', ''], [['b-video-task.read', 'draft']]],
    [
      'the order of fields',
      ['"draft":false,"priority":0', '"priority":0,"draft":false'],
      [['b-video-task.read', 'body']],
    ],
    [
      'a request id',
      [
        /"id":"(\w+-\w+-\w+-\w+-\w+)","operation":"b-video-task.read"/,
        '"id":"other","operation":"b-video-task.read"',
      ],
      [['b-video-task.read', 'headers.x-request-id']],
    ],
  ] as const)('%s', async (_, [from, to], expected) => {
    const recording = await recorded()
    const changed = recording.replace(from, to)
    expect(changed).not.toBe(recording)
    expect(differing(await replayed(changed))).toEqual(expected)
  })

  test.each([
    ['its body', ['"body":{"id":', '"body":{"more":1,"id":'], 'body.more'],
    ['its outcome', ['"state":"delivered"', '"state":"failed"'], 'state'],
    ['its attempts', [/"attempts":\[(\{[^}]*\})\]/, '"attempts":[$1,$1]'], 'attempts'],
  ] as const)('a callback: %s', async (_, [from, to], path) => {
    const recording = await recorded(async ({ client, emulator }) => {
      await client.post(paths.tasks, videoTask({ callback_url: emulator.inbox('hook').url }))
      await emulator.account(KEY).clock.advance({ to: 'idle' })
    })
    const changed = recording.replace(from, to)
    expect(changed).not.toBe(recording)
    expect(differing(await replayed(changed))).toContainEqual(['callback', path])
  })

  test('another seed changes what follows from it', async () => {
    const changed = (await recorded()).replace('"seed":1,"settings"', '"seed":2,"settings"')
    const [create, read] = differing(await replayed(changed))
    expect(create).toEqual(['b-video-task.create', 'headers.x-request-id', 'id'])
    expect(read?.[0]).toBe('b-video-task.read')
  })

  test('a setting', async () => {
    const changed = (await recorded()).replace('"strict":false', '"strict":true')
    expect(
      differing(await replayed(changed.replaceAll('"duration":4,', '"duration":4,"odd":1,')))[0],
    ).toEqual(expect.arrayContaining(['b-video-task.create', 'status']))
  })

  test('something that was done to an account and cannot be done any more', async () => {
    const recording = await recorded(async ({ emulator, client }) => {
      const { items } = (await client.get(paths.tasks)).body
      await emulator.account(KEY).tasks.fail(items[0].id, 'InternalServiceError')
    })
    const changed = recording.replace('"error":"InternalServiceError"', '"error":"NoSuchError"')
    expect(differing(await replayed(changed))).toContainEqual(['control', 'tasks.force'])
  })
})

test('a reset begins the account anew, in the recording as it did', async () => {
  const { client, saved, emulator } = await openSession({ clock: 'paused' })
  await client.post(paths.tasks, videoTask())
  await emulator.account(KEY).reset()
  await client.post(paths.tasks, videoTask())
  const recording = await saved()
  expect(recording.match(/"kind":"call"/g)).toHaveLength(1)
  await expectSame(recording)
})

test('a result that was fetched after the reset of its account, which opened again, is missing again', async () => {
  const { client, as, saved, emulator } = await openSession({ clock: 'paused' })
  const { body } = await client.post(paths.image, image())
  await emulator.account(KEY).reset()
  const [url = ''] = JSON.stringify(body).match(/\/results\/[^"]+/) ?? []
  expect((await as(undefined).get(url)).status).toBe(404)
  await client.post(paths.image, image())
  await expectSame(await saved())
})

test('a recording that begins in the middle says how many calls it lacks', async () => {
  const { client, saved } = await openSession({ journalEntries: 2 })
  for (let nth = 0; nth < 5; nth += 1) await client.get('/nothing')
  expect(await saved()).toContain('"lacks":3')
})

test('callbacks that the log had evicted are not missed, and those that it kept are compared', async () => {
  const { client, saved, emulator } = await openSession({ clock: 'paused', callbackLogEntries: 2 })
  const callback_url = emulator.account(KEY).inbox('hook').url
  for (let nth = 0; nth < 2; nth += 1) await client.post(paths.tasks, videoTask({ callback_url }))
  await emulator.account(KEY).clock.advance({ to: 'idle' })
  const recording = await saved()
  expect(recording).toContain('"lacksCallbacks":4')
  expect((await expectSame(recording)).callbacks).toBe(2)
})

test('a callback that comes and was not recorded is told', async () => {
  const { client, saved, emulator } = await openSession({ clock: 'paused' })
  const callback_url = emulator.account(KEY).inbox('hook').url
  await client.post(paths.tasks, videoTask({ callback_url }))
  await emulator.account(KEY).clock.advance({ to: 'idle' })
  const lines = (await saved()).split('\n')
  const first = lines.findIndex((line) => line.includes('"kind":"callback"'))
  expect(differing(await replayed(lines.toSpliced(first, 1).join('\n')))).toEqual([['callback', 'state']])
})

describe('recordings of before media had a folder', () => {
  test.each(['recorded', 'saved'])('%s.jsonl is replayed', async (name) => {
    const text = await readFile(new URL(`old/${name}.jsonl`, import.meta.url), 'utf8')
    const report = await expectSame(text)
    expect(report.calls).toBeGreaterThan(30)
    expect(report.callbacks).toBe(4)
  })

  test('a signature in hex that is another one is told', async () => {
    const text = await readFile(new URL('old/recorded.jsonl', import.meta.url), 'utf8')
    const other = text.replace(
      /(0\.png\?Expires=\d+&Signature=)([0-9a-f])(?=[0-9a-f]{39}")/,
      (_, before: string, digit: string) => before + (digit === '0' ? '1' : '0'),
    )
    expect(other).not.toBe(text)
    expect(differing(await replayed(other))).toEqual([
      ['a-image.create', 'output.choices[0].message.content[0].image'],
    ])
  })
})

describe('a recording of an emulator that signs with a secret of its own', () => {
  const settings: readonly [string, EmulatorSettings][] = [
    ['beyond loopback', { host: '0.0.0.0', controlToken: 'a-token-of-16-letters' }],
    ['with a setting', { signingSecret: 'a secret of the team' }],
  ]

  test.each(settings)('%s replays, downloads and forgeries included', async (_, given) => {
    const { client, emulator, saved } = await openSession({ clock: 'on-poll', ...given })
    const { id } = (await client.post(paths.tasks, videoTask())).body
    await emulator.account(KEY).clock.advance({ to: 'idle' })
    const { video_url: url } = (await client.get(`${paths.tasks}/${id}`)).body.content
    const local = url.slice(new URL(url).origin.length)
    const statuses = []
    for (const path of [
      local,
      `${local}&more=1`,
      local.replace(/.$/, (last: string) => (last === '0' ? '1' : '0')),
    ])
      statuses.push((await client.head(path)).status)
    expect(statuses).toEqual([200, 200, 403])
    // Other than the one that the recorded emulator has given out.
    const text = await saved()
    expect(text).toContain('Signature=')
    expect(text).not.toContain(new URL(url).searchParams.get('Signature'))
    const { calls, mismatches } = await replayed(text)
    expect([calls, mismatches]).toEqual([5, []])
  })
})
