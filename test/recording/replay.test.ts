import { readFile } from 'node:fs/promises'
import { describe, expect, test } from 'vitest'
import type { EmulatorSettings } from '../../src/generated/emulator-settings.js'
import { parseRecording } from '../../src/recording/parse.js'
import {
  differing,
  KEY,
  openSession,
  paths,
  replayed,
  type Session,
  serve,
  text,
  videoTask,
} from './session.js'

const fixture = (name: string) => readFile(new URL(`../../fixtures/media/${name}`, import.meta.url))

const image = (change: object = {}) => ({
  model: 'alpha-image-3.0-pro',
  input: { messages: [{ role: 'user', content: [{ text: 'a lighthouse' }] }] },
  parameters: { size: '512*512' },
  ...change,
})

const expectSame = async (recording: string, file?: string) => {
  const report = await replayed(recording, file)
  expect(report.mismatches).toEqual([])
  return report
}

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

describe('media', () => {
  test('Base64 of a fixture, and of anything else', async () => {
    const { client, saved, file } = await openSession()
    const given = async (bytes: Buffer) =>
      client.post(
        paths.tasks,
        videoTask({
          content: [
            text(),
            { type: 'image_url', image_url: { url: `data:image/png;base64,${bytes.toString('base64')}` } },
          ],
        }),
      )
    const other = Buffer.concat([await fixture('square.png'), Buffer.from('and more')])
    const ids = [(await given(await fixture('square.png'))).body.id, (await given(other)).body.id]
    expect((await given(Buffer.from('no picture at all'))).status).toBe(400)
    for (const id of ids) {
      await client.get(`${paths.tasks}/${id}`)
      const { content } = (await client.get(`${paths.tasks}/${id}`)).body
      await client.get(content.video_url)
    }
    const recording = await saved()
    await expectSame(recording, file)
    await expectSame(recording)
  })

  test('a body that is larger than the journal keeps is sent again without its media', async () => {
    const { client, saved, file } = await openSession()
    const bytes = Buffer.concat([await fixture('landscape.jpg'), Buffer.alloc(900_000)])
    const url = `data:image/jpeg;base64,${bytes.toString('base64')}`
    const { status } = await client.post(
      paths.tasks,
      videoTask({ content: [text(), { type: 'image_url', image_url: { url } }] }),
    )
    expect(status).toBe(200)
    const recording = await saved()
    expect(recording.length).toBeLessThan(5_000)
    await expectSame(recording, file)
    await expectSame(recording)
  })

  test('URLs of other servers, whether there was something behind them or not', async () => {
    const { client, saved, file } = await openSession()
    const bytes = await fixture('portrait.jpeg')
    const elsewhere = await serve((request, response) => {
      if (request.url?.startsWith('/there')) response.end(bytes)
      else response.writeHead(404).end()
    })
    const given = (path: string) =>
      client.post(
        paths.tasks,
        videoTask({ content: [text(), { type: 'image_url', image_url: { url: `${elsewhere}${path}` } }] }),
      )
    const { id } = (await given('/there.jpeg?signature=abc123def')).body
    expect((await given('/gone.jpeg')).status).toBe(400)
    await client.get(`${paths.tasks}/${id}`)
    await client.get((await client.get(`${paths.tasks}/${id}`)).body.content.video_url)
    const recording = await saved()
    expect(recording).not.toContain('abc123def')
    await expectSame(recording, file)
    await expectSame(recording)
  })

  test.each(['https', 'ftp'])('a refused %s URL that holds credentials', async (scheme) => {
    const { client, saved } = await openSession()
    await client.post(paths.tasks, { model: `${scheme}://user:abc123def@h.test/a.png?token=abc123def&w=1` })
    const recording = await saved()
    expect(recording).not.toContain('abc123def')
    await expectSame(recording)
  })

  test.each([
    'https://user:hunter2@cdn.example.com/results/me.png?X-Amz-Signature=SECRETSIG',
    ' https://user:hunter2@cdn.example.com/me.png?token=SECRETSIG',
    '//user:hunter2@cdn.example.com/me.png?token=SECRETSIG',
    'https:\\\\user:hunter2@cdn.example.com/me.png?token=SECRETSIG',
    'look at https://user:hunter2@cdn.example.com/me.png?token=SECRETSIG, please, and at nothing else at all',
  ])('credentials in %j stay in no recording, as a medium, a prompt and in refusals', async (url) => {
    const { client, saved, file } = await openSession({ fetchMedia: 'none', timing: 'instant' })
    await client.post(paths.videos, { model: 'beta2.7-r2v', prompt: 'a cat', image: [url] })
    await client.post(paths.tasks, { model: url })
    await client.post(paths.tasks, videoTask({ duration: url }))
    await client.post(paths.tasks, videoTask({ content: [{ type: 'image_url', image_url: { url } }] }))
    const { id } = (await client.post(paths.tasks, videoTask({ content: [text(url)] }))).body
    await client.get((await client.get(`${paths.tasks}/${id}`)).body.content.video_url)
    await client.post(paths.second, { ...{ model: 'gamma-H3', duration: 5 }, callback_url: url })
    const recording = await saved()
    expect(recording).not.toMatch(/hunter2|SECRETSIG/)
    await expectSame(recording, file)
  })

  test.each<[string, EmulatorSettings]>([
    ['the address that it listens on', {}],
    ['a public URL', { publicUrl: 'https://public.example.test' }],
    ['a public URL with a path', { publicUrl: 'https://public.example.test/video' }],
  ])('results as inputs and in prompts, by way of %s', async (_, settings) => {
    const { client, saved, file } = await openSession({ timing: 'instant', ...settings })
    const picture = (await client.post(paths.image, image())).body.output.choices[0].message.content[0].image
    const image_url = { url: picture }
    const content = [text(`as in ${picture}.`), { type: 'image_url', image_url }]
    const { id } = (await client.post(paths.tasks, videoTask({ content }))).body
    expect((await client.get(`${paths.tasks}/${id}`)).body.status).toBe('succeeded')
    expect((await client.post(paths.tasks, { model: `of ${picture}` })).status).toBe(404)
    const recording = await saved()
    expect(recording).toContain(
      `as in http://emulator.invalid${picture.slice(picture.indexOf('/results/'))}.`,
    )
    await expectSame(recording, file)
    await expectSame(recording)
  })

  test('a result that a call names by another name of the emulator', async () => {
    const { client, saved, file } = await openSession()
    const picture = (await client.post(paths.image, image())).body.output.choices[0].message.content[0].image
    const url = picture.replace('127.0.0.1', 'localhost')
    const content = [text(), { type: 'image_url', image_url: { url } }]
    expect((await client.post(paths.tasks, videoTask({ content }))).status).toBe(200)
    const recording = await saved()
    await expectSame(recording, file)
    await expectSame(recording)
  })

  test('uploads, and the assets that become of them', async () => {
    const { client, saved, file } = await openSession()
    const other = Buffer.concat([await fixture('landscape.jpg'), Buffer.from('and more')])
    const { task_id } = (await client.upload('mine "1".jpg', other, { group_id: 'g' })).body.data
    await client.upload('text.txt', Buffer.from('no medium'))
    await client.get(`${paths.resolve}?task_id=${task_id}`)
    const { asset_id } = (await client.get(`${paths.resolve}?task_id=${task_id}`)).body.data
    const frame = { type: 'image_url', image_url: { url: `asset://${asset_id}` }, role: 'first_frame' }
    const { status } = await client.post(paths.tasks, videoTask({ content: [text(), frame] }))
    expect(status).toBe(200)
    const recording = await saved()
    await expectSame(recording, file)
    await expectSame(recording)
  })

  test('the emulator’s own fixtures and results', async () => {
    const { client, saved, file, emulator } = await openSession()
    const picture = (await client.post(paths.image, image())).body.output.choices[0].message.content[0].image
    for (const url of [picture, `${emulator.url}/_backlot/fixtures/square.png`])
      await client.post(
        paths.tasks,
        videoTask({ content: [text(), { type: 'image_url', image_url: { url } }] }),
      )
    const recording = await saved()
    await expectSame(recording, file)
    await expectSame(recording)
  })
})

