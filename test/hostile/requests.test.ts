import { expect, onTestFinished, test } from 'vitest'
import { brokenRequests } from './inputs/requests.js'
import { patient } from './target.js'
import { targetForTest } from './target-for-test.js'
import { requestText } from './wire.js'

test.each(brokenRequests)('$name is told what is wrong, and has to go', async ({ text, status, code }) => {
  const target = await targetForTest(patient)
  const connection = await target.connect()
  void connection.say(text())
  const answer = await connection.answer()
  expect(answer?.status).toBe(status)
  expect(answer?.headers['content-type']).toBe('application/json; charset=utf-8')
  expect(answer?.headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/)
  expect(answer?.headers.date).toMatch(/ GMT$/)
  expect(JSON.parse(answer?.text ?? '')).toEqual({
    error: { message: expect.stringMatching(/^\S.*\.$/), type: 'invalid_request_error', param: '', code },
  })
  await connection.ended()
})

test('a request that is not HTTP is told why in the words of the parser, without their heading', async () => {
  const target = await targetForTest(patient)
  const connection = await target.connect()
  void connection.say(requestText('BREW /v1/videos'))
  const answer = await connection.answer()
  expect(JSON.parse(answer?.text ?? '').error.message).toMatch(
    /^The request is not HTTP\/1\.1: (?!Parse Error)[A-Z].*method.*\.$/,
  )
  connection.leave()
})

test('of a long expectation the beginning is repeated', async () => {
  const target = await targetForTest(patient)
  const connection = await target.connect()
  void connection.say(requestText('POST /v1/videos', { Expect: 'x'.repeat(5_000) }))
  const answer = await connection.answer()
  expect(JSON.parse(answer?.text ?? '').error.message).toBe(
    `Expect must be 100-continue, received "${'x'.repeat(100)}".`,
  )
  connection.leave()
})

test('a request of HTTP/1.0 needs no Host, and its connection ends with the answer', async () => {
  const target = await targetForTest(patient)
  const connection = await target.connect()
  void connection.say('GET /nothing HTTP/1.0\r\n\r\n')
  expect((await connection.answer())?.status).toBe(404)
  await connection.ended()
})

test('a request without a Host is given URLs at the port that it came to', async () => {
  const target = await targetForTest(patient)
  const connection = await target.connect()
  const body = JSON.stringify({
    model: 'alpha-image-3.0-pro',
    input: { messages: [{ role: 'user', content: [{ text: 'A lighthouse' }] }] },
  })
  const path = '/provA/api/v1/services/aigc/multimodal-generation/generation'
  const head = `POST ${path} HTTP/1.0\r\nAuthorization: hostile\r\nContent-Length: ${body.length}`
  void connection.say(`${head}\r\n\r\n${body}`)
  const answer = await connection.answer()
  expect(answer?.text).toContain(`"http://localhost:${target.port}/results/`)
  await connection.ended()
})

test('a header whose value is the word host is no second Host', async () => {
  const target = await targetForTest(patient)
  const connection = await target.connect()
  void connection.say(requestText('GET /nothing', { 'X-A': 'host' }))
  expect((await connection.answer())?.status).toBe(404)
  connection.leave()
})

test('headers of just the size that is allowed are read', async () => {
  const target = await targetForTest({ headerBytes: 2_000 })
  const statusOf = async (length: number) => {
    const connection = await target.connect()
    void connection.say(requestText('GET /nothing', { 'X-A': 'a'.repeat(length) }))
    return (await connection.answer())?.status
  }
  expect(await statusOf(1_500)).toBe(404)
  expect(await statusOf(2_500)).toBe(431)
})

test.each([
  ['GET http://127.0.0.1:4650/v1/videos/nothing', 401, 'invalid_api_key'],
  ['GET HTTP://studio.test/results/nothing', 404, 'Invalid URL (GET /results/nothing)'],
  ['GET http://localhost/_backlot/health', 200, '"status":"ok"'],
  ['GET http://127.0.0.1:4650', 404, 'Invalid URL (GET /)'],
])('%s, as a client asks its proxy, is answered by its path', async (line, status, words) => {
  const target = await targetForTest()
  const connection = await target.connect()
  void connection.say(requestText(line, { Host: 'localhost' }))
  const answer = await connection.answer()
  expect(answer?.status).toBe(status)
  expect(answer?.text).toContain(words)
  connection.leave()
})

test('requests in one go are answered in their order', async () => {
  const target = await targetForTest()
  const connection = await target.connect()
  const paths = Array.from({ length: 500 }, (_, at) => `/nothing/${at}`)
  void connection.say(paths.map((path) => requestText(`GET ${path}`)).join(''))
  for (const path of paths) expect((await connection.answer())?.text).toContain(`GET ${path})`)
  connection.leave()
})

