import { writeFile } from 'node:fs/promises'
import { IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import type { PictureSpec } from '../../../src/emulator/core/media/spec.js'
import type { Renderer } from '../../../src/emulator/media/render/renderer.js'
import { readMedia } from '../../../src/emulator/service/decide.js'
import { createSendResult, isUnchanged } from '../../../src/emulator/service/files.js'
import { newFolder } from '../../folder.js'
import { openLocalServer } from '../media/resolve/local-server.js'

const noHandles = () =>
  Promise.reject(
    Object.assign(new Error('EMFILE'), { code: 'EMFILE', syscall: 'open', path: '/usr/bin/node' }),
  )

const stage = () => {
  const health = { report: vi.fn(), resolve: vi.fn() }
  return { health, onInternalError: vi.fn() }
}

test('a result that cannot be sent for want of file handles is a health issue, until one is sent', async () => {
  const parts = stage()
  const open = async () => ({ release: () => {} })
  const send = createSendResult({ ...parts, renderer: { open } as unknown as Renderer })
  const request = new IncomingMessage(new Socket())
  const codes: string[] = []
  const fileError = ({ code }: { code: string }) => ({ status: 500, body: codes.push(code) })
  for (const handleFile of [noHandles, async () => undefined])
    await send({} as PictureSpec, request, new ServerResponse(request), fileError, handleFile)
  expect(codes).toEqual(['out-of-handles'])
  expect(parts.health.report.mock.calls).toMatchObject([['results', { code: 'out-of-handles' }]])
  expect(parts.health.resolve.mock.calls).toEqual([['results']])
  expect(parts.onInternalError).not.toHaveBeenCalled()
})

test('a result that another process evicts before it is sent is rendered once more', async () => {
  const folder = newFolder()
  await writeFile(join(folder, 'there.png'), 'pixels')
  const names = ['evicted.png', 'there.png']
  const file = { contentType: 'image/png', bytes: 6, etag: '"a"', release: () => {} }
  const open = async () => ({ ...file, path: join(folder, names.shift() ?? '') })
  const parts = stage()
  const send = createSendResult({ ...parts, renderer: { open } as unknown as Renderer })
  const fileError = () => ({ status: 500, body: {} })
  const { url } = await openLocalServer((request, response) => {
    void send({} as PictureSpec, request, response, fileError)
  })
  const answer = await fetch(url, { headers: { range: 'bytes=0-2' } })
  expect([answer.status, await answer.text()]).toEqual([206, 'pix'])
  expect(parts.health.report).not.toHaveBeenCalled()
})

test('the error in the place of a file has none of the headers of the file', async () => {
  const folder = newFolder()
  const file = { contentType: 'image/png', bytes: 6, etag: '"a"', release: () => {} }
  const open = async () => ({ ...file, path: join(folder, 'evicted.png') })
  const send = createSendResult({ ...stage(), renderer: { open } as unknown as Renderer })
  const { url } = await openLocalServer((request, response) => {
    void send({} as PictureSpec, request, response, () => ({ status: 500, body: {} }))
  })
  const { status, headers } = await fetch(url)
  expect([status, headers.get('content-type')]).toEqual([500, 'application/json; charset=utf-8'])
  expect([headers.get('etag'), headers.get('cache-control')]).toEqual([null, null])
})

test('a result that breaks off while it is sent ends the connection', async () => {
  const parts = stage()
  const open = async () => ({ release: () => {} })
  const send = createSendResult({ ...parts, renderer: { open } as unknown as Renderer })
  const request = new IncomingMessage(new Socket())
  const response = new ServerResponse(request)
  const breakOff = async () => {
    response.writeHead(200, { 'Content-Length': 9 }).write('half')
    throw Object.assign(new Error('EIO'), { code: 'EIO' })
  }
  const fileError = () => ({ status: 500, body: {} })
  expect(await send({} as PictureSpec, request, response, fileError, breakOff)).toBeUndefined()
  expect(response.destroyed).toBe(true)
})

test('media that cannot be read for want of file handles are a health issue', async () => {
  const parts = stage()
  const exchange = { prepared: { mediaRefs: [{}] }, call: { body: { kind: 'none' } } }
  await readMedia(exchange as never, { ...parts, resolveMedia: noHandles })
  expect(parts.health.report.mock.calls).toMatchObject([['inputs', { code: 'out-of-handles' }]])
  expect(parts.onInternalError).not.toHaveBeenCalled()
})

test.each([
  ['the ETag', { 'if-none-match': '"a"' }, true],
  ['the ETag as a weak one', { 'if-none-match': 'W/"a"' }, true],
  ['one of several', { 'if-none-match': '"b", "a"' }, true],
  ['any', { 'if-none-match': '*' }, true],
  ['no-cache beside it', { 'if-none-match': '"a"', 'cache-control': 'no-cache' }, true],
  ['another ETag', { 'if-none-match': '"b"' }, false],
  ['one that begins like it', { 'if-none-match': '"aa"' }, false],
  ['nothing', {}, false],
  ['both conditions', { 'if-none-match': '"a"', 'if-match': '"a"' }, false],
])('a caller that says %s', (_, headers, isKnown) => expect(isUnchanged(headers, '"a"')).toBe(isKnown))
