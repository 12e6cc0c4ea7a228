import { readFileSync } from 'node:fs'
import { deflateSync } from 'node:zlib'

/** A file that is not what it says. */
export interface LyingMedium {
  readonly name: string
  /** As a data URL says it. */
  readonly type: string
  readonly bytes: () => Buffer
}

const FIXTURES = new URL('../../../fixtures/media/', import.meta.url)
const fixture = (name: string): Buffer => readFileSync(new URL(name, FIXTURES))

const uint32 = (value: number): Buffer => {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(value >>> 0)
  return bytes
}

const box = (type: string, inner: Buffer, size = inner.length + 8): Buffer =>
  Buffer.concat([uint32(size), Buffer.from(type, 'latin1'), inner])

const ftyp = (brand: string): Buffer => box('ftyp', Buffer.from(`${brand}\0\0\0\0${brand}`, 'latin1'))

// Each box holds the next and nothing else.
const nested = (type: string, levels: number): Buffer =>
  Buffer.concat(
    Array.from({ length: levels }, (_, level) => box(type, Buffer.alloc(0), 8 * (levels - level))),
  )

// A PNG says its size in its first chunk; the sums behind chunks are left wrong, which few readers mind.
const pngOf = (width: number, height: number, data: Buffer): Buffer =>
  Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    uint32(13),
    Buffer.from('IHDR'),
    uint32(width),
    uint32(height),
    Buffer.from([8, 2, 0, 0, 0]),
    uint32(0),
    uint32(data.length),
    Buffer.from('IDAT'),
    data,
    uint32(0),
    uint32(0),
    Buffer.from('IEND'),
    uint32(0),
  ])

const patched = (name: string, at: number, hex: string): Buffer => {
  const bytes = Buffer.from(fixture(name))
  Buffer.from(hex, 'hex').copy(bytes, at)
  return bytes
}

const LAUGHS = `<?xml version="1.0"?><!DOCTYPE svg [<!ENTITY a "${'ha'.repeat(99)}">${Array.from(
  { length: 9 },
  (_, at) => `<!ENTITY a${at} "${`&a${at === 0 ? '' : at - 1};`.repeat(10)}">`,
).join('')}]><svg xmlns="http://www.w3.org/2000/svg" width="300" height="300"><text>&a8;</text></svg>`

export const lyingImages: readonly LyingMedium[] = [
  ...['bomb.png', 'empty.png', 'text-named.png', 'cut-short.png', 'cut-short.jpg', 'cut-short.heic'].map(
    (name) => ({ name, type: 'image/png', bytes: () => fixture(name) }),
  ),
  { name: 'a PNG of 2^31 by 2^31', type: 'image/png', bytes: () => pngOf(2 ** 31, 2 ** 31, Buffer.alloc(9)) },
  { name: 'a PNG of nothing', type: 'image/png', bytes: () => pngOf(0, 0, deflateSync(Buffer.alloc(9))) },
  { name: 'a PNG whose pixels are none', type: 'image/png', bytes: () => pngOf(512, 512, Buffer.alloc(99)) },
  {
    name: 'a PNG of a thousand times its size',
    type: 'image/png',
    bytes: () => pngOf(512, 512, deflateSync(Buffer.alloc(64 * 2 ** 20))),
  },
  {
    name: 'a PNG with an endless chunk',
    type: 'image/png',
    bytes: () => patched('square.png', 33, 'ffffffff'),
  },
  {
    name: 'a JPEG that is a page as well',
    type: 'image/jpeg',
    bytes: () => Buffer.concat([fixture('landscape.jpg'), Buffer.from('<script>alert(1)</script>')]),
  },
  {
    name: 'a JPEG with a picture of another kind behind it',
    type: 'image/jpeg',
    bytes: () => Buffer.concat([fixture('landscape.jpg'), fixture('square.png')]),
  },
  {
    name: 'a GIF that ends in its header',
    type: 'image/gif',
    bytes: () => Buffer.from('GIF89a\xff\xff\xff\xff', 'latin1'),
  },
  {
    name: 'a TIFF whose folders are a ring',
    type: 'image/tiff',
    bytes: () => Buffer.from('49492a0008000000000008000000', 'hex'),
  },
  {
    name: 'a BMP of a negative size',
    type: 'image/bmp',
    bytes: () => patched('landscape.bmp', 18, '00000080000000800100'),
  },
  {
    name: 'a WebP that is longer than it is',
    type: 'image/webp',
    bytes: () => patched('landscape.webp', 4, 'ffffff7f'),
  },
  { name: 'a drawing of a billion laughs', type: 'image/svg+xml', bytes: () => Buffer.from(LAUGHS) },
  {
    name: 'a drawing that reads files',
    type: 'image/png',
    bytes: () =>
      Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><image href="file:///etc/passwd"/></svg>'),
  },
  {
    name: 'a HEIC of nested boxes',
    type: 'image/heic',
    bytes: () => Buffer.concat([ftyp('heic'), nested('meta', 20_000)]),
  },
]

export const lyingVideos: readonly LyingMedium[] = [
  ...['endless-box.mp4', 'cut-short.mp4', 'mp4-named.mp3'].map((name) => ({
    name,
    type: 'video/mp4',
    bytes: () => fixture(name),
  })),
  {
    name: 'boxes 50,000 deep',
    type: 'video/mp4',
    bytes: () => Buffer.concat([ftyp('isom'), nested('moov', 50_000)]),
  },
  {
    name: 'a hundred thousand empty boxes',
    type: 'video/mp4',
    bytes: () =>
      Buffer.concat([ftyp('isom'), ...Array.from({ length: 100_000 }, () => box('free', Buffer.alloc(0)))]),
  },
  {
    name: 'a box of no size',
    type: 'video/mp4',
    bytes: () => Buffer.concat([ftyp('isom'), box('moov', Buffer.alloc(8), 1)]),
  },
  {
    name: 'a box of 2^64 bytes',
    type: 'video/mp4',
    bytes: () => Buffer.concat([ftyp('isom'), box('moov', Buffer.alloc(8, 255), 1)]),
  },
  {
    name: 'a film without tracks',
    type: 'video/mp4',
    bytes: () => Buffer.concat([ftyp('isom'), box('moov', Buffer.alloc(0))]),
  },
  { name: 'bytes of anything', type: 'video/mp4', bytes: () => Buffer.alloc(10_000, 0xa7) },
]

export const lyingSounds: readonly LyingMedium[] = [
  ...['cut-short.mp3', 'cut-short.wav', 'tone-bare.mp3'].map((name) => ({
    name,
    type: 'audio/mpeg',
    bytes: () => fixture(name),
  })),
  { name: 'a WAV of 4 GiB', type: 'audio/wav', bytes: () => patched('tone.wav', 40, 'ffffffff') },
  {
    name: 'a WAV without a rate',
    type: 'audio/wav',
    bytes: () => patched('tone.wav', 22, '000000000000000000000000'),
  },
  {
    name: 'an MP3 with a tag of 256 MiB',
    type: 'audio/mpeg',
    bytes: () => Buffer.from('ID3\x04\0\0\x7f\x7f\x7f\x7f', 'latin1'),
  },
  {
    name: 'an MP3 of its first bytes alone',
    type: 'audio/mpeg',
    bytes: () => Buffer.alloc(50_000, Buffer.from('fffb90', 'hex')),
  },
]
