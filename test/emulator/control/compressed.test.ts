import { createServer, type IncomingHttpHeaders, request } from 'node:http'
import { gunzipSync } from 'node:zlib'
import { expect, onTestFinished, test } from 'vitest'
import { endCompressed, takesGzip } from '../../../src/emulator/control/compressed.js'
import { startEmulator } from '../../../src/index.js'

interface Received {
  readonly headers: IncomingHttpHeaders
  readonly body: Buffer
}

/** A GET, or another method, whose body is left as it came. */
const receive = (url: string, headers: Record<string, string>, method = 'GET'): Promise<Received> =>
  new Promise((resolve, reject) =>
    request(url, { headers, method }, async (response) => {
      const chunks: Buffer[] = []
      for await (const chunk of response) chunks.push(chunk)
      resolve({ headers: response.headers, body: Buffer.concat(chunks) })
    })
      .on('error', reject)
      .end(),
  )

const serve = (body: string): string => {
  const server = createServer((incoming, response) => void endCompressed(incoming, response, body)).listen(0)
  onTestFinished(() => void server.close())
  const address = server.address()
  return `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`
}

test.each([
  ['gzip, deflate, br', true],
  ['deflate, GZIP;q=0.5', true],
  ['*', true],
  ['', false],
  ['br', false],
  ['gzip;q=0, *', false],
  ['*;q=0.000', false],
])('a client that sends %j takes gzip: %s', (header, takes) => expect(takesGzip(header)).toBe(takes))

test('a body is compressed from 4,096 bytes on, where the client takes it', async () => {
  const large = serve('é'.repeat(2_048))
  const compressed = await receive(large, { 'accept-encoding': 'gzip' })
  expect(compressed.headers).toMatchObject({ 'content-encoding': 'gzip', vary: 'Accept-Encoding' })
  expect(Number(compressed.headers['content-length'])).toBe(compressed.body.length)
  expect(gunzipSync(compressed.body).toString()).toBe('é'.repeat(2_048))
  const plain = await receive(large, {})
  expect([plain.headers['content-encoding'], plain.body.length]).toEqual([undefined, 4_096])
  const small = await receive(serve('x'.repeat(4_095)), { 'accept-encoding': 'gzip' })
  expect([small.headers['content-encoding'], small.body.length]).toEqual([undefined, 4_095])
})

test('HEAD is answered with the headers alone', async () => {
  const { headers, body } = await receive(serve('x'.repeat(5_000)), { 'accept-encoding': 'gzip' }, 'HEAD')
  expect([headers['content-encoding'], body.length]).toEqual(['gzip', 0])
})

test('lists of the control API travel compressed, and are what they are without it', async () => {
  await using emulator = await startEmulator()
  const url = `${emulator.url}/_backlot/rules`
  const compressed = await receive(url, { 'accept-encoding': 'gzip' })
  expect(compressed.headers['content-type']).toMatch(/^application\/json/)
  const plain = await receive(url, {})
  expect(gunzipSync(compressed.body)).toEqual(plain.body)
  expect(compressed.body.length).toBeLessThan(plain.body.length / 3)
})