test('a broken request after a good one is refused after the good one was answered', async () => {
  const target = await targetForTest()
  const connection = await target.connect()
  void connection.say(`${requestText('GET /nothing')}broken\r\n\r\n`)
  expect((await connection.answer())?.status).toBe(404)
  expect((await connection.answer())?.status).toBe(400)
  await connection.ended()
})

test('a broken request after several good ones is refused after the last of them was answered', async () => {
  const target = await targetForTest(patient)
  const connection = await target.connect()
  const waiting = requestText('GET /_backlot/wait?for=inbox&name=x&timeout=50ms', { Host: 'localhost' })
  void connection.say(`${waiting}${waiting}broken\r\n\r\n`)
  const statuses = []
  for (let nth = 0; nth < 3; nth += 1) statuses.push((await connection.answer())?.status)
  expect(statuses).toEqual([408, 408, 400])
  await connection.ended()
})

test('nothing of a request that is answered before it has ended stays with its connection', async () => {
  const warned: Error[] = []
  const note = (warning: Error) => void warned.push(warning)
  process.on('warning', note)
  onTestFinished(() => void process.off('warning', note))
  const target = await targetForTest(patient)
  const connection = await target.connect()
  // Node warns of more than ten listeners of a kind.
  for (let nth = 0; nth < 20; nth += 1) {
    void connection.say(requestText('POST /nothing', { 'Content-Length': '4' }))
    expect((await connection.answer())?.status).toBe(404)
    void connection.say('rest')
  }
  connection.leave()
  await target.idle()
  expect(warned).toEqual([])
})

test('a client that breaks off in the middle of a broken request raises no error', async () => {
  const target = await targetForTest(patient)
  for (let nth = 0; nth < 50; nth += 1) {
    const connection = await target.connect()
    await connection.say(`${requestText('GET /nothing').repeat(nth % 3)}POST /v1/videos HTTP/1.1\r\nbroken`)
    connection.socket.resetAndDestroy()
  }
  await target.idle()
  const connection = await target.connect()
  void connection.say(requestText('GET /nothing'))
  expect((await connection.answer())?.status).toBe(404)
  connection.leave()
})

test('a connection can ask only so much before it has read the answers', async () => {
  const target = await targetForTest({ requestsAtOncePerConnection: 3 })
  const connection = await target.connect()
  const waiting = requestText('GET /_backlot/wait?for=inbox&name=x&timeout=100ms', { Host: 'localhost' })
  void connection.say(waiting.repeat(5))
  const statuses = []
  for (let nth = 0; nth < 4; nth += 1) statuses.push((await connection.answer())?.status)
  expect(statuses).toEqual([408, 408, 408, 503])
  await connection.ended()
})

test('a connection is closed after as many requests as the setting says', async () => {
  const target = await targetForTest({ requestsPerConnection: 2 })
  const connection = await target.connect()
  void connection.say(requestText('GET /nothing').repeat(3))
  const [first, second] = [await connection.answer(), await connection.answer()]
  expect([first?.headers.connection, second?.headers.connection]).toEqual(['keep-alive', 'close'])
  await connection.ended()
})

test('100-continue is answered before the body comes', async () => {
  const target = await targetForTest()
  const connection = await target.connect()
  void connection.say(requestText('POST /v1/videos', { Expect: '100-continue', 'Content-Length': 2 }))
  const [first] = await Promise.all([new Promise((resolve) => connection.socket.once('data', resolve))])
  expect(String(first)).toMatch(/^HTTP\/1.1 100 Continue/)
  void connection.say('{}')
  expect((await connection.answer())?.status).toBe(401)
  connection.leave()
})

test('a body that says that it is too large is refused without being sent', async () => {
  const target = await targetForTest()
  const connection = await target.connect()
  const headers = { Authorization: 'k', 'Content-Length': 10 ** 12 }
  void connection.say(requestText('POST /v1/videos', headers))
  expect((await connection.answer())?.status).toBe(413)
  connection.leave()
})

test('a body in chunks is refused as soon as it is too large', async () => {
  const target = await targetForTest({ videoBodyBytes: 10_000 })
  const connection = await target.connect()
  const headers = { Authorization: 'k', 'Transfer-Encoding': 'chunked' }
  void connection.say(requestText('POST /v1/videos', headers))
  void connection.say(`2711\r\n${' '.repeat(10_001)}\r\n`)
  expect((await connection.answer())?.status).toBe(413)
  connection.leave()
})

