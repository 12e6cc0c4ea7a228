import { createHash } from 'node:crypto'
import { expect, test, vi } from 'vitest'
import { ClientDisconnected } from '../../../../src/emulator/core/errors.js'
import type { Body } from '../../../../src/emulator/core/model/call.js'
import { assetWith } from '../../core/asset-literals.js'
import { file, formOf, openReception, picture } from './reception.js'

const hash = createHash('sha256').update(picture).digest('hex')

test('a form is its fields, and its file with what its bytes say', async () => {
  const { send, blobs } = await openReception()
  expect(await send([{ name: 'group_id', value: 'posters' }, file({ filename: '首帧.png' })])).toEqual({
    kind: 'form',
    fields: { group_id: 'posters' },
    files: [
      {
        field: 'file',
        name: '首帧.png',
        bytes: picture.length,
        blob: hash,
        format: 'png',
        probe: { kind: 'image', format: 'png', bytes: picture.length, width: 640, height: 360 },
      },
    ],
  })
  expect(Buffer.from((await blobs.read(hash)) as Uint8Array)).toEqual(picture)
})

test('the order of the parts does not matter', async () => {
  const { send } = await openReception()
  const { fields, files } = await send([file(), { name: 'group_id', value: 'posters' }])
  expect([fields, files.length]).toEqual([{ group_id: 'posters' }, 1])
})

test('a form without a file is read as one', async () => {
  const { send } = await openReception()
  expect(await send([{ name: 'group_id', value: 'a' }])).toEqual({
    kind: 'form',
    fields: { group_id: 'a' },
    files: [],
  })
})

test('nothing is left behind but the blob', async () => {
  const { send, blobs, filesIn } = await openReception()
  await send([file()])
  expect(await filesIn()).toEqual([blobs.path(hash)])
})

test('a file of an unknown format has no format', async () => {
  const { send } = await openReception()
  const { files } = await send([file({ value: 'just text' })])
  expect(files).toMatchObject([{ bytes: 9, probe: { kind: 'unreadable', reason: 'unknown' } }])
  expect(files[0]).not.toHaveProperty('format')
})

test('an empty file is a file', async () => {
  const { send } = await openReception()
  const { files } = await send([file({ value: '' })])
  expect(files).toMatchObject([{ bytes: 0, probe: { kind: 'unreadable' } }])
})

test('large files are read whole, one beside the other', async () => {
  const { send } = await openReception()
  const large = (value: number) => Buffer.concat([picture, Buffer.alloc(17 * 2 ** 20, value)])
  const sent = [large(1), large(2), Buffer.concat([picture, Buffer.alloc(2 ** 20, 3)])]
  const bodies = await Promise.all(sent.map((value) => send([file({ value })])))
  for (const [index, { files }] of bodies.entries())
    expect(files).toMatchObject([
      {
        bytes: sent[index]?.length,
        blob: createHash('sha256')
          .update(sent[index] as Buffer)
          .digest('hex'),
        probe: { kind: 'image', width: 640 },
      },
    ])
})

const asBody = (body: unknown) => body as Body

test('a file that a change keeps stays pinned', async () => {
  const { send, uploads, blobs } = await openReception()
  await uploads.complete(asBody(await send([file()])), [{ putAsset: assetWith({ blob: hash }) }])
  expect(blobs.stats().pinnedBytes).toBe(picture.length)
})

test('a file that no change keeps may go', async () => {
  const { send, uploads, blobs } = await openReception()
  await uploads.complete(asBody(await send([file()])), [])
  expect(blobs.stats().pinnedBytes).toBe(0)
})

test('a file that was uploaded twice stays until both assets are gone', async () => {
  const { send, uploads, blobs } = await openReception()
  const asset = assetWith({ blob: hash })
  for (const body of [await send([file()]), await send([file()])])
    await uploads.complete(asBody(body), [{ putAsset: asset }])
  await uploads.unpinAssets([asset])
  expect(blobs.stats().pinnedBytes).toBe(picture.length)
  await uploads.unpinAssets([asset])
  expect(blobs.stats().pinnedBytes).toBe(0)
})

test('an asset whose file was missing takes no pin from one that was uploaded later', async () => {
  const { send, uploads, blobs } = await openReception()
  const asset = assetWith({ blob: hash })
  expect(await uploads.pinAssets([asset, asset])).toEqual([asset, asset])
  await uploads.complete(asBody(await send([file()])), [{ putAsset: asset }])
  await uploads.unpinAssets([asset, asset])
  expect(blobs.stats().pinnedBytes).toBe(picture.length)
  await uploads.unpinAssets([asset])
  expect(blobs.stats().pinnedBytes).toBe(0)
})

const isWriting = (filesIn: () => Promise<string[]>) => expect.poll(filesIn, { interval: 5 }).toHaveLength(1)

