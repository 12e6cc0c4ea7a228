import { expect, test } from 'vitest'
import { ascii, box, u32 } from '../../../../../scripts/fixtures/bytes.js'
import { foreignFormat, sniff } from '../../../../../src/emulator/core/media/readers/sniff.js'

const ofBrand = (major: string, ...others: readonly string[]): Buffer =>
  box('ftyp', ascii(major), u32(0), ...others.map(ascii))

const bmpOf = (headerBytes: number): Buffer =>
  Buffer.concat([ascii('BM'), Buffer.alloc(12), Buffer.of(headerBytes, 0, 0, 0)])

const mp3Frames = Buffer.concat(
  Array(2).fill(Buffer.concat([Buffer.of(0xff, 0xfb, 0x90, 0), Buffer.alloc(413)])),
)

const threeMp3Frames = Buffer.concat([mp3Frames, mp3Frames.subarray(0, 417)])

/** The meta box of a file whose items are pictures. */
const pictureMeta = box('meta', u32(0), box('hdlr', u32(0), u32(0), ascii('pict'), Buffer.alloc(13)))

test.each<[string, Buffer]>([
  ['jpeg', ascii('\xff\xd8\xff\xe0')],
  ['png', ascii('\x89PNG\r\n\x1a\n')],
  ['gif', ascii('GIF87a')],
  ['gif', ascii('GIF89a')],
  ['tiff', ascii('II*\0')],
  ['tiff', ascii('MM\0*')],
  ['tiff', ascii('II+\0')],
  ['tiff', ascii('MM\0+')],
  ['webp', ascii('RIFF\x20\0\0\0WEBPVP8 ')],
  ['wav', ascii('RIFF\x20\0\0\0WAVEfmt ')],
  ...[12, 16, 40, 52, 56, 64, 108, 124].map((size): [string, Buffer] => ['bmp', bmpOf(size)]),
  ['heic', ofBrand('heic', 'mif1')],
  ['heic', ofBrand('heix')],
  ['heif', ofBrand('mif1', 'heic')],
  ['heif', ofBrand('msf1')],
  ['heif', ofBrand('mif2')],
  ['heif', ofBrand('miaf')],
  ['avif', ofBrand('avif', 'mif1')],
  ['avif', ofBrand('mif1', 'miaf', 'avif')],
  ['mp4', ofBrand('isom', 'mp42')],
  ['mp4', ofBrand('mp42')],
  ['mp4', ofBrand('M4V ')],
  ['mov', ofBrand('qt  ')],
  ['mov', box('moov')],
  ['mov', box('mdat')],
  ['mov', box('wide')],
  ['mov', box('pnot')],
  ...['free', 'skip', 'uuid', 'abcd'].map((type): [string, Buffer] => [
    'mp4',
    Buffer.concat([box(type, Buffer.alloc(16)), box('free'), ofBrand('isom')]),
  ]),
  [
    'mov',
    Buffer.concat([box('free', Buffer.alloc(16)), box('wide'), box('mdat', Buffer.alloc(9)), box('moov')]),
  ],
  [
    'mov',
    Buffer.concat([Buffer.of(0, 0, 0, 1), ascii('uuid'), u32(0), u32(24), Buffer.alloc(8), box('moov')]),
  ],
  ['heic', ofBrand('hevm', 'mif1', 'heic')],
  ['heic', ofBrand('hevs')],
  ['heic', Buffer.concat([ofBrand('isom', 'mif1', 'heic'), pictureMeta])],
  ['heic', Buffer.concat([ofBrand('MiHE', 'heix'), pictureMeta])],
  ['heif', Buffer.concat([ofBrand('isom', 'mif1'), pictureMeta])],
  ['avif', Buffer.concat([ofBrand('isom', 'avif'), pictureMeta])],
  ['mp4', ofBrand('isom', 'mif1', 'heic')],
  ['mp4', Buffer.concat([ofBrand('isom', 'mif1', 'heic'), pictureMeta, box('moov')])],
  ['mp4', Buffer.concat([ofBrand('isom', 'mp41'), pictureMeta])],
  ['wav', ascii('RF64\xff\xff\xff\xffWAVEds64')],
  ['wav', ascii('BW64\xff\xff\xff\xffWAVEds64')],
  ['mp3', Buffer.concat([Buffer.alloc(5_000), threeMp3Frames])],
  ['mp3', Buffer.concat([ascii('ICY 200 OK, some words in front\n'), threeMp3Frames])],
  ['mp3', Buffer.concat([Buffer.alloc(999, 0xff), threeMp3Frames])],
  ['mp3', ascii('ID3\x04\0')],
  ['mp3', mp3Frames],
])('the beginning of a %s tells what it is (%#)', (format, bytes) => {
  expect(sniff(bytes)).toBe(format)
})

