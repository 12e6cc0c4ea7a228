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
  serve,
  text,
  videoTask,
} from './session.js'

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

  test('a refusal that quotes Base64, of which a saved journal has no bytes', async () => {
    const { client, saved } = await openSession()
    const url = `data:image/png;base64,${(await fixture('square.png')).toString('base64')}`
    const content = [{ image: url }, { text: 'a lighthouse' }]
    const order = {
      ...image(),
      model: 'alpha-image-2.0-pro',
      input: { messages: [{ role: 'user', content }] },
    }
    const { body } = await client.post(paths.image, order)
    expect(body.message).toContain('characters)')
    const recording = await saved()
    await expectSame(recording)
    const other = recording.replace('found \\"data:image/png', 'found \\"data:image/jpeg')
    expect(differing(await replayed(other))).toEqual([['a2-image.create', 'message']])
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
  expect(await upload('a\\b.png')).toBe(200)
  expect(await upload('a\\..')).toBe(400)
  expect(await upload('猫.png')).toBe(200)
  await expectSame(await saved())
})