test('files of an older version of the renderer are replayed and not compared', async () => {
  const { client, saved } = await openSession()
  const picture = (await client.post(paths.image, image())).body.output.choices[0].message.content[0].image
  expect((await client.get(picture)).status).toBe(200)
  const otherFiles = (await saved()).replace(/"bytes":\d+/, '"bytes":7').replace(/(?<="etag":")[^,}]+/i, '7"')
  expect(differing(await replayed(otherFiles))).toEqual([['results.download', 'headers.etag', 'bytes']])
  await expectSame(otherFiles.replace(/"renderer":\d+/, '"renderer":1'))
})

test('files of a request with the key in it are replayed and not compared, and others are', async () => {
  const { client, saved } = await openSession({ timing: 'instant' })
  const download = async (prompt: string) => {
    const { id } = (await client.post(paths.tasks, videoTask({ content: [text(prompt)] }))).body
    const url = (await client.get(`${paths.tasks}/${id}`)).body.content.video_url
    expect((await client.get(url, { range: 'bytes=-9' })).status).toBe(206)
    expect((await client.get(url)).status).toBe(200)
    return url
  }
  await download(`a lighthouse with the letters ${KEY}`)
  await expectSame(await saved())
  const { pathname } = new URL(await download('a lighthouse'))
  const line = new RegExp(`^(.*"path":"${pathname}".*"bytes":)\\d+(?=\\}\\})`, 'gm')
  expect(differing(await replayed((await saved()).replace(line, '$17')))).toContainEqual([
    'results.download',
    'bytes',
  ])
})

test('parts and conditions of files that have other bytes in a replay are not compared', async () => {
  const { client, saved, file } = await openSession({ timing: 'instant' })
  const sent = `data:image/png;base64,${(await fixture('square.png')).toString('base64')}`
  const content = [text(), { type: 'image_url', image_url: { url: sent } }]
  const { id } = (await client.post(paths.tasks, videoTask({ content }))).body
  const url = (await client.get(`${paths.tasks}/${id}`)).body.content.video_url
  const etag = (await fetch(url, { method: 'HEAD' })).headers.get('etag') ?? ''
  expect((await client.get(url, { range: 'bytes=-9' })).status).toBe(206)
  expect((await client.get(url, { range: 'bytes=99999999-' })).status).toBe(416)
  expect((await client.get(url, { range: 'bytes=0-9', 'if-range': etag })).status).toBe(206)
  expect((await client.get(url, { 'if-match': etag })).status).toBe(200)
  const unchanged = { 'if-none-match': etag, 'cache-control': 'max-age=0' }
  expect((await client.get(url, unchanged)).status).toBe(304)
  const recording = await saved()
  await expectSame(recording, file)
  await expectSame(recording)
})

test('every condition of a request is kept, and decides the answer again', async () => {
  const { client, saved } = await openSession()
  const url = (await client.post(paths.image, image())).body.output.choices[0].message.content[0].image
  const etag = (await fetch(url, { method: 'HEAD' })).headers.get('etag') ?? ''
  const both = { 'if-match': etag, 'if-none-match': etag }
  const long = 'Thu, 01 Jan 1970 00:00:00 GMT'
  const conditions: [number, Record<string, string>][] = [
    [200, { range: 'bytes=0-9', 'if-range': '"another"', 'cache-control': 'max-age=0' }],
    [200, { ...both, 'cache-control': 'no-cache' }],
    [304, { ...both, 'cache-control': 'max-age=0' }],
    [200, { 'if-unmodified-since': long, 'cache-control': 'max-age=0' }],
    [200, { 'if-modified-since': long, 'cache-control': 'max-age=0' }],
  ]
  for (const [status, headers] of conditions) expect((await client.get(url, headers)).status).toBe(status)
  const recording = await saved()
  const calls = parseRecording(recording).lines.flatMap(({ line }) => (line.kind === 'call' ? [line] : []))
  expect(calls.slice(2).map(({ request }) => request.headers)).toEqual(
    conditions.map(([, headers]) => headers),
  )
  await expectSame(recording)
})

test('a header that a step asks for is sent again, without its value', async () => {
  const busy = { when: { header: 'X-Retry-Of' }, then: { answer: { status: 503 } } }
  const first = { when: { header: 'x-priority', nth: 1 }, then: { answer: { status: 504 } } }
  // With the value that is left out, no replay could send it.
  const empty = { when: { header: 'content-length', method: 'POST' }, then: { answer: { status: 505 } } }
  const trailers = { when: { header: 'TE' }, then: { answer: { status: 506 } } }
  const steps = [busy, first, empty, trailers]
  const scenario = { name: 'by-header', description: 'Headers decide.', steps }
  const { client, saved, emulator } = await openSession({ scenario })
  const asked = (headers: Record<string, string>) => client.get(paths.tasks, headers)
  expect((await asked({ 'x-retry-of': 'of-nobody-else' })).status).toBe(503)
  expect((await asked({ 'x-unknown': 'of-nobody-else' })).status).toBe(200)
  expect((await asked({ 'x-priority': 'of-nobody-else' })).status).toBe(504)
  expect((await asked({ 'x-priority': 'of-nobody-else' })).status).toBe(200)
  expect((await asked({ te: 'trailers' })).status).toBe(506)
  const posted = { method: 'POST', headers: { authorization: `Bearer ${KEY}` } }
  expect((await fetch(new URL(paths.tasks, emulator.url), posted)).status).toBe(505)
  const recording = await saved()
  expect(recording).not.toContain('of-nobody-else')
  expect(recording).not.toContain('x-unknown')
  await expectSame(recording)
})

test('a file is uploaded again under its name, whatever signs that has', async () => {
  const { client, saved } = await openSession()
  const png = await fixture('square.png')
  const upload = async (name: string) => (await client.upload(name, png, { 'a\n"b"': '\r\n' })).status
  expect(await upload('a"b;c.png')).toBe(200)
  expect(await upload('a\nb.png')).toBe(400)
  expect(await upload('a\rb.png')).toBe(400)
  expect(await upload('a\\b.png')).toBe(400)
  expect(await upload('猫.png')).toBe(200)
  await expectSame(await saved())
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
    let told = 0
    const receiver = await serve((request, response) => {
      told += 1
      let sent = ''
      request.on('data', (chunk) => {
        sent += chunk
      })
      // The first delivery is refused once.
      request.on('end', () => response.writeHead(told === 2 ? 500 : 200).end(sent))
    })
    const { client, saved, emulator } = await openSession({ clock: 'paused' })
    const { task_id } = (await client.post(paths.second, second(`${receiver}/hook`))).body
    await emulator.account(KEY).clock.advance({ to: 'idle' })
    await client.get(`/provC/v2/query/video_generation/${task_id}`)
    const before = told
    expect(before).toBe(5)
    const { callbacks } = await expectSame(await saved())
    expect({ callbacks, told }).toEqual({ callbacks: 4, told: before })
  })

  test.each([
    [404, 'not found'],
    [200, 'no challenge'],
  ])(
    'a callback whose challenge was answered with %i and not returned is skipped again',
    async (status, told) => {
      const receiver = await serve((_request, response) => response.writeHead(status).end(told))
      const { client, saved, emulator } = await openSession({ clock: 'paused' })
      await client.post(paths.second, second(`${receiver}/hook`))
      await emulator.account(KEY).clock.advance({ to: 'idle' })
      const recording = await saved()
      expect(recording).toContain('"state":"skipped"')
      await expectSame(recording)
    },
  )
})

