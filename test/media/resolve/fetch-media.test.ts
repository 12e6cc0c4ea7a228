import { expect, test } from 'vitest'
import { createMediaFetcher } from '../../../src/media/resolve/fetch-media.js'
import { openLocalServer } from './local-server.js'

const fetcher = (timeoutMs = 10_000) =>
  createMediaFetcher({ timeoutMs, maxBytes: 1_000, mayConnect: () => true })

test.each([
  ['answers nothing', 0],
  ['sends a part of the file and no more', 1],
])('a server that %s is given up after the time', async (_, bytes) => {
  const { url, port } = await openLocalServer((_request, response) => {
    if (bytes > 0) response.write(Buffer.alloc(bytes))
  })
  expect(await fetcher(100)(new URL(url))).toEqual({
    reason: 'unreachable',
    detail: `127.0.0.1:${port} did not send the whole within 0.1 s`,
  })
})

test('a file that is cut short is not taken for the whole', async () => {
  const { url, port } = await openLocalServer((_request, response) => {
    response.writeHead(200, { 'content-length': 100 })
    response.write('a', () => response.socket?.destroy())
  })
  expect(await fetcher()(new URL(url))).toEqual({
    reason: 'unreachable',
    detail: `127.0.0.1:${port} cannot be reached (aborted)`,
  })
})

test('of a file that is too large no more is read', async () => {
  const { url } = await openLocalServer((_request, response) => response.write(Buffer.alloc(1_001)))
  expect(await fetcher()(new URL(url))).toEqual({
    reason: 'too-large',
    detail: 'it is larger than 1000 bytes',
  })
})