test.each([
  ['nothing', Buffer.alloc(0), 'empty'],
  ['one byte', Buffer.of(0xff), 'in no known format'],
  ['a PNG without the last byte of its signature', ascii('\x89PNG\r\n\x1a'), 'in no known format'],
  ['a BMP with a header of another size', bmpOf(41), 'in no known format'],
  ['a WebP without RIFF', ascii('XXXX\x20\0\0\0WEBPVP8 '), 'in no known format'],
  ['text with a zero in it', ascii('ab\0cd'), 'in no known format'],
  ['words that begin with BM', ascii('BMX is a sport, not a picture.'), 'text'],
  [
    'a single header of an MP3',
    Buffer.concat([Buffer.of(0xff, 0xfb, 0x90, 0), Buffer.alloc(500)]),
    'in no known format',
  ],
  [
    'two frames of different streams',
    Buffer.concat([mp3Frames.subarray(0, 417), Buffer.of(0xff, 0xfb, 0x94, 0)]),
    'in no known format',
  ],
  [
    'an MP3 too far behind other bytes',
    Buffer.concat([Buffer.of(7), Buffer.alloc(65_536, 7), threeMp3Frames]),
    'in no known format',
  ],
  [
    'an AVI with MP3 frames in it',
    Buffer.concat([ascii('RIFF\x20\0\0\0AVI LIST'), threeMp3Frames]),
    'an AVI video',
  ],
  ['boxes of no film', Buffer.concat([box('free'), box('abcd')]), 'in no known format'],
  ['a box of an impossible size', Buffer.concat([u32(3), ascii('free'), box('moov')]), 'in no known format'],
  ['a WebM', ascii('\x1a\x45\xdf\xa3'), 'a WebM or Matroska video'],
  ['an AVI', ascii('RIFF\x20\0\0\0AVI LIST'), 'an AVI video'],
  ['a Flash video', ascii('FLV\x01\x05'), 'a Flash video'],
  ['an Ogg file', ascii('OggS\0\x02'), 'an Ogg file'],
  ['FLAC sound', ascii('fLaC\0\0'), 'FLAC sound'],
  ['AAC of MPEG-4', ascii('\xff\xf1\x50\x80'), 'AAC sound without a container'],
  ['AAC of MPEG-2', ascii('\xff\xf9\x50\x80'), 'AAC sound without a container'],
  ['a ZIP archive', ascii('PK\x03\x04\x14\0'), 'a ZIP archive'],
  ['a gzip file', ascii('\x1f\x8b\x08\0'), 'packed with gzip'],
  ['a PDF', ascii('%PDF-1.7'), 'a PDF'],
  ['an SVG', ascii('<?xml version="1.0"?>\n<svg xmlns="http://www.w3.org/2000/svg"/>'), 'an SVG'],
  ['an HTML page', ascii('\n<!DOCTYPE html>'), 'an HTML page'],
  ['JSON', ascii('{"error":"not found"}'), 'JSON'],
  ['Chinese text', Buffer.from('这不是图片。'.repeat(20)), 'text'],
  ['bytes of ones', Buffer.alloc(100, 0xff), 'in no known format'],
])('%s is no format that is read, and is called by a name that a user knows', (_, bytes, name) => {
  expect(sniff(bytes)).toBeUndefined()
  const isNamed = !['empty', 'in no known format'].includes(name)
  expect(foreignFormat(bytes)).toBe(
    `the file is ${name}${isNamed ? ', which is not a format that is read here' : ''}`,
  )
})

test('a brand is read as four letters, not found in the middle of two others', () => {
  expect(sniff(ofBrand('mif1', 'xavi', 'fxxx'))).toBe('heif')
})