describe('scenarios', () => {
  const document = (steps: object[]) => ({ name: 'mine', says: 'Things go wrong.', steps }) as never

  test('a scenario that was given at the start plays for every account', async () => {
    const { as, saved } = await openSession({ scenario: ['upstream-flapping', 'unknown-status'] })
    for (const key of ['one-key-1', 'two-key-2'])
      for (let nth = 0; nth < 6; nth += 1) {
        const id = (await as(key).post(paths.tasks, videoTask())).body?.id
        if (id !== undefined) await as(key).get(`${paths.tasks}/${id}`)
      }
    await expectSame(await saved())
  })

  test('a scenario that was played for one account is replayed, with draws, jumps and a broken connection', async () => {
    const { client, saved, emulator } = await openSession()
    await emulator.account(KEY).scenario.play(
      document([
        { when: { operation: 'b-video-task.create', nth: 2 }, then: { clock: { jump: '1h' } } },
        { when: { operation: 'b-video-task.create', nth: 3 }, then: { transport: { reset: true } } },
        {
          when: { operation: 'b-video-task.list', probability: 0.5, account: [KEY, 'somebody-else'] },
          then: { answer: { status: 502, text: '<html>Bad gateway</html>', contentType: 'text/html' } },
        },
        {
          when: { operation: 'b-video-task.read' },
          then: { answer: { error: 'ServerOverloaded', retryAfter: 7 } },
        },
        {
          when: { operation: 'a-image.create' },
          then: { answer: { cutAt: 20 }, transport: { delay: '5s' } },
        },
      ]),
    )
    for (let nth = 0; nth < 4; nth += 1) await client.post(paths.tasks, videoTask()).catch(() => {})
    const statuses = []
    for (let nth = 0; nth < 12; nth += 1) statuses.push((await client.get(paths.tasks)).status)
    expect(new Set(statuses)).toEqual(new Set([200, 502]))
    await client.get(`${paths.tasks}/cgt-1`)
    const recording = await saved()
    expect(recording).not.toContain(KEY)
    await expectSame(recording)
  })

  test('a scenario that moves a live clock moves it as far in the replay', async () => {
    const { client, saved, emulator } = await openSession({ clock: 'live' })
    await emulator
      .account(KEY)
      .scenario.play(
        document([{ when: { operation: 'b-video-task.create', nth: 2 }, then: { clock: { jump: '8d' } } }]),
      )
    const { id } = (await client.post(paths.tasks, videoTask())).body
    await client.post(paths.tasks, videoTask())
    expect((await client.get(`${paths.tasks}/${id}`)).status).toBe(404)
    const lines = (await saved()).split('\n').filter((line) => line.includes('"kind":"call"'))
    const times = lines.map((line) => Date.parse(JSON.parse(line).at))
    expect((times[1] ?? 0) - (times[0] ?? 0)).toBeLessThan(3_600_000)
    await expectSame(await saved())
  })

  test.each(['played', 'restored'])(
    'a %s scenario whose answer has a field named like a secret',
    async (way) => {
      const { client, saved, emulator } = await openSession()
      const account = emulator.account(KEY)
      const body = {
        access_token: 'abc',
        next: 'https://example.com/a?b=hidden-one',
        told: `Wrong key: ${KEY}`,
      }
      await account.scenario.play(document([{ then: { answer: { status: 503, body } } }]))
      if (way === 'restored') await account.restore(await account.snapshot())
      expect((await client.get(paths.tasks)).body.access_token).toBe('abc')
      const recording = await saved()
      expect(recording).not.toContain(KEY)
      expect(recording).not.toContain('hidden-one')
      await expectSame(recording)
    },
  )

  test('a HEAD after whose answer the connection ends does not break the call after it', async () => {
    const { client, saved } = await openSession({ scenario: 'result-cut' })
    const picture = await client.post(paths.image, image())
    await client.head(picture.body.output.choices[0].message.content[0].image)
    for (let nth = 0; nth < 5; nth += 1) await client.get(paths.tasks)
    await expectSame(await saved())
  })

  test.each([{ body: 'busy' }, { text: 'busy' }])('an answer with the one word of %j', async (answer) => {
    const { client, saved } = await openSession({ scenario: document([{ then: { answer } }]) })
    await client.get(paths.tasks)
    await expectSame(await saved())
  })

  test.each([150, 175, 180, 200, 300])('an answer with URLs that is cut after %i bytes', async (cutAt) => {
    const then = { answer: { cutAt } }
    const scenario = document([{ when: { operation: 'c-video.read' }, then }])
    const { client, saved } = await openSession({ timing: 'instant', scenario })
    const { id } = (await client.post(paths.tasks, videoTask())).body
    await client.get(`/v1/videos/${id}`)
    await expectSame(await saved())
  })

  test.each(['a', 'bc'])('a callback with URLs whose body is broken, by way of the host %s', async (name) => {
    const step = { when: { callback: { status: 'succeeded' } }, then: { callback: { brokenBody: true } } }
    const { client, saved, emulator } = await openSession({
      ...{ timing: 'instant', clock: 'paused', scenario: document([step]) },
      publicUrl: `http://${name}.example.test`,
    })
    await client.post(paths.tasks, videoTask({ callback_url: emulator.inbox('hook').url }))
    await emulator.account(KEY).clock.advance({ to: 'idle' })
    await expectSame(await saved())
  })

  test('a header that named one for a single call', async () => {
    const { client, saved } = await openSession()
    const headers = { 'x-backlot-scenario': 'html-error-page' }
    expect((await client.get(`${paths.tasks}/none`, headers)).status).toBe(502)
    expect((await client.get(`${paths.tasks}/none`)).status).toBe(404)
    await expectSame(await saved())
  })
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
