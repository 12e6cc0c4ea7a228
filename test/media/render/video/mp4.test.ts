import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { newStudio, video } from '../specs.js'

const boxesIn = (bytes: Buffer): { type: string; content: Buffer }[] => {
  const boxes = []
  for (let at = 0; at < bytes.length; at += bytes.readUInt32BE(at)) {
    const content = bytes.subarray(at + 8, at + bytes.readUInt32BE(at))
    boxes.push({ type: bytes.toString('latin1', at + 4, at + 8), content })
  }
  return boxes
}

/** The contents of all boxes at a path of types. */
const inside = (bytes: Buffer, ...types: string[]): Buffer[] =>
  types.reduce<Buffer[]>(
    (found, type) =>
      found.flatMap((each) => boxesIn(each).flatMap((box) => (box.type === type ? [box.content] : []))),
    [bytes],
  )

const drawn = async (): Promise<Buffer> =>
  readFile((await (await newStudio()).open(video({ seconds: 3, hasAudio: true }))).path)

test('the index comes before the pictures', async () => {
  expect(boxesIn(await drawn()).map(({ type }) => type)).toEqual(['ftyp', 'moov', 'mdat'])
})

test('container, pictures and sound are equally long, to the tick', async () => {
  const file = await drawn()
  const [movie] = inside(file, 'moov', 'mvhd')
  expect((movie?.readUInt32BE(16) ?? 0) / (movie?.readUInt32BE(12) ?? 1)).toBe(3)
  const tracks = inside(file, 'moov', 'trak', 'mdia', 'mdhd')
  expect(tracks.map((track) => track.readUInt32BE(16) / track.readUInt32BE(12))).toEqual([3, 3])
  const ticks = inside(file, 'moov', 'trak', 'mdia', 'minf', 'stbl', 'stts').map((table) => {
    const entries = Array.from({ length: table.readUInt32BE(4) }, (_, index) => 8 + index * 8)
    return entries.reduce((sum, at) => sum + table.readUInt32BE(at) * table.readUInt32BE(at + 4), 0)
  })
  expect(ticks).toEqual(tracks.map((track) => track.readUInt32BE(16)))
})

test('every second begins with a key frame', async () => {
  const [table] = inside(await drawn(), 'moov', 'trak', 'mdia', 'minf', 'stbl', 'stss')
  const keys = Array.from({ length: table?.readUInt32BE(4) ?? 0 }, (_, index) =>
    table?.readUInt32BE(8 + index * 4),
  )
  expect(keys).toEqual([1, 25, 49])
})

test('chunks begin where the index says and fill the rest of the file', async () => {
  const file = await drawn()
  const offsets = inside(file, 'moov', 'trak', 'mdia', 'minf', 'stbl', 'stco').map((table) =>
    Array.from({ length: table.readUInt32BE(4) }, (_, index) => table.readUInt32BE(8 + index * 4)),
  )
  const sizes = inside(file, 'moov', 'trak', 'mdia', 'minf', 'stbl', 'stsz').map((table) =>
    Array.from({ length: table.readUInt32BE(8) }, (_, index) => table.readUInt32BE(12 + index * 4)),
  )
  const [data] = inside(file, 'mdat')
  const start = file.length - (data?.length ?? 0)
  expect(Math.min(...offsets.flat())).toBe(start)
  expect(sizes.flat().reduce((sum, size) => sum + size, 0)).toBe(data?.length)
  // In a picture, the first unit's length is followed by a slice: 5 for a key frame.
  for (const offset of offsets[0] ?? []) expect((file[offset + 4] ?? 0) & 0x1f).toBe(5)
})