test('a client that goes away before its form is read leaves nothing', async () => {
  const { beginToSend, filesIn } = await openReception()
  const { socket, received } = await beginToSend()
  socket.destroy()
  await expect(received).rejects.toBeInstanceOf(ClientDisconnected)
  expect(await filesIn()).toEqual([])
})

test('a client that goes away in the middle of its file leaves nothing', async () => {
  const { beginToSend, filesIn } = await openReception()
  const { socket, received } = await beginToSend()
  await isWriting(filesIn)
  socket.destroy()
  await expect(received).rejects.toBeInstanceOf(ClientDisconnected)
  expect(await filesIn()).toEqual([])
})

test('a stop in the middle leaves nothing', async () => {
  const { beginToSend, uploads, filesIn } = await openReception()
  const { received } = await beginToSend()
  const ended = expect(received).rejects.toBeInstanceOf(ClientDisconnected)
  await isWriting(filesIn)
  await uploads.stop()
  await ended
  expect(await filesIn()).toEqual([])
})

test('after a stop nothing is taken', async () => {
  const { send, uploads } = await openReception()
  await uploads.stop()
  expect(await send([file()])).toMatchObject({ kind: 'not-kept' })
})

test('a form that the store takes no more since it was stopped is not kept, and not said to be unreadable', async () => {
  const { blobs, send } = await openReception()
  await blobs.stop()
  expect(await send([file()])).toEqual({
    kind: 'not-kept',
    detail: 'An input came in after the emulator was stopped',
  })
})

test('one upload more than the setting uploadsAtOnce is refused, and accepted later', async () => {
  const { send, beginToSend } = await openReception({ settings: { uploadsAtOnce: 1 } })
  const { socket, received } = await beginToSend()
  expect(await send([file()])).toEqual({
    kind: 'busy',
    detail: '1 upload is being read, and the setting uploadsAtOnce is 1',
  })
  socket.destroy()
  await expect(received).rejects.toBeInstanceOf(ClientDisconnected)
  expect(await send([file()])).toMatchObject({ kind: 'form' })
})

const limits = { assetImageBytes: 4_000, assetVideoBytes: 5_000, assetAudioBytes: 3_000 }
const ofBytes = (bytes: number) => [file({ value: Buffer.alloc(bytes, 1) })]

test('a file may have as many bytes as the largest kind', async () => {
  const { send } = await openReception({ settings: limits })
  expect(await send(ofBytes(5_000))).toMatchObject({ kind: 'form' })
})

test.each([
  ['one byte more, which is found while it comes in', 5_001],
  ['far more, which is found before', 5_000 + 2 ** 21],
])('%s is too large', async (_, bytes) => {
  const { send, filesIn } = await openReception({ settings: limits })
  expect(await send(ofBytes(bytes))).toEqual({
    kind: 'too-large',
    limit: 5_000,
    detail:
      'The file is larger than 5000 bytes, the most that a file of any kind may have (setting assetVideoBytes)',
  })
  expect(await filesIn()).toEqual([])
})

test('a form in chunks has the bytes that came, and one that was not read to its end more than the limit', async () => {
  const { bytesOfChunks } = await openReception({ settings: limits })
  expect(await bytesOfChunks(formOf(ofBytes(4_500)))).toBe(formOf(ofBytes(4_500)).length)
  expect(await bytesOfChunks(formOf(ofBytes(9_000)))).toBe(5_001)
})

test('a refusal of full inputs names the setting, and no file remains', async () => {
  const { send, filesIn } = await openReception({ blobs: { maxBytes: 100 } })
  expect(await send([file()])).toMatchObject({
    kind: 'busy',
    detail: expect.stringContaining('inputBytes'),
  })
  expect(await filesIn()).toEqual([])
})

test('an upload that cannot be written is refused with the cause', async () => {
  const { send } = await openReception({ folder: '/dev/null/uploads' })
  expect(await send([file()])).toMatchObject({
    kind: 'not-kept',
    detail: expect.stringMatching(/^The file could not be written: .* \(ENOTDIR, .*mediaFolder$/),
  })
})

test('an error of the emulator itself is not taken for one of the form', async () => {
  const { send, blobs, filesIn } = await openReception()
  vi.spyOn(blobs, 'putFile').mockRejectedValue(new TypeError('not a function'))
  await expect(send([file()])).rejects.toThrow('socket hang up')
  expect(await filesIn()).toEqual([])
})

test('a form that is cut short by its own length is unreadable', async () => {
  const { send, filesIn } = await openReception()
  expect(await send(formOf([file()]).subarray(0, 2_000))).toMatchObject({ kind: 'unreadable' })
  expect(await filesIn()).toEqual([])
})
