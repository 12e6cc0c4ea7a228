import { createRequire } from 'node:module'
import { deflateSync } from 'node:zlib'
import sharp from 'sharp'
import { expect, test, vi } from 'vitest'
import { ascii, u32 } from '../../../scripts/fixtures/bytes.js'
import { probe } from '../../../src/emulator/media/probe.js'
import { createInputPictures } from '../../../src/emulator/media/render/input-pictures.js'

const require = createRequire(import.meta.url)

/** Notes which bytes the decoder gets. */
const watchDecoder = () => {
  require('sharp')
  const spy = vi.spyOn(require.cache[require.resolve('sharp')] as { exports: typeof sharp }, 'exports')
  return () => spy.mock.calls.map(([bytes]) => bytes)
}

const create = { width: 30, height: 20, channels: 3, background: '#888' } as const
// Turned by its EXIF, which is no text.
const plain = await sharp({ create }).withMetadata({ orientation: 6 }).png().toBuffer()

const zeros = deflateSync(Buffer.alloc(1_000_000))
const texts = [
  ['zTXt', ascii('Comment\0\0')],
  ['iTXt', ascii('XML:com.adobe.xmp\0\x01\0\0\0')],
] as const
const chunks = texts.map(([type, head]) =>
  Buffer.concat([u32(head.length + zeros.length), ascii(type), head, zeros, u32(0)]),
)
const withTexts = Buffer.concat([plain.subarray(0, 33), ...chunks, plain.subarray(33)])

test('the compressed texts of a PNG are not decoded for its facts', async () => {
  const decoded = watchDecoder()
  const facts = { kind: 'image', format: 'png', width: 20, height: 30 }
  expect(await probe(withTexts)).toEqual({ ...facts, bytes: withTexts.length })
  expect(decoded()).toEqual([plain, plain])
})

test('the compressed texts of a PNG are not decoded where the picture is drawn', async () => {
  const decoded = watchDecoder()
  const inputs = createInputPictures({ mediaMemoryBytes: 2 ** 20, readBlob: async () => withTexts })
  const image = { kind: 'image', blob: 'some-hash', label: '' } as const
  expect(await inputs.preview(image)).toEqual({ kind: 'pixels', width: 20, height: 30 })
  await inputs.cover(image, 8, 8)
  expect(decoded()).toEqual([plain, plain])
})
