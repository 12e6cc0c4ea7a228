import { createHmac } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { connect } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import type { SettingsInput } from '../../src/emulator/settings.js'
import { bodies, startOnPort } from '../emulator.js'

/*
 * What clients and gateways of this field send, and where they go wrong: each was seen in a published client or in a public bug
 * report (docs/clients.md).
 */

const VIDEOS = '/v1/videos'
const TASKS = '/provB/api/v3/contents/generations/tasks'

const video = (change: object = {}) => ({
  model: 'videoa-2-0-260128',
  media: [{ type: 'text', text: 'a pier' }],
  seconds: '4',
  size: '480p',
  ...change,
})

const SQUARE = '/_backlot/fixtures/square.png'

/** An emulator whose client of one account has a name of its own. */
const start = async (settings: SettingsInput = {}) => {
  const started = await startOnPort(settings)
  return { ...started, client: started }
}

type Started = Awaited<ReturnType<typeof start>>

const warningsOf = async ({ client }: Started, requestId: string): Promise<string> =>
  (await client.get(`/_backlot/requests/${requestId}`)).body.warnings.join('; ')

const succeeded = async ({ client, clock }: Started): Promise<string> => {
  const id = await client.createB({ resolution: '480p', duration: 4 })
  await clock.advance({ to: 'idle' })
  return (await client.query(id)).body.content.video_url
}

test('a list of one id is a query of that task, and moves an on-poll clock', async () => {
  const started = await start({ clock: 'on-poll' })
  const { client } = started
  const id = await client.createB()
  const other = await client.createB()
  const statuses: string[] = []
  for (let polls = 0; polls < 3; polls += 1) {
    const { items, total } = (await client.list(`id=${id}`)).body
    expect([total, items.map((item: { id: string }) => item.id)]).toEqual([1, [id]])
    statuses.push(items[0].status)
  }
  expect(statuses).toEqual(['running', 'succeeded', 'succeeded'])
  const listed = await client.list(`id=${id}`)
  expect((await client.get(`/_backlot/requests/${listed.requestId}`)).body.task).toBe(id)
  expect((await client.list(`id=${id}&filter.task_ids=${other}`)).body).toEqual({ items: [], total: 0 })
  expect((await client.list('id=cgt-20260101000000-none1')).body.total).toBe(0)
})

test('filters of a list: several ids with commas between them, and the service tier', async () => {
  const { client } = await start()
  const [first, second, third] = [
    await client.createB(),
    await client.createB({ service_tier: 'flex' }),
    await client.createB(),
  ]
  const idsOf = async (search: string) =>
    (await client.list(search)).body.items.map((item: { id: string }) => item.id)
  expect(await idsOf(`filter.task_ids=${first},${third}`)).toEqual([third, first])
  expect(await idsOf(`filter.task_ids=${first},%20${second}&filter.task_ids=${third}`)).toEqual([
    third,
    second,
    first,
  ])
  expect(await idsOf('filter.service_tier=flex')).toEqual([second])
  expect(await idsOf('filter.service_tier=default&page_size=1')).toEqual([third])
  expect((await client.list('filter.service_tier=fast')).status).toBe(400)
})

test.each([
  ['gamma-H3', 200],
  ['gamma-H3-Max', 400],
])('F: a last frame alone for %s is answered with %i', async (model, status) => {
  const { client, url } = await start()
  const frame = { type: 'image_url', role: 'last_frame', image_url: { url: `${url}${SQUARE}` } }
  const content = [{ type: 'text', text: 'a pier' }, frame]
  const reply = await client.post('/provC/v2/video_generation', bodies.second({ model, content }))
  expect(reply.status).toBe(status)
  if (status === 400) expect(reply.body.error.message).toContain('last_frame only beside a first_frame')
  else
    expect((await client.get(`/provC/v2/query/video_generation/${reply.body.task_id}`)).body.ratio).toBe(
      '1:1',
    )
})

test.each(['watermark', 'aigc_watermark'])('F takes %s', async (field) => {
  const { client } = await start()
  const marked = async (value: unknown) =>
    client.post('/provC/v2/video_generation', bodies.second({ [field]: value }))
  const { body, requestId } = await marked(true)
  expect((await client.get(`/_backlot/requests/${requestId}`)).body.ignored).toEqual([])
  const { order } = (await client.get(`/_backlot/tasks/${body.task_id}`)).body
  expect(order.watermark).toBe(true)
  expect((await marked('yes')).status).toBe(400)
})

test('the content of a video has one variant', async () => {
  const started = await start()
  const id = (await started.client.post(VIDEOS, video())).body.id
  await started.clock.advance({ to: 'idle' })
  const variant = async (name: string) =>
    (await started.client.head(`${VIDEOS}/${id}/content?variant=${name}`)).status
  expect([await variant('video'), await variant('thumbnail'), await variant('')]).toEqual([200, 400, 400])
})

