import { describe, expect, onTestFinished, test } from 'vitest'
import { startEmulator } from '../../../../src/index.js'
import { fixture, openLibrary } from './library.js'

describe('served', () => {
  const { emulator, agent, upload, resolve, store } = openLibrary()

  test('a file is uploaded, processed and resolved', async () => {
    const { status, headers, body } = await upload('first-frame.png', {
      key: 'alone',
      fields: { group_id: 'posters' },
    })
    expect(status).toBe(200)
    expect(headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/)
    expect(body).toEqual({
      code: 200,
      data: { task_id: expect.stringMatching(/^task_\d{16}$/) },
      msg: '',
      message: '',
    })
    const { task_id } = body.data
    expect((await resolve(task_id)).body).toMatchObject({ code: 202, data: { status: 'Processing' } })
    expect((await emulator.clock.advanceToNext('alone')).events).toMatchObject([
      { kind: 'asset', detail: 'Active' },
    ])
    const done = await resolve(task_id)
    expect([done.status, done.body]).toEqual([
      200,
      {
        code: 200,
        data: { task_id, status: 'Active', asset_id: expect.stringMatching(/^asset-\d{14}-[a-z0-9]{5}$/) },
        msg: '',
        message: '',
      },
    ])
  })

  test.each([
    'landscape.jpg',
    'landscape.bmp',
    'landscape.tiff',
    'landscape.webp',
    'landscape.gif',
    'clip.mov',
  ])('%s becomes an asset', async (file) => {
    expect(await store(file)).toMatchObject({ code: 200, data: { status: 'Active' } })
  })

  test.each([
    ['side-300.png', 'tone-2s.mp3', 'clip-23.976fps.mp4'],
    ['side-6000.png', 'tone-15s.mp3', 'clip-60fps.mp4'],
    ['ratio-2.5.png', 'clip-2s.mp4', 'tone.wav'],
    ['ratio-0.4.png', 'clip-15s.mp4', 'landscape.heic'],
  ])('%s, %s and %s are within the limits (D7)', async (...files) => {
    for (const file of files) expect(await store(file), file).toMatchObject({ code: 200 })
  })

  test.each([
    ['side-299.png', 'width'],
    ['side-6001.png', 'width'],
    ['too-wide.png', 'width/height'],
    ['too-tall.png', 'width/height'],
    ['clip-side-298.mp4', 'width'],
    ['clip-1s.mp4', 'duration'],
    ['clip-16s.mp4', 'duration'],
    ['clip-12fps.mp4', 'frame rate'],
    ['clip-61fps.mp4', 'frame rate'],
    ['tone-1s.wav', 'duration'],
    ['tone-16s.mp3', 'duration'],
    ['cut-short.png', 'file cannot be read'],
    ['bomb.png', 'file cannot be read'],
  ])('%s is accepted, and its job fails over %s (D7)', async (file, field) => {
    expect(await store(file)).toMatchObject({
      code: 500,
      data: { status: 'Failed', error: { message: expect.stringContaining(field) } },
      msg: expect.stringContaining(field),
    })
  })

  test.each(['text-named.png', 'empty.png', 'landscape.avif'])('%s is refused at once (D7)', async (file) => {
    const { status, body } = await upload(file)
    expect([status, body]).toEqual([
      400,
      { code: 400, data: null, msg: expect.stringMatching(/^file must be an image/), message: body.msg },
    ])
  })

  test.each(['png-named.jpg', 'mp4-named.mp3'])('%s is what its bytes are, not its name', async (file) => {
    expect(await store(file)).toMatchObject({ code: 200 })
  })

  test('a Chinese name is counted as people count it', async () => {
    expect((await upload('square.png', { name: `${'猫'.repeat(60)}.png` })).status).toBe(200)
    expect((await upload('square.png', { name: `${'猫'.repeat(61)}.png` })).status).toBe(400)
  })

  test.each(['', 'Bearer invalid', 'Bearer invalid-1'])('an upload with %j is 401 (Z23)', async (given) => {
    const { status, body } = await agent
      .post('/v1/asset/upload')
      .set('Authorization', given)
      .attach('file', fixture('square.png'), 'a.png')
    expect([status, body]).toEqual([
      401,
      { code: 401, msg: 'Unauthorized', message: 'Unauthorized', data: null },
    ])
  })

  test('without an agreement an upload is 403 (X5)', async () => {
    const { status, body } = await upload('square.png', { key: 'no-agreement' })
    expect([status, body.code, body.msg]).toEqual([403, 403, 'asset library user agreement not accepted'])
  })

  test('without balance an upload is taken (D8)', async () => {
    expect((await upload('square.png', { key: 'no-balance' })).status).toBe(200)
  })

  test('the journal keeps an upload with its job, and its file without its bytes', async () => {
    const { body } = await upload('square.png', { key: 'journal', fields: { group_id: 'a', title: 'b' } })
    const [entry] = emulator.journals.journalOf('journal').list()
    expect(entry).toMatchObject({
      operation: 'd-assets.upload',
      task: body.data.task_id,
      ignored: ['title'],
      requestBody: {
        fields: { group_id: 'a' },
        files: [{ name: 'square.png', bytes: 4_314, format: 'png' }],
      },
    })
  })

  test('other paths and methods of the library do not exist', async () => {
    expect((await agent.get('/v1/asset/upload')).status).toBe(404)
    expect((await agent.post('/v1/asset/jobs/get-asset-id')).status).toBe(404)
  })
})