test('bodies that are read at the same time share their room, and small ones need none', async () => {
  const target = await targetForTest({ bodyBytesAtOnce: 100_000 })
  const begun = async (length: number) => {
    const connection = await target.connect()
    const headers = { Authorization: 'k', 'Content-Length': 160_000 }
    void connection.say(requestText('POST /v1/videos', headers, ' '.repeat(length)))
    return connection
  }
  const first = await begun(150_000)
  const second = await begun(150_000)
  const refused = await Promise.race([first.answer(), second.answer()])
  expect(refused?.status).toBe(429)
  expect(refused?.text).toContain('bodyBytesAtOnce')
  const small = await target.connect()
  void small.say(requestText('POST /v1/videos', { Authorization: 'k', 'Content-Length': 2 }, '{}'))
  expect((await small.answer())?.status).toBe(400)
  for (const connection of [first, second, small]) connection.leave()
})

test.each([
  ['a length', { 'Content-Length': 200_000 }, ''],
  ['chunks', { 'Transfer-Encoding': 'chunked' }, `30d40\r\n${' '.repeat(200_000)}\r\n`],
])('a body with %s that never fits into the room of bodies is too large', async (_, framing, body) => {
  const target = await targetForTest({ bodyBytesAtOnce: 100_000 })
  const connection = await target.connect()
  void connection.say(requestText('POST /v1/videos', { Authorization: 'k', ...framing }, body))
  const refused = await connection.answer()
  expect(refused?.status).toBe(413)
  expect(refused?.headers['retry-after']).toBeUndefined()
  expect(refused?.text).toContain('larger than the 165536 bytes')
  expect(refused?.text).toContain('bodyBytesAtOnce')
  connection.leave()
})

test('a body in crumbs is refused, and the rest of it is not waited for', async () => {
  const target = await targetForTest(patient)
  const connection = await target.connect()
  const headers = { Authorization: 'k', 'Transfer-Encoding': 'chunked' }
  void connection.say(requestText('POST /v1/videos', headers))
  void connection.say('1\r\n \r\n'.repeat(20_001))
  const answer = await connection.answer()
  expect([answer?.status, answer?.text.includes('too many tiny chunks')]).toEqual([400, true])
  await connection.ended()
})

test('a body of as many crumbs as are read is read', async () => {
  const target = await targetForTest(patient)
  const connection = await target.connect()
  const headers = { Authorization: 'k', 'Transfer-Encoding': 'chunked' }
  void connection.say(requestText('POST /v1/videos', headers))
  void connection.say(`${'1\r\n \r\n'.repeat(19_998)}1\r\n{\r\n1\r\n}\r\n0\r\n\r\n`)
  expect((await connection.answer())?.text).toContain('model is required')
  connection.leave()
})

test.each([
  // Not 64: where a read ends within a chunk, that counts as two.
  [65, 'model is required'],
  [63, 'more than 20,000 below 64 bytes'],
])('20,001 chunks are crumbs only if they have fewer than 64 bytes; of %i: %s', async (bytes, expected) => {
  const target = await targetForTest(patient)
  const connection = await target.connect()
  void connection.say(requestText('POST /v1/videos', { Authorization: 'k', 'Transfer-Encoding': 'chunked' }))
  const chunk = (text: string) => `${text.length.toString(16)}\r\n${text}\r\n`
  void connection.say(chunk('{}'.padEnd(bytes)) + chunk(' '.repeat(bytes)).repeat(20_000) + chunk(''))
  const answer = await connection.answer()
  expect([answer?.status, answer?.text]).toEqual([400, expect.stringContaining(expected)])
  connection.leave()
})

test('a client that sends the rest of a refused body keeps its connection', async () => {
  const target = await targetForTest({ ...patient, videoBodyBytes: 10 })
  const connection = await target.connect()
  void connection.say(requestText('POST /v1/videos', { Authorization: 'k', 'Content-Length': 20 }, '{}'))
  expect((await connection.answer())?.status).toBe(413)
  void connection.say(`${' '.repeat(18)}${requestText('GET /nothing')}`)
  expect((await connection.answer())?.status).toBe(404)
  connection.leave()
})

test('a connection that asks for more than it may at once is read as its answers go out', async () => {
  const target = await targetForTest()
  const connection = await target.connect()
  // Of 100 bytes each, so that what is read at a time is less than the 1,000 that may wait.
  const text = requestText('GET /nothing', { 'X-A': 'a'.repeat(48) })
  expect(text).toHaveLength(100)
  void connection.say(text.repeat(3_000))
  for (let nth = 1; nth <= 3_000; nth += 1) expect((await connection.answer())?.status).toBe(404)
  connection.leave()
})