test('metadataUrl: content names the path that needs the key', async () => {
  const started = await start({ metadataUrl: 'content' })
  const { client, clock, url } = started
  const id = (await client.post(VIDEOS, video())).body.id
  await clock.advance({ to: 'idle' })
  const { body } = await client.get(`${VIDEOS}/${id}`)
  expect(body.metadata.url).toBe(`${url}${VIDEOS}/${id}/content`)
  expect(body.url).toContain('/results/')
  expect([
    (await client.head(`${VIDEOS}/${id}/content`)).status,
    (await fetch(body.metadata.url)).status,
  ]).toEqual([200, 401])
})

test.each([
  ['C', VIDEOS, video({ duration: 5, resolution: '480p' }), ['C calls it seconds', 'C calls it size']],
  [
    'B',
    TASKS,
    bodies.task({ seconds: '5', aigc_watermark: true }),
    ['B calls it duration', 'B calls it watermark'],
  ],
  [
    'A',
    '/provA/api/v1/services/aigc/multimodal-generation/generation',
    { ...bodies.image(), n: 2 },
    ['A calls it parameters.n'],
  ],
])('%s: a field under the name of another interface is noted', async (_, path, body, hints) => {
  const started = await start()
  const served: unknown[] = []
  started.emulator.events.on('served', ({ hints }) => served.push(hints))
  const reply = await started.client.post(path, body)
  expect(reply.status).toBe(200)
  const warnings = await warningsOf(started, reply.requestId)
  for (const hint of hints) expect(warnings).toContain(`was ignored: ${hint}`)
  expect(served[0]).toHaveLength(hints.length)
})

test('an unknown field that no interface has gets no hint', async () => {
  const started = await start()
  const reply = await started.client.create({ colour: 'blue' })
  expect(await warningsOf(started, reply.requestId)).toBe('')
})

test('a header that asks for asynchronous images is noted', async () => {
  const started = await start()
  const path = '/provA/api/v1/services/aigc/multimodal-generation/generation'
  const reply = await started.client.post(path, bodies.image(), { 'X-Cloud-Async': 'enable' })
  expect(await warningsOf(started, reply.requestId)).toContain('The header x-cloud-async changes nothing')
  const task = await started.client.ask('POST', TASKS, bodies.task(), {
    headers: { 'X-Cloud-Async': 'enable' },
  })
  expect(await warningsOf(started, task.requestId)).toBe('')
})

test.each([
  [['127.0.0.0/8'], 'https://api.example.test'],
  [['*'], 'https://api.example.test'],
  [['10.0.0.1'], undefined],
  [[], undefined],
])('X-Forwarded-Host with trustedProxies %j', async (trustedProxies, origin) => {
  const { client, url } = await start({ trustedProxies })
  const headers = { 'X-Forwarded-Host': 'api.example.test, inner.test', 'X-Forwarded-Proto': 'https' }
  const path = '/provA/api/v1/services/aigc/multimodal-generation/generation'
  const { body } = await client.post(path, bodies.image(), headers)
  expect(new URL(body.output.choices[0].message.content[0].image).origin).toBe(origin ?? url)
})

test('a signature holds what has to be encoded, and fits only as it was given out', async () => {
  const started = await start()
  const url = await succeeded(started)
  expect(url).toMatch(/&Signature=[\w%]+$/)
  for (const code of ['%2B', '%2F', '%3D']) expect(url).toContain(code)
  const status = async (changed: string) => (await fetch(changed, { method: 'HEAD' })).status
  expect(await status(url)).toBe(200)
  expect(await status(url.replaceAll('%', '%25'))).toBe(403)
  expect(await status(decodeURIComponent(url))).toBe(403)
  expect(await status(url.replaceAll('%2B', '+'))).toBe(403)
  expect(await status(new URL(url).href)).toBe(200)
})

test('a URL with the signature of an earlier version is still served, and a changed one is not', async () => {
  const signingSecret = 'a secret of sixteen letters'
  const started = await start({ signingSecret })
  const { origin, pathname, searchParams } = new URL(await succeeded(started))
  const expires = searchParams.get('Expires')
  const former = createHmac('sha256', signingSecret)
    .update(`${pathname}?${expires}`)
    .digest('hex')
    .slice(0, 40)
  const status = async (signature: string) =>
    (await fetch(`${origin}${pathname}?Expires=${expires}&Signature=${signature}`, { method: 'HEAD' })).status
  expect([
    await status(former),
    await status(former.replace(/.$/, (last) => (last === '0' ? '1' : '0'))),
  ]).toEqual([200, 403])
})

