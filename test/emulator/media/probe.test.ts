import { readFileSync } from 'node:fs'
import { runInNewContext } from 'node:vm'
import sharp from 'sharp'
import { expect, test } from 'vitest'
import { ascii, u16, u32 } from '../../../scripts/fixtures/bytes.js'
import { probe } from '../../../src/emulator/media/probe.js'

const fixture = (name: string): Buffer =>
  readFileSync(new URL(`../../../fixtures/media/${name}`, import.meta.url))

const flat = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: '#8ecae6' } })

test('a picture of as many pixels as are allowed is read, one of more is not', async () => {
  const picture = fixture('landscape.jpg')
  expect(await probe(picture, 512 * 384)).toMatchObject({ kind: 'image' })
  expect(await probe(picture, 512 * 384 - 1)).toEqual({
    kind: 'unreadable',
    reason: 'too-large-to-read',
    detail: 'the JPEG has 512x384 pixels; at most 196,607 in all are read',
  })
})

test.each([
  'landscape.bmp',
  'landscape.webp',
  'landscape.gif',
  'landscape.tiff',
  'landscape.heic',
  'square.png',
])('the limit of pixels holds for %s', async (name) => {
  expect(await probe(fixture(name), 1000)).toMatchObject({ reason: 'too-large-to-read' })
})

test('a PNG of eleven megabytes, most of them in a chunk that the reader skips, has its size read', async () => {
  const png = fixture('square.png')
  const padding = Buffer.concat([u32(11 * 2 ** 20), ascii('paDd'), Buffer.alloc(11 * 2 ** 20 + 4)])
  const padded = Buffer.concat([png.subarray(0, 33), padding, png.subarray(33)])
  expect(await probe(padded)).toMatchObject({ kind: 'image', width: 480, bytes: padded.length })
})

test('bytes in the middle of a larger buffer are read as if they were alone', async () => {
  for (const name of ['square.png', 'clip.mp4', 'tone.mp3', 'tone.wav', 'landscape.bmp']) {
    const [file, alone] = [fixture(name), await probe(fixture(name))]
    const middle = Buffer.concat([ascii('xyz'), file, ascii('xyz')]).subarray(3, 3 + file.length)
    expect(await probe(new Uint8Array(middle.buffer, middle.byteOffset, middle.length))).toEqual(alone)
  }
})

// jsdom has a Uint8Array of its own, of which the bytes from a worker are none.
test('bytes of another realm are read', async () => {
  const png = await flat(8, 6).png().toBuffer()
  const bytes: Uint8Array = runInNewContext('Uint8Array.from(png)', { png })
  expect(bytes).not.toBeInstanceOf(Uint8Array)
  expect(await probe(bytes)).toMatchObject({ kind: 'image', width: 8, height: 6 })
})

test.each([false, true])(
  'a JPEG without the marker that ends it is read (progressive: %s)',
  async (progressive) => {
    const jpeg = await flat(640, 480).jpeg({ progressive }).toBuffer()
    expect([...jpeg.subarray(-2)]).toEqual([0xff, 0xd9])
    expect(await probe(jpeg.subarray(0, -2))).toMatchObject({ kind: 'image', width: 640, height: 480 })
    const photo = fixture('landscape.jpg')
    expect(await probe(photo.subarray(0, -2))).toMatchObject({ kind: 'image', format: 'jpeg' })
    expect(await probe(photo.subarray(0, -100))).toMatchObject({ kind: 'unreadable', reason: 'damaged' })
  },
)

test.each(['hevm', 'isom', 'MiHE'])('a HEIC of the brand %s has its size read', async (brand) => {
  const heic = fixture('landscape.heic')
  const facts = await probe(fixture('landscape.heic'))
  heic.write(brand, 8, 'latin1')
  expect(await probe(heic)).toEqual(facts)
})

test.each([
  ['mif2', 'mif1', 'heic'],
  ['miaf', 'miaf', 'MiHB'],
  ['isom', 'mif1', 'mif1'],
])('a HEIF of the brands %s, %s and %s has its size read', async (major, first, second) => {
  const heif = fixture('portrait.heif')
  const { width, height } = (await probe(fixture('portrait.heif'))) as { width: number; height: number }
  heif.write(major, 8, 'latin1')
  heif.write(first + second, 16, 'latin1')
  expect(await probe(heif)).toMatchObject({ kind: 'image', format: 'heif', width, height })
})

test('bytes behind the boxes of a HEIC do not change it', async () => {
  const heic = fixture('landscape.heic')
  const { bytes: _, ...facts } = (await probe(heic)) as { bytes: number }
  const behind = Buffer.from('\0\0\0\x01SEFHe of a telephone', 'latin1')
  expect(await probe(Buffer.concat([heic, behind]))).toMatchObject(facts)
})

const cuts = [0.1, 0.5, 0.95]
const cuttable = [
  'landscape.jpg',
  'portrait.jpeg',
  'square.png',
  'landscape.webp',
  'landscape.gif',
  'landscape.tiff',
  'landscape.bmp',
  'landscape.heic',
  'portrait.heif',
  'clip.mp4',
  'clip.mov',
  'clip-h265.mp4',
  'clip-fragmented.mp4',
  'tone.wav',
  'tone.mp3',
]

