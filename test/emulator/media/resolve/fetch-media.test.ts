import { expect, test } from 'vitest'
import { createMediaFetcher, followRedirects } from '../../../../src/emulator/media/resolve/fetch-media.js'
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

test('a file of the largest size is read', async () => {
  const { url } = await openLocalServer((_request, response) => response.end(Buffer.alloc(1_000)))
  expect(await fetcher()(new URL(url))).toEqual({ bytes: Buffer.alloc(1_000) })
})

test.each([301, 302, 303, 307, 308])('a redirect of the status %i says where it leads', async (status) => {
  const { url } = await openLocalServer((_request, response) =>
    response.writeHead(status, { location: '/there' }).end(),
  )
  expect(await fetcher()(new URL(url))).toMatchObject({ movedTo: '/there' })
})

test('a foreign host cannot send the reader to this machine', async () => {
  const read: string[] = []
  const result = await followRedirects(new URL('http://media.example/a'), async ({ href }) => {
    read.push(href)
    return { reason: 'unreachable', detail: 'moved', movedTo: 'http://127.0.0.1:6379/' }
  })
  expect(result).toMatchObject({
    detail: expect.stringContaining('media.example redirects to 127.0.0.1:6379'),
  })
  expect(read).toEqual(['http://media.example/a'])
})