test('a key that is sent along to a signed URL is noted, and refused with resultAuthorization: refuse', async () => {
  const key = { Authorization: 'Bearer alice' }
  const noting = await start()
  const served = await fetch(await succeeded(noting), { headers: key })
  await served.arrayBuffer()
  expect(served.status).toBe(200)
  expect(await warningsOf(noting, served.headers.get('x-request-id') ?? '')).toContain(
    'An Authorization header came',
  )

  const refusing = await start({ resultAuthorization: 'refuse' })
  const url = await succeeded(refusing)
  const refused = await fetch(url, { headers: key })
  expect([refused.status, refused.headers.get('content-type')]).toEqual([
    400,
    expect.stringContaining('application/xml'),
  ])
  expect(await refused.text()).toContain('<Code>InvalidArgument</Code>')
  expect((await fetch(url, { method: 'HEAD' })).status).toBe(200)
})

const form = (boundary: string, partHeaders: string, bytes: Buffer) =>
  Buffer.concat([
    Buffer.from(`--${boundary}\r\nContent-Disposition: form-data; name="file"${partHeaders}\r\n\r\n`),
    bytes,
    Buffer.from(`\r\n--${boundary}--\r\n`),
  ])

test.each([
  [
    'boundary=abc=1',
    'The boundary abc=1 in the Content-Type has characters that end it unless it stands in quotes',
  ],
  ['boundary=a/b', 'The boundary a/b in'],
  ['boundary=', 'The boundary in the Content-Type is empty'],
  ['boundary="abc', 'The quotes around the boundary in the Content-Type are not closed'],
  ['boundary=a;b', 'no part that can be read: each begins with a line --a and a line'],
  ['boundary="a"b"', 'no part that can be read: each begins with a line --a and a line'],
  ["boundary='a b'", "The boundary 'a b' in"],
])('an upload with %s is told what is wrong', async (parameter, message) => {
  const { client } = await start()
  const [, boundary = ''] = /=(.*)/.exec(parameter) ?? []
  const bytes = form(boundary, '; filename="a.png"', Buffer.from('x'))
  const reply = await client.post('/v1/asset/upload', bytes, {
    'content-type': `multipart/form-data; ${parameter}`,
  })
  expect([reply.status, reply.body.msg]).toEqual([400, expect.stringContaining(message)])
})

test.each([
  ['an attachment', '; filename="a.png"', 'form-data', 'attachment'],
  ['a header of another name', '; filename="a.png"', 'Content-Disposition', 'Content-Description'],
  ['a name with a space and no quotes', '; filename=a b.png', '', ''],
])('a form whose only part is %s is told that it has none', async (_, headers, from, to) => {
  const { client, url } = await start()
  const bytes = form('abc', headers, await picture(url))
  const changed = Buffer.from(bytes.toString('latin1').replace(from, to), 'latin1')
  const reply = await client.post('/v1/asset/upload', changed, {
    'content-type': 'multipart/form-data; boundary=abc',
  })
  expect([reply.status, reply.body.msg]).toEqual([
    400,
    'The form has no part that can be read: each begins with a line --abc and a line Content-Disposition: form-data; name="file"; filename="clip.mp4"',
  ])
})

test.each([
  ['of another name', 'boundary=other', 'other'],
  ['in quotes of the wrong kind', "boundary='abc'", "'abc'"],
])('a form with a boundary %s is told which one was looked for', async (_, parameter, boundary) => {
  const { client, url } = await start()
  const reply = await client.post('/v1/asset/upload', form('abc', '; filename="a.png"', await picture(url)), {
    'content-type': `multipart/form-data; ${parameter}`,
  })
  expect([reply.status, reply.body.msg]).toEqual([
    400,
    `The form cannot be read: Unexpected end of form (its last line has to be --${boundary}--)`,
  ])
})

const picture = async (url: string): Promise<Buffer> =>
  Buffer.from(await (await fetch(`${url}${SQUARE}`)).arrayBuffer())

test('a quoted boundary with such characters is read, and a name counts without its folders', async () => {
  const { client, url } = await start()
  const bytes = await picture(url)
  const upload = (name: string) =>
    client.post('/v1/asset/upload', form('abc=1', `; filename="${name}"`, bytes), {
      'content-type': 'multipart/form-data; boundary="abc=1"',
    })
  for (const name of ['a.png', '/tmp/a.png', 'C:\\pictures\\a.png', `${'folder/'.repeat(20)}a.png`])
    expect([name, (await upload(name)).status]).toEqual([name, 200])
  for (const name of ['folder/..', 'folder/'])
    expect([name, (await upload(name)).status]).toEqual([name, 400])
})