describe('on poll', () => {
  test('on an on-poll clock the first poll finds the job done, without a key', async () => {
    const { emulator, upload, resolve } = openLibrary({ clock: 'on-poll', timing: 'realistic' })
    const { body } = await upload('first-frame.png')
    const { body: polled } = await resolve(body.data.task_id)
    expect(polled).toMatchObject({ code: 200, data: { status: 'Active' } })
    const { now } = await emulator.store.read('my-key', ({ clock }) => clock)
    expect(now - Date.UTC(2026, 0, 1)).toBeGreaterThanOrEqual(5_000)
    expect(now - Date.UTC(2026, 0, 1)).toBeLessThanOrEqual(20_000)
  })

  test('a poll moves the clock of the owner alone', async () => {
    const { emulator, upload, resolve } = openLibrary({ clock: 'on-poll' })
    const { body } = await upload('first-frame.png')
    await upload('first-frame.png', { key: 'other' })
    await resolve(body.data.task_id, 'Bearer other')
    const stood = (key: string) => emulator.store.read(key, ({ clock }) => clock.now - Date.UTC(2026, 0, 1))
    expect(await stood('my-key')).toBeGreaterThan(0)
    expect(await stood('other')).toBe(0)
    expect(await stood('default')).toBe(0)
  })

  test('a job that is done moves the clock no further', async () => {
    const { emulator, upload, resolve } = openLibrary({ clock: 'on-poll' })
    const { body } = await upload('first-frame.png')
    await resolve(body.data.task_id)
    const { now } = await emulator.store.read('my-key', ({ clock }) => clock)
    await resolve(body.data.task_id)
    expect((await emulator.store.read('my-key', ({ clock }) => clock)).now).toBe(now)
  })

  test('with instant timing the first look finds it done (Z17)', async () => {
    const { upload, resolve } = openLibrary({ timing: 'instant' })
    const { body } = await upload('first-frame.png')
    expect((await resolve(body.data.task_id)).body.code).toBe(200)
  })
})

test('the journal has the size of an upload whose file is too large as it was declared', async () => {
  const bytes = 1_000
  const limits = { assetImageBytes: bytes, assetVideoBytes: bytes, assetAudioBytes: bytes }
  const { agent, upload } = openLibrary(limits)
  expect((await upload('a.png', { bytes: Buffer.alloc(bytes + 1) })).status).toBe(400)
  const journal = agent.get('/_backlot/requests').set('Authorization', 'Bearer my-key')
  const [{ headers, refusedBy }] = (await journal).body.items
  expect(refusedBy).toMatchObject([{ found: `${headers['content-length']} bytes` }])
})

test('a form in chunks stands in the journal with the bytes that came', async () => {
  const emulator = await startEmulator({ clock: 'paused' })
  onTestFinished(() => emulator.stop())
  const picture = fixture('first-frame.png')
  const form = new FormData()
  form.append('file', new Blob([picture]), 'first-frame.png')
  const { headers, body } = new Response(form)
  headers.set('Authorization', 'Bearer in-chunks')
  const answer = await fetch(`${emulator.url}/v1/asset/upload`, {
    ...{ method: 'POST', headers, body, duplex: 'half' },
  })
  expect(await answer.json()).toMatchObject({ code: 200 })
  const [call] = await emulator.account('in-chunks').requests.list()
  expect(call?.headers).not.toHaveProperty('content-length')
  expect(call?.bytes).toBeGreaterThan(picture.length)
})
