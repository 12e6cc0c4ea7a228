import { EventEmitter, once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { clientOf, startOnPort } from '../../emulator.js'
import { newFolder } from '../../folder.js'

const chat = {
  id: 'chat',
  method: 'POST',
  path: '/v1/chat/completions',
  answer: {
    body: {
      id: 'chat-{{sequence}}',
      model: '{{body.model}}',
      n: '{{body.n}}',
      user: '{{body.user}}',
      choices: [],
    },
  },
} as const

test('a route answers with templates of the call, and is an operation', async () => {
  const emulator = await startOnPort({ profile: [{ routes: [chat] }] })
  const answer = await emulator.post('/v1/chat/completions', { model: 'talk-1', n: 2 })
  expect(answer.status).toBe(200)
  expect(answer.body).toEqual({ id: 'chat-1', model: 'talk-1', n: 2, user: null, choices: [] })
  expect((await emulator.post('/v1/chat/completions', { model: 'talk-1' })).body.id).toBe('chat-2')
  const [, first] = await emulator.requests.list({ operation: 'routes.chat' })
  expect(first).toMatchObject({
    operation: 'routes.chat',
    warnings: ['The answer of the profile names {{body.user}}, which is not there: it has null'],
  })
  expect((await emulator.looseEnds()).unexpectedCalls).toEqual([])
  expect(
    (await emulator.get('/_backlot/operations')).body.items.map(({ id }: { id: string }) => id),
  ).toContain('routes.chat')
})

test('a header takes what a call has sent, without what no header can have', async () => {
  const headers = { 'X-Echo': '{{body.text}}', 'content-type': 'text/csv' }
  const { post } = await startOnPort({
    profile: [{ routes: [{ id: 'echo', method: 'POST', path: '/echo', answer: { text: 'a,b', headers } }] }],
  })
  const answer = await post('/echo', { text: 'one\r\nSet-Cookie: a=1\u4e2d' })
  expect(answer.headers.get('x-echo')).toBe('one??Set-Cookie: a=1?')
  expect(answer.headers.get('set-cookie')).toBeNull()
  expect(answer.headers.get('content-type')).toBe('text/csv')
})

test('a route is refused without a key unless it needs none, and scenarios act on it', async () => {
  const ping = {
    id: 'ping',
    method: 'GET',
    path: '/ping',
    needsKey: false,
    answer: { text: 'pong {{query.n}}' },
  }
  const emulator = await startOnPort({ profile: [{ routes: [chat, ping] }] })
  const nobody = clientOf(emulator.url, undefined)
  expect((await nobody.post('/v1/chat/completions', {})).body.error.code).toBe('invalid_api_key')
  const pong = await nobody.get('/ping?n=3')
  expect(pong.text).toBe('pong 3')
  expect(pong.headers.get('content-type')).toBe('text/plain; charset=utf-8')
  await emulator.fail('routes.chat', { error: 'unavailable' as never, times: 1 })
  expect((await emulator.post('/v1/chat/completions', {})).status).toBe(503)
  expect((await emulator.post('/v1/chat/completions', {})).status).toBe(200)
})

test('PUT, PATCH and DELETE, parameters of the path, a file, and an answer without a body', async () => {
  const folder = newFolder()
  await writeFile(join(folder, 'terms.txt'), 'be kind')
  await writeFile(
    join(folder, 'profile.yaml'),
    `routes:
  - { id: put, method: PUT, path: '/v1/accounts/{id}', answer: { status: 201, body: { id: '{{path.id}}', name: '{{body.name}}' } } }
  - { id: patch, method: PATCH, path: '/v1/accounts/{id}', answer: { body: '{{body}}' } }
  - { id: gone, method: DELETE, path: '/v1/accounts/{id}', answer: { status: 204 } }
  - { id: terms, method: GET, path: /terms, answer: { file: terms.txt } }
`,
  )
  const { ask } = await startOnPort({ profile: [join(folder, 'profile.yaml')] })
  expect(await ask('PUT', '/v1/accounts/7', { name: 'Ada' })).toMatchObject({
    status: 201,
    body: { id: '7', name: 'Ada' },
  })
  expect((await ask('PATCH', '/v1/accounts/7', { name: 'Ada' })).body).toEqual({ name: 'Ada' })
  expect(await ask('DELETE', '/v1/accounts/7')).toMatchObject({ status: 204, text: '' })
  const terms = await ask('GET', '/terms')
  expect(terms.text).toBe('be kind')
  expect(terms.headers.get('content-type')).toBe('text/plain; charset=utf-8')
})

const startHost = async (answer: Parameters<typeof createServer>[1]) => {
  const server = createServer(answer as never).listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  onTestFinished(() => void server.close())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

test('a call is forwarded to the named host with its body, key and query, and a redirect is handed on', async () => {
  const seen: unknown[] = []
  const host = await startHost((async (
    request: import('node:http').IncomingMessage,
    response: import('node:http').ServerResponse,
  ) => {
    const chunks: Uint8Array[] = []
    for await (const chunk of request) chunks.push(chunk)
    const { method, url, headers } = request
    seen.push({ method, url, key: headers.authorization, body: Buffer.concat(chunks).toString() })
    if (url?.startsWith('/moved'))
      return void response.writeHead(302, { Location: 'http://elsewhere.test/' }).end()
    response.writeHead(203, { 'Content-Type': 'application/json', 'X-Host': 'yes' }).end('{"from":  "host"}')
  }) as never)
  const emulator = await startOnPort({
    profile: [
      {
        routes: [
          { id: 'models', method: 'POST', path: '/v1/models', forward: host },
          { id: 'moved', method: 'GET', path: '/moved', forward: host },
        ],
      },
    ],
  })
  const answer = await emulator.post('/v1/models?limit=2', { a: 1 })
  expect(answer).toMatchObject({ status: 203, text: '{"from":  "host"}' })
  expect(answer.headers.get('x-host')).toBe('yes')
  expect(seen).toEqual([{ method: 'POST', url: '/v1/models?limit=2', key: 'Bearer alice', body: '{"a":1}' }])
  expect((await emulator.requests.get(answer.requestId)).answer).toEqual({ from: 'host' })
  const moved = await fetch(`${emulator.url}/moved`, {
    redirect: 'manual',
    headers: { authorization: 'Bearer alice' },
  })
  expect([moved.status, moved.headers.get('location')]).toEqual([302, 'http://elsewhere.test/'])
  await emulator.fail('routes.models', { status: 503 })
  expect((await emulator.post('/v1/models', {})).status).toBe(503)
  expect(seen).toHaveLength(2)
})

/** A host that keeps what it gets, and answers 201. */
const startListener = async () => {
  const seen: { method: string; url: string; headers: Record<string, unknown>; body: Buffer }[] = []
  const host = await startHost((async (
    request: import('node:http').IncomingMessage,
    response: import('node:http').ServerResponse,
  ) => {
    const chunks: Uint8Array[] = []
    for await (const chunk of request) chunks.push(chunk)
    const { method = '', url = '', headers } = request
    seen.push({ method, url, headers, body: Buffer.concat(chunks) })
    response.writeHead(201, { 'Content-Type': 'application/json', 'Content-Length': 11 })
    response.end(method === 'HEAD' ? undefined : '{"id":"f-1"}'.slice(0, 11))
  }) as never)
  return { host, seen }
}

const forwardingTo = (host: string) =>
  startOnPort({
    profile: [
      {
        routes: [
          { id: 'files', method: 'POST', path: '/v1/files', forward: host },
          { id: 'file', method: 'GET', path: '/v1/files/{id}', forward: host },
        ],
      },
    ],
  })

test('a form is forwarded byte by byte, with its boundary, and so is a body of any type', async () => {
  const { host, seen } = await startListener()
  const emulator = await forwardingTo(host)
  const file = Buffer.from([0, 255, 13, 10, 45, 45, 128, 7])
  const form = [
    Buffer.from(
      '--b0undary\r\nContent-Disposition: form-data; name="purpose"\r\n\r\nfine-tune\r\n--b0undary\r\nContent-Disposition: form-data; name="file"; filename="a b.bin"\r\nContent-Type: application/octet-stream\r\n\r\n',
    ),
    file,
    Buffer.from('\r\n--b0undary--\r\n'),
  ]
  const bodies: [type: string, body: Uint8Array<ArrayBuffer>][] = [
    ['multipart/form-data; boundary=b0undary', Uint8Array.from(Buffer.concat(form))],
    ['application/octet-stream', Uint8Array.from(file)],
    ['application/json', Uint8Array.from(Buffer.from('{ "spaces":  1.0, "big": 12345678901234567890 }'))],
    ['text/plain', Uint8Array.from(Buffer.from('no JSON'))],
  ]
  for (const [type, body] of bodies) {
    const answer = await emulator.post('/v1/files?a=b%20c&flag', body, { 'content-type': type })
    expect(answer.status).toBe(201)
    const got = seen.at(-1)
    expect(got).toMatchObject({
      method: 'POST',
      url: '/v1/files?a=b%20c&flag',
      headers: { 'content-type': type, authorization: 'Bearer alice', 'content-length': `${body.length}` },
    })
    expect(got?.body.equals(body)).toBe(true)
  }
  const [text, json, , formCall] = await emulator.requests.list({ operation: 'routes.files' })
  expect(json).toMatchObject({ body: { spaces: 1 }, refusedBy: [] })
  expect(text?.bytes).toBe(7)
  expect(text).not.toHaveProperty('body')
  expect(formCall?.bytes).toBe(bodies[0]?.[1].length)
})

test('a form that Node makes arrives whole', async () => {
  const { host, seen } = await startListener()
  const { url } = await forwardingTo(host)
  const body = new FormData()
  body.set('purpose', 'fine-tune')
  body.set('file', new Blob([new Uint8Array(300_000).fill(7)]), 'sevens.bin')
  const headers = { Authorization: 'Bearer alice' }
  expect((await fetch(`${url}/v1/files`, { method: 'POST', headers, body })).status).toBe(201)
  const [got] = seen
  const type = String(got?.headers['content-type'])
  const bytes = got?.body ?? Buffer.alloc(0)
  const read = await new Response(Uint8Array.from(bytes), { headers: { 'content-type': type } }).formData()
  expect(read.get('purpose')).toBe('fine-tune')
  expect((read.get('file') as File).size).toBe(300_000)
})

test('a large body is forwarded as it came, one above the limit is refused before', async () => {
  const { host, seen } = await startListener()
  const emulator = await forwardingTo(host)
  const image = `data:image/png;base64,${'A'.repeat(3 * 2 ** 20)}`
  const text = JSON.stringify({ model: 'talk-1', images: [image] })
  expect((await emulator.post('/v1/files', text)).status).toBe(201)
  expect(seen[0]?.body.toString()).toBe(text)
  const small = await startOnPort({
    videoBodyBytes: 1_000,
    profile: [{ routes: [{ id: 'files', method: 'POST', path: '/v1/files', forward: host }] }],
  })
  expect((await small.post('/v1/files', new Uint8Array(1_001))).status).toBe(413)
  expect((await small.post('/v1/files', new Uint8Array(1_000))).status).toBe(201)
  expect(seen).toHaveLength(2)
})

test('a HEAD is forwarded as one, and its answer has the length that the host says', async () => {
  const { host, seen } = await startListener()
  const emulator = await forwardingTo(host)
  const answer = await emulator.head('/v1/files/f-1')
  expect(answer).toMatchObject({ status: 201, text: '' })
  expect(answer.headers.get('content-length')).toBe('11')
  expect(seen).toMatchObject([{ method: 'HEAD', url: '/v1/files/f-1' }])
})

test('an answer without a type, a compressed one and a file are handed on', async () => {
  const { gzipSync } = await import('node:zlib')
  const host = await startHost((({ url }: { url: string }, response: import('node:http').ServerResponse) => {
    if (url === '/bare') return void response.writeHead(200).end('bare')
    if (url === '/zipped')
      return void response
        .writeHead(200, { 'Content-Type': 'application/json', 'Content-Encoding': 'gzip' })
        .end(gzipSync('{"a":1}'))
    response.writeHead(200, { 'Content-Type': 'image/png', ETag: '"1"' }).end(Buffer.from([1, 2, 255]))
  }) as never)
  const { get, url } = await startOnPort({
    profile: [
      {
        routes: ['bare', 'zipped', 'file'].map((id) => ({
          ...({ id, method: 'GET', path: `/${id}`, forward: host } as const),
        })),
      },
    ],
  })
  const bare = await get('/bare')
  expect([bare.text, bare.headers.get('content-type')]).toEqual(['bare', null])
  const zipped = await get('/zipped')
  expect([zipped.body, zipped.headers.get('content-encoding')]).toEqual([{ a: 1 }, null])
  const file = await fetch(`${url}/file`, { headers: { Authorization: 'Bearer alice' } })
  expect([...new Uint8Array(await file.arrayBuffer())]).toEqual([1, 2, 255])
  expect(file.headers.get('etag')).toBe('"1"')
})

test('all cookies of a host are handed on, also where a scenario delays its answer', async () => {
  const host = await startHost(((_: unknown, response: import('node:http').ServerResponse) =>
    response.writeHead(200, { 'Set-Cookie': ['a=1; Path=/', 'b=2'] }).end('fine')) as never)
  const emulator = await startOnPort({
    profile: [{ routes: [{ id: 'cookies', method: 'GET', path: '/cookies', forward: host }] }],
  })
  const cookies = ['a=1; Path=/', 'b=2']
  expect((await emulator.get('/cookies')).headers.getSetCookie()).toEqual(cookies)
  await emulator.scenario.play({
    name: 'slow',
    description: 'Slowly.',
    steps: [{ when: { operation: 'routes.cookies' }, then: { transport: { bytesPerSecond: 1_000_000 } } }],
  })
  expect((await emulator.get('/cookies')).headers.getSetCookie()).toEqual(cookies)
})

/** Routes that are forwarded, by the last part of their paths. */
const forwarded = (host: string, ...ids: readonly string[]) =>
  ids.map((id) => ({ id, method: 'GET', path: `/${id}`, forward: host }) as const)

test('fields of a forwarded answer are changed, and one that breaks off or is too large for that is 502', async () => {
  const host = await startHost((({ url }: { url: string }, response: import('node:http').ServerResponse) => {
    const headers = { 'Content-Type': 'application/json' }
    if (url === '/json') return void response.writeHead(200, headers).end('{ "id":  "f-1" }')
    if (url === '/large') return void response.writeHead(200, headers).end(Buffer.alloc(17 * 2 ** 20, ' '))
    response.writeHead(200, headers).write('{', () => response.destroy())
  }) as never)
  const emulator = await startOnPort({
    profile: [
      {
        answers: { 'routes.*': { rename: { id: 'file_id' }, set: { vendor: 'acme' } } },
        routes: forwarded(host, 'json', 'large', 'broken'),
      },
    ],
  })
  const { get } = emulator
  expect((await get('/json')).body).toEqual({ file_id: 'f-1', vendor: 'acme' })
  expect(await get('/large')).toMatchObject({
    status: 502,
    body: {
      error: { code: 'forward-failed', message: expect.stringContaining('larger than 16777216 bytes') },
    },
  })
  const broken = await get('/broken')
  expect(broken.status).toBe(502)
  expect(broken.body).not.toHaveProperty('vendor')
})

test('a large answer is handed on whole, and the journal keeps its beginning', async () => {
  const lines = Buffer.alloc(20 * 2 ** 20, 'line of a text\n')
  const host = await startHost(((_: unknown, response: import('node:http').ServerResponse) =>
    response
      .writeHead(200, { 'Content-Type': 'text/plain', 'Content-Length': lines.length })
      .end(lines)) as never)
  const emulator = await startOnPort({ profile: [{ routes: forwarded(host, 'lines') }] })
  const response = await fetch(`${emulator.url}/lines`, { headers: { Authorization: 'Bearer alice' } })
  expect(response.headers.get('content-length')).toBe(`${lines.length}`)
  expect(Buffer.from(await response.arrayBuffer()).equals(lines)).toBe(true)
  const { answerText, warnings } = await emulator.requests.get(response.headers.get('x-request-id') as string)
  expect(answerText).toMatch(/^line of a text/)
  expect(warnings).toEqual([`The answer has ${lines.length} bytes, and the journal keeps the first 524288`])
})

test('events of a host arrive one by one, in the types of streams too', async () => {
  const answers: import('node:http').ServerResponse[] = []
  const host = await startHost((({ url }: { url: string }, response: import('node:http').ServerResponse) => {
    const type = url === '/events' ? 'text/event-stream' : 'application/json'
    response.writeHead(200, { 'Content-Type': type }).write(url === '/events' ? 'data: 1\n\n' : '{"id":')
    answers.push(response)
  }) as never)
  const emulator = await startOnPort({ profile: [{ routes: forwarded(host, 'events', 'json') }] })
  for (const [path, first, last] of [
    ['/events', 'data: 1\n\n', 'data: 2\n\n'],
    ['/json', '{"id":', '7}'],
  ] as const) {
    const response = await fetch(emulator.url + path, { headers: { Authorization: 'Bearer alice' } })
    const reader = (response.body as ReadableStream<Uint8Array>).getReader()
    const read = async () => Buffer.from((await reader.read()).value ?? []).toString()
    expect(await read()).toBe(first)
    answers.at(-1)?.end(last)
    expect(await read()).toBe(last)
    expect((await reader.read()).done).toBe(true)
    const entry = await emulator.requests.get(response.headers.get('x-request-id') as string)
    expect(path === '/json' ? entry.answer : entry.answerText).toEqual(
      path === '/json' ? { id: 7 } : first + last,
    )
  }
})

test('a client that leaves ends the call to the host, before its answer and during it', async () => {
  const seen = new EventEmitter()
  const [left, asked, leftEarly] = ['left', 'asked', 'left early'].map((event) => once(seen, event))
  const host = await startHost((({ url }: { url: string }, response: import('node:http').ServerResponse) => {
    response.once('close', () => seen.emit(url === '/late' ? 'left early' : 'left'))
    if (url === '/late') return void seen.emit('asked')
    response.writeHead(200, { 'Content-Type': 'text/event-stream' }).write('data: 1\n\n')
  }) as never)
  const emulator = await startOnPort({ profile: [{ routes: forwarded(host, 'events', 'late') }] })
  const leaving = new AbortController()
  const headers = { Authorization: 'Bearer alice' }
  const response = await fetch(`${emulator.url}/events`, { headers, signal: leaving.signal })
  await response.body?.getReader().read()
  leaving.abort()
  await left
  const id = response.headers.get('x-request-id') as string
  await expect
    .poll(async () => (await emulator.requests.get(id)).warnings)
    .toEqual(['The client left after 9 bytes of the answer, and the call to the host was ended'])
  const early = new AbortController()
  const late = fetch(`${emulator.url}/late`, { headers, signal: early.signal }).catch(() => undefined)
  await asked
  early.abort()
  await Promise.all([late, leftEarly])
})

test.each(['chunks', 'a length'])(
  'an answer of %s that breaks off ends the connection, and is noted',
  async (kind) => {
    const host = await startHost(((_: unknown, response: import('node:http').ServerResponse) => {
      const length = kind === 'chunks' ? {} : { 'Content-Length': 100 }
      response
        .writeHead(200, { 'Content-Type': 'text/plain', ...length })
        .write('half', () => response.destroy())
    }) as never)
    const emulator = await startOnPort({ profile: [{ routes: forwarded(host, 'broken') }] })
    const response = await fetch(`${emulator.url}/broken`, { headers: { Authorization: 'Bearer alice' } })
    await expect(response.text()).rejects.toThrow()
    const entry = await emulator.requests.get(response.headers.get('x-request-id') as string)
    expect(entry).toMatchObject({ connection: 'cut-off', answerText: 'half' })
    expect(entry.warnings).toEqual([
      expect.stringMatching(/^The answer of the host broke off after 4 bytes: /),
    ])
  },
)

test('a host that falls silent within its answer ends it', async () => {
  const host = await startHost(((_: unknown, response: import('node:http').ServerResponse) =>
    response.writeHead(200, { 'Content-Type': 'text/plain' }).write('half')) as never)
  const routes = forwarded(host, 'silent').map((route) => ({ ...route, timeout: 50 }))
  const emulator = await startOnPort({ profile: [{ routes }] })
  const response = await fetch(`${emulator.url}/silent`, { headers: { Authorization: 'Bearer alice' } })
  await expect(response.text()).rejects.toThrow()
  const { warnings } = await emulator.requests.get(response.headers.get('x-request-id') as string)
  expect(warnings).toEqual(['The answer of the host broke off after 4 bytes: nothing came within 0.05 s'])
})

test('an emulator stops while a host still sends', async () => {
  const host = await startHost(((_: unknown, response: import('node:http').ServerResponse) =>
    response.writeHead(200, { 'Content-Type': 'text/event-stream' }).write('data: 1\n\n')) as never)
  const emulator = await startOnPort({ profile: [{ routes: forwarded(host, 'events') }] })
  const response = await fetch(`${emulator.url}/events`, { headers: { Authorization: 'Bearer alice' } })
  const reader = response.body?.getReader()
  await reader?.read()
  const ended = reader?.read().catch(() => 'broken')
  await emulator.stop()
  expect(await ended).toBe('broken')
})

const closedPort = async () => {
  const server = createServer().listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return `http://127.0.0.1:${port}`
}

test('a host that is down is 502, and one that does not answer in time 504, in words of the emulator', async () => {
  const silent = await startHost((() => {}) as never)
  const closed = await closedPort()
  const { get } = await startOnPort({
    profile: [
      {
        routes: [
          { id: 'down', method: 'GET', path: '/down', forward: closed },
          { id: 'silent', method: 'GET', path: '/silent', forward: silent, timeout: '50ms' },
        ],
      },
    ],
  })
  const down = await get('/down')
  const { post } = await startOnPort({
    profile: [{ routes: [{ id: 'down', method: 'POST', path: '/down', forward: closed }] }],
  })
  const form = { 'content-type': 'multipart/form-data; boundary=x' }
  expect((await post('/down', '--x--', form)).body.error.code).toBe('forward-failed')
  expect(down.status).toBe(502)
  expect(down.body.error).toMatchObject({
    code: 'forward-failed',
    message: expect.stringMatching(/^The call was to be forwarded to http:.*ECONNREFUSED/),
  })
  expect(await get('/silent')).toMatchObject({
    status: 504,
    body: { error: { message: expect.stringMatching(/nothing came within 0\.05 s/) } },
  })
})