test.each([1_000, 100_000])('a file part of %i bytes without a file name is named as such', async (bytes) => {
  const { client } = await start()
  const reply = await client.post('/v1/asset/upload', form('abc', '', Buffer.alloc(bytes, 'x')), {
    'content-type': 'multipart/form-data; boundary=abc',
  })
  expect([reply.status, reply.body.msg]).toEqual([
    400,
    expect.stringContaining('file must be a part of the form with a file name'),
  ])
})

test.each([0, 2_000_000])('Base64 of impossible length is refused, with %i letters more', async (more) => {
  const { client, url } = await start()
  const base64 = (await picture(url)).toString('base64').replace(/=+$/, '')
  const send = (text: string) =>
    client.create({
      content: [
        { type: 'text', text: 'a pier' },
        { type: 'image_url', image_url: { url: `data:image/png;base64,${text}` } },
      ],
    })
  // Bytes behind the end of a picture are read by nothing.
  const whole = base64.slice(0, base64.length - (base64.length % 4)) + 'A'.repeat(more)
  expect((await send(whole)).status).toBe(200)
  const refused = await send(`${whole}A`)
  expect([refused.status, refused.body.error.message]).toEqual([
    400,
    expect.stringContaining('its Base64 is cut short'),
  ])
})

test('a MIME type that contradicts the bytes is noted', async () => {
  const started = await start()
  const base64 = (await picture(started.url)).toString('base64')
  const warnings = async (label: string) => {
    const content = [
      { type: 'text', text: 'a pier' },
      { type: 'image_url', image_url: { url: `data:${label};base64,${base64}` } },
    ]
    return warningsOf(started, (await started.client.create({ content })).requestId)
  }
  expect(await warnings('image/jpeg')).toContain(
    'content[1].image_url.url is labelled image/jpeg and is png by its bytes',
  )
  expect(await warnings('text/plain')).toContain('is labelled text/plain')
  for (const label of ['image/png', 'IMAGE/PNG', 'application/octet-stream', ''])
    expect(await warnings(label)).toBe('')
})

test.each([
  ['utf-8', 'The Content-Encoding utf-8 is unknown'],
  ['gzip', 'Compressed request bodies are not supported'],
  ['identity, gzip', 'Compressed request bodies are not supported (Content-Encoding: identity, gzip)'],
  ['gzip,utf-8', 'Compressed request bodies are not supported (Content-Encoding: gzip,utf-8)'],
  ['gzipped', 'The Content-Encoding gzipped is unknown'],
])('Content-Encoding: %s', async (encoding, message) => {
  const { client } = await start()
  const reply = await client.post(TASKS, bodies.task(), { 'content-encoding': encoding })
  expect([reply.status, reply.body.error.message]).toEqual([400, expect.stringContaining(message)])
})

test('a sender that goes on writing after its answer gets it', async () => {
  const { client, url } = await start({
    assetVideoBytes: 1_000,
    assetImageBytes: 1_000,
    assetAudioBytes: 1_000,
  })
  const { port, hostname } = new URL(url)
  const socket = connect(Number(port), hostname)
  onTestFinished(() => void socket.destroy())
  const write = (bytes: string | Buffer) =>
    new Promise<void>((resolve, reject) => {
      socket.write(bytes, (error) => (error ? reject(error) : resolve()))
    })
  await write(
    'POST /v1/asset/upload HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer k\r\nContent-Type: multipart/form-data; boundary=b\r\nContent-Length: 900000000\r\n\r\n',
  )
  // For longer than the second after which a client that sends nothing is cut off, a little at a time.
  const begun = performance.now()
  while (performance.now() - begun < 2_500) {
    await write(Buffer.alloc(64 * 1024, 'x'))
    await client.get('/_backlot/health')
  }
  const answer = await new Promise<string>((resolve, reject) => {
    socket.once('data', (bytes) => resolve(String(bytes)))
    socket.once('error', reject)
  })
  expect(answer).toMatch(/^HTTP\/1\.1 4\d\d /)
})

test.each(['hooks.localhost', 'localhost.'])('a callback to %s goes to loopback', async (host) => {
  const bodiesReceived: string[] = []
  const receiver = createServer((request, response) => {
    request.on('data', (bytes) => bodiesReceived.push(String(bytes)))
    request.on('end', () => response.end('{}'))
  })
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void receiver.close())
  const { port } = receiver.address() as AddressInfo
  const { client, clock } = await start()
  await client.createB({ callback_url: `http://${host}:${port}/hook` })
  await clock.advance({ to: 'idle' })
  expect(bodiesReceived.length).toBeGreaterThan(0)
})