test.each(cuttable)('%s is found out when its end is missing', async (name) => {
  const file = fixture(name)
  for (const share of cuts) {
    const cut = file.subarray(0, Math.floor(file.length * share))
    expect(await probe(cut), `${share} of ${name}`).toMatchObject({ kind: 'unreadable', reason: 'damaged' })
  }
})

test('a TIFF whose pixels are not where it says is found out', async () => {
  const entry = (tag: number, value: number) => Buffer.concat([u16(tag), u16(4), u32(1), u32(value)])
  const fields = [
    [256, 400],
    [257, 400],
    [259, 5],
    [262, 1],
    [273, 200],
    [277, 1],
    [278, 400],
    [279, 1000],
  ] as const
  const entries = fields.map(([tag, value]) => entry(tag, value))
  const page = Buffer.concat([
    u16(entries.length + 1),
    ...entries.slice(0, 2),
    Buffer.concat([u16(258), u16(3), u32(1), u16(8), u16(0)]),
    ...entries.slice(2),
    u32(0),
  ])
  const file = Buffer.concat([ascii('MM\0*'), u32(8), page, Buffer.alloc(200)])
  expect(await probe(file)).toMatchObject({ kind: 'unreadable', reason: 'damaged' })
})

test.each([
  ['as large as any family takes is decoded', 6000, { kind: 'unreadable', reason: 'damaged' }],
  ['beyond what any family takes is known by its header', 6001, { kind: 'image', width: 6001, height: 6000 }],
])('a picture %s: its missing end', async (_, width, facts) => {
  const png = await flat(width, 6000).png().toBuffer()
  expect(await probe(png)).toMatchObject({ kind: 'image', width })
  expect(await probe(png.subarray(0, -200))).toMatchObject(facts)
})

test('an interlaced picture is read', async () => {
  expect(await probe(await flat(640, 480).png({ progressive: true }).toBuffer())).toMatchObject({
    width: 640,
  })
})

test('a JPEG of many scans, each of which takes a decoder as long as a picture, is not decoded', async () => {
  const jpeg = fixture('landscape.jpg')
  const start = jpeg.indexOf(Buffer.of(0xff, 0xda))
  const scans = Buffer.concat(Array(40).fill(jpeg.subarray(start, -2)))
  expect(await probe(Buffer.concat([jpeg.subarray(0, start), scans, jpeg.subarray(-2)]))).toEqual({
    kind: 'unreadable',
    reason: 'too-large-to-read',
    detail: 'the JPEG has more than 32 scans',
  })
})

test('an animation of very many frames is not decoded', async () => {
  const gif = fixture('landscape.gif')
  const frame = Buffer.of(0x2c, 0, 0, 0, 0, 1, 0, 1, 0, 0, 2, 2, 0x44, 1, 0)
  const file = (frames: number) =>
    Buffer.concat([gif.subarray(0, -1), ...Array(frames).fill(frame), Buffer.of(0x3b)])
  expect(await probe(file(4095))).toMatchObject({ kind: 'image', width: 512, height: 384 })
  expect(await probe(file(4096))).toMatchObject({ detail: 'the GIF has more than 4096 frames' })
})

// A decoder needs a second for a single page of four thousand entries, and half a minute for the thousand pages.
test.each([
  ['a page of very many entries', 1, 257, 'the TIFF has more than 256 entries in a page'],
  ['very many entries in all', 1_000, 101, 'the TIFF has more than 100000 entries'],
  ['very many pages', 4_097, 1, 'the TIFF has more than 4096 pages'],
])('a TIFF of %s is not decoded', async (_, pages, entries, detail) => {
  expect(await probe(tiffOf(pages, entries))).toEqual({
    kind: 'unreadable',
    reason: 'too-large-to-read',
    detail,
  })
})

/** A TIFF of pages without pixels, each with so many entries of tags that no decoder knows. */
const tiffOf = (pages: number, entries: number): Buffer => {
  const pageBytes = 2 + 12 * entries + 4
  const page = Buffer.alloc(pageBytes)
  page.writeUInt16BE(entries)
  for (let entry = 0; entry < entries; entry += 1)
    Buffer.concat([u16(1_000 + entry), u16(3), u32(1), u32(0)]).copy(page, 2 + 12 * entry)
  const file = Buffer.concat([ascii('MM\0*'), u32(8), ...Array(pages).fill(page)])
  for (let next = 1; next < pages; next += 1) file.writeUInt32BE(8 + next * pageBytes, 4 + next * pageBytes)
  return file
}

test.each([100_000, 1_000_001, 0xffffffff])(
  'a HEIC that says it is %d pixels wide is refused',
  async (width) => {
    const heic = fixture('landscape.heic')
    heic.writeUInt32BE(width, heic.indexOf('ispe') + 8)
    expect(await probe(heic, 1e7)).toMatchObject({ reason: 'too-large-to-read' })
  },
)

test('twenty large pictures at once are all read', async () => {
  const png = await flat(2400, 2400).png().toBuffer()
  const all = await Promise.all(Array.from({ length: 20 }, () => probe(png)))
  expect(all.every((facts) => facts.kind === 'image')).toBe(true)
})
