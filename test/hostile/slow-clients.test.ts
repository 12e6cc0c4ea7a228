import { expect, test } from 'vitest'
import { patient } from './target.js'
import { targetForTest } from './target-for-test.js'
import { requestText } from './wire.js'

const JSON_TYPE = { Authorization: 'Bearer slow', 'Content-Type': 'application/json' }

test.each([
  ['says nothing', ''],
  ['never ends its headers', 'POST /v1/videos HTTP/1.1\r\nHost: x\r\nX-A: '],
  ['sends one byte', 'G'],
])('a client that %s is told to go after the time for headers', async (_, text) => {
  const target = await targetForTest({ headersTimeoutMs: 50 })
  const connection = await target.connect()
  void connection.say(text)
  const answer = await connection.answer()
  expect(answer?.status).toBe(408)
  expect(answer?.text).toContain('headersTimeoutMs')
  await connection.ended()
})

test.each([
  ['a body', requestText('POST /v1/videos', { ...JSON_TYPE, 'Content-Length': 100 }, '{')],
  ['chunks', requestText('POST /v1/videos', { ...JSON_TYPE, 'Transfer-Encoding': 'chunked' }, '1\r\n{\r\n')],
  [
    'a form',
    requestText(
      'POST /v1/asset/upload',
      { Authorization: 'k', 'Content-Type': 'multipart/form-data; boundary=b', 'Content-Length': 9_000 },
      '--b\r\nContent-Disposition: form-data; name="file"; filename="a.png"\r\n\r\nxx',
    ),
  ],
])('a client that never ends %s is told to go after the time for requests', async (_, text) => {
  const target = await targetForTest({ headersTimeoutMs: 50, requestTimeoutMs: 100 })
  const connection = await target.connect()
  void connection.say(text)
  const answer = await connection.answer()
  expect(answer?.status).toBe(408)
  expect(answer?.text).toContain('requestTimeoutMs')
  await connection.ended()
})

test('a request that comes byte by byte is read', async () => {
  const target = await targetForTest(patient)
  const connection = await target.connect()
  connection.socket.setNoDelay(true)
  const body = '{"model":1}'
  const text = requestText('POST /v1/videos', { ...JSON_TYPE, 'Content-Length': body.length }, body)
  for (const character of text) await connection.say(character)
  expect((await connection.answer())?.text).toContain('model must be')
  connection.leave()
})

test('a client that asks nothing more is let go after the time for that', async () => {
  const target = await targetForTest({ keepAliveTimeoutMs: 20 })
  const connection = await target.connect()
  void connection.say(requestText('GET /nothing'))
  expect((await connection.answer())?.status).toBe(404)
  await connection.ended()
})

test('a client that closes its half after asking still has its answer', async () => {
  const target = await targetForTest(patient)
  const connection = await target.connect()
  connection.socket.end(requestText('GET /nothing'))
  expect((await connection.answer())?.status).toBe(404)
  await connection.ended()
})

test('a client that closes its half has an answer that comes later, too', async () => {
  const target = await targetForTest(patient)
  const connection = await target.connect()
  const wait = '/_backlot/wait?for=inbox&name=x&timeout=100ms'
  connection.socket.end(requestText(`GET ${wait}`, { Host: 'localhost' }))
  expect((await connection.answer())?.status).toBe(408)
  await connection.ended()
})

test('the time for requests may be shorter than the one for headers', async () => {
  const target = await targetForTest({ headersTimeoutMs: 60_000, requestTimeoutMs: 50 })
  const connection = await target.connect()
  void connection.say('POST /v1/videos HTTP/1.1\r\nHost: x\r\nX-A: ')
  const answer = await connection.answer()
  expect(answer?.status).toBe(408)
  expect(answer?.text).toContain('(setting requestTimeoutMs)')
  await connection.ended()
})

test('an answer says for how long its connection is kept', async () => {
  const target = await targetForTest({ keepAliveTimeoutMs: 7_000 })
  const connection = await target.connect()
  void connection.say(requestText('GET /nothing'))
  expect((await connection.answer())?.headers['keep-alive']).toContain('timeout=7')
  connection.leave()
})

test('a client that does not read its answer is let go after the time for that', async () => {
  const target = await targetForTest({ ...patient, unreadTimeoutMs: 50 })
  const connection = await target.connect()
  connection.socket.pause()
  // More answers than the system keeps for both sides.
  void connection.say(requestText('GET /_backlot/rules', { Host: 'localhost' }).repeat(500))
  await target.idle()
  connection.socket.resume()
  await connection.ended()
  expect(connection.socket.bytesRead).toBeLessThan(50 * 2 ** 20)
})

test('a client that waits for its answer longer than that is not', async () => {
  const target = await targetForTest({ ...patient, unreadTimeoutMs: 20 })
  const connection = await target.connect()
  const wait = '/_backlot/wait?for=inbox&name=x&timeout=200ms'
  void connection.say(requestText(`GET ${wait}`, { Host: 'localhost' }))
  expect((await connection.answer())?.status).toBe(408)
  connection.leave()
})

test('the queries of others are answered while hundreds of slow clients are not', async () => {
  const target = await targetForTest(patient)
  const slow = await Promise.all(Array.from({ length: 300 }, () => target.connect()))
  for (const connection of slow) void connection.say('POST /v1/videos HTTP/1.1\r\nHost: x\r\nX-A: a')
  const other = await target.connect()
  for (let nth = 0; nth < 20; nth += 1) {
    void other.say(requestText('GET /v1/videos/nothing', { Authorization: 'other' }))
    expect((await other.answer())?.status).toBe(404)
  }
  for (const connection of [...slow, other]) connection.leave()
})
