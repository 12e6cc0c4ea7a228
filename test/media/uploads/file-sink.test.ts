import { createHash } from 'node:crypto'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { finished, pipeline } from 'node:stream/promises'
import { expect, onTestFinished, test } from 'vitest'
import { createFileHashes } from '../../../src/media/uploads/file-hashes.js'
import { createFileSink } from '../../../src/media/uploads/file-storage.js'
import { createChunkList, PIECE_BYTES } from '../../../src/media/uploads/pieces.js'

const openSink = async (name = 'upload') => {
  const folder = await mkdtemp(join(tmpdir(), 'sink-'))
  const hashes = createFileHashes()
  onTestFinished(async () => {
    await hashes.stop()
    await rm(folder, { recursive: true, force: true })
  })
  const path = join(folder, name)
  return { hashes, path, sink: createFileSink(path, { hashes, pieces: createChunkList() }) }
}

/** Bytes of which no two pieces are alike, in chunks as they could come from a socket. */
const bytesOf = (count: number): Buffer =>
  Buffer.from(Uint32Array.from({ length: count / 4 + 1 }, (_, at) => at).buffer).subarray(0, count)
const chunksOf = (bytes: Buffer, size: number): Buffer[] =>
  Array.from({ length: Math.ceil(bytes.length / size) }, (_, at) =>
    bytes.subarray(at * size, (at + 1) * size),
  )

test.each([
  ['nothing', 0, 1],
  ['a byte', 1, 1],
  ['a piece less a byte', PIECE_BYTES - 1, 65_536],
  ['exactly a piece', PIECE_BYTES, 65_536],
  ['a piece and a byte', PIECE_BYTES + 1, 65_536],
  ['exactly three pieces, in chunks that fit none', 3 * PIECE_BYTES, 50_001],
  ['many pieces in one chunk', 9 * PIECE_BYTES + 7, 10 * PIECE_BYTES],
])('%s is written as it came, and hashed where it has more than a piece', async (_, count, size) => {
  const { sink, path } = await openSink()
  const bytes = bytesOf(count)
  await pipeline(Readable.from(chunksOf(bytes, size)), sink.out)
  const hash = await sink.closed
  expect(sink.bytes()).toBe(count)
  expect((await readFile(path)).equals(bytes)).toBe(true)
  const right = createHash('sha256').update(bytes).digest('hex')
  expect(hash).toBe(count < PIECE_BYTES ? undefined : right)
})

test('a folder that somebody has removed is made again', async () => {
  const { sink, path } = await openSink('gone/upload')
  await pipeline(Readable.from([Buffer.from('here')]), sink.out)
  await sink.closed
  expect(await readFile(path, 'utf8')).toBe('here')
})

test('where the thread that hashes is lost, the file is whole and its hash is not known', async () => {
  const { hashes, sink, path } = await openSink()
  const bytes = bytesOf(4 * PIECE_BYTES)
  const source = async function* () {
    yield bytes.subarray(0, 2 * PIECE_BYTES)
    await hashes.stop()
    yield bytes.subarray(2 * PIECE_BYTES)
  }
  await pipeline(source, sink.out)
  expect(await sink.closed).toBeUndefined()
  expect((await readFile(path)).equals(bytes)).toBe(true)
})

test('a file that is given up in the middle is closed, and the next one is right', async () => {
  const { hashes, sink } = await openSink()
  sink.out.write(bytesOf(3 * PIECE_BYTES))
  sink.out.destroy(new Error('the client went away'))
  await expect(finished(sink.out)).rejects.toThrow('the client went away')
  expect(await sink.closed).toBeUndefined()
  const folder = await mkdtemp(join(tmpdir(), 'sink-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const next = createFileSink(join(folder, 'next'), { hashes, pieces: createChunkList() })
  const bytes = bytesOf(2 * PIECE_BYTES)
  await pipeline(Readable.from([bytes]), next.out)
  expect(await next.closed).toBe(createHash('sha256').update(bytes).digest('hex'))
})
