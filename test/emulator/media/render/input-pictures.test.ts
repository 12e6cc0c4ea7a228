import { readFile } from 'node:fs/promises'
import { setImmediate as nextTurn } from 'node:timers/promises'
import sharp from 'sharp'
import { expect, test } from 'vitest'
import { noQuotaReporter } from '../../../../src/emulator/core/quotas.js'
import { createInputPictures } from '../../../../src/emulator/media/render/input-pictures.js'
import { difference, plain } from './pixels.js'

const inputsWith = (bytes: Uint8Array, mediaMemoryBytes = 2 ** 20) => {
  let reads = 0
  const hits: string[] = []
  const inputs = createInputPictures({
    mediaMemoryBytes,
    quotas: { ...noQuotaReporter, hit: (name) => hits.push(name) },
    readBlob: async () => {
      reads += 1
      return bytes
    },
  })
  return { inputs, hits, reads: () => reads }
}

const image = { kind: 'image', blob: 'some-hash', label: '' } as const

/** A BMP of 2 x 2 pixels: red, green, blue, white; rows from below unless `height` is negative. */
const bmp = (bitsPerPixel: 24 | 32, height: 2 | -2): Buffer => {
  const rows = [
    [
      [0, 0, 255],
      [0, 255, 0],
    ],
    [
      [255, 0, 0],
      [255, 255, 255],
    ],
  ]
  const header = Buffer.alloc(54)
  header.write('BM', 'latin1')
  header.writeUInt32LE(54, 10)
  header.writeUInt32LE(40, 14)
  header.writeInt32LE(2, 18)
  header.writeInt32LE(height, 22)
  header.writeUInt16LE(bitsPerPixel, 28)
  const stored = (height > 0 ? rows.reverse() : rows).map((row) =>
    Buffer.from([...row.flatMap((pixel) => (bitsPerPixel === 32 ? [...pixel, 0] : pixel)), 0, 0].slice(0, 8)),
  )
  return Buffer.concat([header, ...stored])
}

test.each([
  [24, 2],
  [24, -2],
  [32, 2],
  [32, -2],
] as const)('a BMP of %i bits and height %i shows its pixels the right way up', async (bits, height) => {
  const { inputs } = inputsWith(bmp(bits, height))
  expect(await inputs.preview(image)).toEqual({ kind: 'pixels', width: 2, height: 2 })
  const { data } = await inputs.cover(image, 2, 2)
  expect([...data]).toEqual([255, 0, 0, 0, 255, 0, 0, 0, 255, 255, 255, 255])
})

test.each([
  ['a picture with a turned EXIF orientation is upright', { orientation: 6 }, 20, 30],
  ['a picture without one keeps its shape', {}, 30, 20],
])('%s', async (_, metadata, width, height) => {
  const jpeg = await sharp(await plain(30, 20, '#888'))
    .withMetadata(metadata)
    .jpeg()
    .toBuffer()
  expect(await inputsWith(jpeg).inputs.preview(image)).toEqual({ kind: 'pixels', width, height })
})

test.each(['jpeg', 'png', 'webp', 'gif', 'tiff', 'avif'] as const)('%s can be drawn', async (format) => {
  const bytes = await sharp(await plain(40, 40, '#2080c0'))
    .toFormat(format)
    .toBuffer()
  const { data } = await inputsWith(bytes).inputs.cover(image, 10, 10)
  const expected = await sharp(await plain(10, 10, '#2080c0'))
    .raw()
    .toBuffer()
  expect(difference(data, expected)).toBeLessThan(4)
})

test.each(['landscape.heic', 'turned.heic'])(
  '%s has a size but no pixels that can be drawn',
  async (name) => {
    const file = await readFile(new URL(`../../../../fixtures/media/${name}`, import.meta.url))
    expect(await inputsWith(file).inputs.preview(image)).toEqual({ kind: 'text', text: 'HEIC image' })
  },
)

test('bytes that are no picture are words, not an error', async () => {
  const { inputs } = inputsWith(Buffer.from('no picture at all'))
  expect(await inputs.preview(image)).toEqual({ kind: 'text', text: 'unreadable image' })
})

test('a cut picture is kept, so that the second time reads nothing', async () => {
  const { inputs, reads } = inputsWith(await plain(40, 40, '#123456'))
  await inputs.cover(image, 10, 10)
  await inputs.cover(image, 10, 10)
  expect(reads()).toBe(1)
  expect(inputs.memoryBytes()).toBe(300)
})

test('four pictures are in memory at a time, and one that is shown often is not read each time', async () => {
  const bytes = await plain(40, 40, '#123456')
  let reading = 0
  let most = 0
  let reads = 0
  const inputs = createInputPictures({
    mediaMemoryBytes: 2 ** 20,
    readBlob: async () => {
      reads += 1
      reading += 1
      most = Math.max(most, reading)
      await nextTurn()
      reading -= 1
      return bytes
    },
  })
  const others = Array.from({ length: 20 }, (_, index) => ({ ...image, blob: `hash-${index}` }))
  await Promise.all(others.map((other) => inputs.cover(other, 10, 10)))
  expect(most).toBe(4)
  reads = 0
  await Promise.all(others.map(() => inputs.preview(image)))
  expect(reads).toBe(4)
})

test('cut pictures never take more memory than they may', async () => {
  const { inputs } = inputsWith(await plain(40, 40, '#123456'), 700)
  for (const side of [10, 11, 12]) await inputs.cover(image, side, side)
  expect(inputs.memoryBytes()).toBeLessThanOrEqual(700)
})

test.each([
  ['wide', 60_000, 1],
  ['tall', 1, 60_000],
])('a picture however %s is cut around its middle', async (_, width, height) => {
  const stripe = await plain(Math.min(width, 4_000), Math.min(height, 4_000), '#2080c0')
  const thin = await sharp(await plain(width, height, '#ffffff'))
    .composite([{ input: stripe, gravity: 'centre' }])
    .png()
    .toBuffer()
  const { inputs } = inputsWith(thin)
  for (const [across, down] of [
    [1920, 1080],
    [8, 1000],
    [1000, 8],
  ] as const) {
    const cut = await inputs.cover(image, across, down)
    expect(cut).toMatchObject({ width: across, height: down })
    expect([...cut.data.subarray(0, 3), cut.data.length]).toEqual([0x20, 0x80, 0xc0, across * down * 3])
  }
})

test('a cut picture that is not kept, since it is larger than the memory, has met the bound', async () => {
  const { inputs, hits } = inputsWith(await plain(40, 40, '#123456'), 299)
  await inputs.cover(image, 10, 10)
  expect(inputs.memoryBytes()).toBe(0)
  expect(hits).toEqual(['media-in-memory'])
})
