import { describe, expect, test } from 'vitest'
import { ascii, u16, u32 } from '../../../../../scripts/fixtures/bytes.js'
import {
  chunksOfPng,
  chunksOfWebp,
  framesOfGif,
  pagesOfTiff,
  readBmp,
  scansOfJpeg,
  withoutTextOfPng,
} from '../../../../../src/emulator/core/media/readers/image.js'

describe('image parts', () => {
  const MANY = 1000

  const segment = (marker: number, content: Buffer): Buffer =>
    Buffer.concat([Buffer.of(0xff, marker), u16(2 + content.length), content])

  const scan = (...pixels: readonly number[]): Buffer =>
    Buffer.concat([segment(0xda, Buffer.alloc(6)), Buffer.from(pixels)])

  const jpeg = (...parts: readonly Buffer[]): Buffer =>
    Buffer.concat([Buffer.of(0xff, 0xd8), ...parts, Buffer.of(0xff, 0xd9)])

  test.each([
    ['one scan', jpeg(scan(1, 2, 3)), 1],
    ['three scans', jpeg(scan(1), scan(2), scan(3)), 3],
    [
      'pixels with escaped ones and restart markers',
      jpeg(scan(0xff, 0, 0xff, 0xd0, 7, 0xff, 0xd7, 7), scan(1)),
      2,
    ],
    ['markers filled up with ones', jpeg(Buffer.of(0xff, 0xff), scan(1, 0xff, 0xff), scan(1)), 2],
    ['a small picture within a segment', jpeg(segment(0xe1, jpeg(scan(1), scan(2))), scan(1)), 1],
    ['another picture behind its end', Buffer.concat([jpeg(scan(1)), jpeg(scan(1))]), 1],
    ['no scan', jpeg(), 0],
    ['nothing at all', Buffer.alloc(0), 0],
    ['a cut header', Buffer.of(0xff, 0xd8, 0xff), 0],
  ])('a JPEG with %s', (_, file, scans) => {
    expect(scansOfJpeg(file, MANY)).toBe(scans)
  })

  test('the scans of a JPEG are counted up to a limit', () => {
    expect(scansOfJpeg(jpeg(...Array(50).fill(scan(1))), 33)).toBe(33)
  })

  const gifFrame = (colours = 0): Buffer => {
    const flags = colours === 0 ? 0 : 0x80 | (Math.log2(colours) - 1)
    const data = Buffer.of(2, 2, 0x44, 1, 0)
    return Buffer.concat([
      Buffer.of(0x2c, 0, 0, 0, 0, 1, 0, 1, 0, flags),
      Buffer.alloc(colours * 3, 0x2c),
      data,
    ])
  }

  const gifExtension = Buffer.of(0x21, 0xfe, 2, 0x2c, 0x2c, 1, 0x2c, 0)

  const gif = (...blocks: readonly Buffer[]): Buffer => {
    const screen = Buffer.concat([ascii('GIF89a'), Buffer.of(1, 0, 1, 0, 0x81, 0, 0), Buffer.alloc(12, 0x2c)])
    return Buffer.concat([screen, ...blocks, Buffer.of(0x3b)])
  }

  test.each([
    ['one frame', gif(gifFrame()), 1],
    ['three frames', gif(gifFrame(), gifFrame(), gifFrame()), 3],
    ['colours of its own for a frame', gif(gifFrame(4), gifFrame(256)), 2],
    ['comments', gif(gifExtension, gifFrame(), gifExtension), 1],
    ['more behind its end', Buffer.concat([gif(gifFrame()), gifFrame()]), 1],
    ['a frame that is cut', gif(gifFrame()).subarray(0, 40), 1],
    ['only half a header', ascii('GIF89a\x01\0'), 0],
  ])('a GIF with %s', (_, file, frames) => {
    expect(framesOfGif(file, MANY)).toBe(frames)
  })

  test('the frames of a GIF are counted up to a limit', () => {
    expect(framesOfGif(gif(...Array(50).fill(gifFrame())), 20)).toBe(20)
  })

  test.each([
    ['two chunks', ascii('RIFF\0\0\0\0WEBPVP8X\x02\0\0\0abANIM\0\0\0\0'), 2],
    ['a chunk of odd size', ascii('RIFF\0\0\0\0WEBPVP8X\x03\0\0\0abc\0ANIM\0\0\0\0'), 2],
    ['a chunk that goes beyond its end', ascii('RIFF\0\0\0\0WEBPVP8X\xff\xff\xff\xffANIM\0\0\0\0'), 1],
    ['nothing', ascii('RIFF\0\0\0\0WEBP'), 0],
  ])('a WebP with %s', (_, file, chunks) => {
    expect(chunksOfWebp(file, MANY)).toBe(chunks)
  })

  test.each([
    ['its two chunks', 22, 2],
    ['its first chunk', 14, 1],
    ['more than there is', 5_000, 75 + 2],
    ['nothing', 0, 75 + 2],
  ])('a WebP has the chunks of the size that it says: %s', (_, size, chunks) => {
    const file = Buffer.concat([ascii('RIFF\0\0\0\0WEBPVP8X\x02\0\0\0abANIM\0\0\0\0'), Buffer.alloc(600)])
    file.writeUInt32LE(size, 4)
    expect(chunksOfWebp(file, MANY)).toBe(chunks)
  })

  test('the chunks of a WebP are counted up to a limit', () => {
    expect(chunksOfWebp(Buffer.concat([ascii('RIFF\0\0\0\0WEBP'), Buffer.alloc(800)]), 20)).toBe(20)
  })

  const png = (...contents: readonly Buffer[]): Buffer =>
    Buffer.concat([
      ascii('\x89PNG\r\n\x1a\n'),
      ...contents.map((content) => Buffer.concat([u32(content.length), ascii('abCd'), content, u32(0)])),
    ])

  test.each([
    ['three chunks', png(Buffer.alloc(13), Buffer.alloc(7), Buffer.alloc(0)), 3],
    ['a chunk that is cut', png(Buffer.alloc(13), Buffer.alloc(7)).subarray(0, -10), 2],
    ['a chunk that goes beyond its end', Buffer.concat([png(), u32(0xffffffff), ascii('abCd'), png()]), 1],
    ['no chunk', png(), 0],
  ])('a PNG with %s', (_, file, chunks) => {
    expect(chunksOfPng(file, MANY)).toBe(chunks)
  })

  const chunk = (type: string, content: Buffer = Buffer.alloc(5)): Buffer =>
    Buffer.concat([u32(content.length), ascii(type), content, u32(0)])

  test.each([
    ['one', [chunk('IHDR'), chunk('zTXt'), chunk('IDAT')], [chunk('IHDR'), chunk('IDAT')]],
    [
      'several',
      [chunk('iTXt'), chunk('zTXt'), chunk('tEXt'), chunk('IDAT'), chunk('iTXt'), chunk('IEND')],
      [chunk('tEXt'), chunk('IDAT'), chunk('IEND')],
    ],
    ['an empty one at its end', [chunk('IHDR'), chunk('zTXt', Buffer.alloc(0))], [chunk('IHDR')]],
  ])('compressed texts of a PNG are removed: %s', (_, chunks, rest) => {
    expect(withoutTextOfPng(Buffer.concat([png(), ...chunks]))).toEqual(Buffer.concat([png(), ...rest]))
  })

  test.each([
    ['no compressed text', [chunk('IHDR'), chunk('tEXt'), chunk('iCCP'), chunk('IDAT'), chunk('IEND')]],
    ['one behind its last chunk', [chunk('IHDR'), chunk('IEND'), chunk('zTXt')]],
    ['one that is cut short', [chunk('IHDR'), chunk('zTXt').subarray(0, -1)]],
    ['one that goes beyond its end', [chunk('IHDR'), u32(0xffffffff), ascii('zTXt'), Buffer.alloc(40)]],
    ['one in another chunk', [chunk('IHDR'), chunk('eXIf', chunk('zTXt')), chunk('IDAT')]],
    ['no chunk', []],
  ])('a PNG with %s stays as it is, and is not copied', (_, chunks) => {
    const file = Buffer.concat([png(), ...chunks])
    expect(withoutTextOfPng(file)).toBe(file)
  })

  const LAST = Buffer.concat([u32(0), ascii('IEND'), u32(0)])

  test.each([
    ['zeros', Buffer.alloc(600)],
    ['more chunks', png(Buffer.alloc(1), Buffer.alloc(1)).subarray(8)],
    ['half a chunk', Buffer.alloc(9)],
  ])('%s behind the last chunk of a PNG are no chunks', (_, tail) => {
    expect(chunksOfPng(Buffer.concat([png(Buffer.alloc(13)), LAST, tail]), MANY)).toBe(2)
  })

  test('the chunks of a PNG are counted up to a limit', () => {
    expect(chunksOfPng(png(...Array(50).fill(Buffer.alloc(0))), 20)).toBe(20)
  })

  /** Pages of one entry each, at the places given; the first place is told by the header, the last page tells 0. */
  const tiff = (order: 'II' | 'MM', places: readonly number[]): Buffer => {
    const file = Buffer.alloc(200)
    const long = (value: number, at: number) =>
      order === 'II' ? file.writeUInt32LE(value, at) : file.writeUInt32BE(value, at)
    const short = (value: number, at: number) =>
      order === 'II' ? file.writeUInt16LE(value, at) : file.writeUInt16BE(value, at)
    file.write(order)
    short(42, 2)
    long(places[0] ?? 0, 4)
    places.forEach((place, index) => {
      short(1, place)
      long(places[index + 1] ?? 0, place + 14)
    })
    return file
  }

  test.each([
    ['one page', tiff('II', [8]), 1],
    ['three pages', tiff('II', [8, 100, 50]), 3],
    ['the high bytes first', tiff('MM', [8, 100, 50]), 3],
    ['a page behind its end', tiff('II', [8, 100]).subarray(0, 105), 2],
    ['no page', tiff('II', []), 0],
    ['only a name', ascii('II*\0'), 0],
  ])('a TIFF with %s', (_, file, pages) => {
    expect(pagesOfTiff(file, MANY)).toBe(pages)
  })

  test('a big TIFF has places of eight bytes', () => {
    const file = Buffer.alloc(120)
    file.write('II')
    file.writeUInt16LE(43, 2)
    file.writeUInt16LE(8, 4)
    file.writeUInt32LE(16, 8)
    file.writeUInt32LE(1, 16)
    file.writeUInt32LE(60, 16 + 8 + 20)
    expect(pagesOfTiff(file, MANY)).toBe(2)
  })

  test('pages of a TIFF that lead back to the first are counted up to the limit', () => {
    const file = tiff('II', [8, 50])
    file.writeUInt32LE(8, 50 + 14)
    expect(pagesOfTiff(file, 20)).toBe(20)
  })
})

describe('bmp', () => {
  interface Bmp {
    readonly width: number
    readonly height: number
    readonly bitsPerPixel?: number
    readonly packing?: number
    readonly pixelBytes: number
  }

  const bmpFile = ({ width, height, bitsPerPixel = 24, packing = 0, pixelBytes }: Bmp): Buffer => {
    const file = Buffer.alloc(54 + pixelBytes)
    file.write('BM')
    file.writeUInt32LE(54, 10)
    file.writeUInt32LE(40, 14)
    file.writeInt32LE(width, 18)
    file.writeInt32LE(height, 22)
    file.writeUInt16LE(bitsPerPixel, 28)
    file.writeUInt32LE(packing, 30)
    return file
  }

  test.each([
    ['rows from the bottom', { width: 3, height: 2, pixelBytes: 24 }],
    ['rows from the top', { width: 3, height: -2, pixelBytes: 24 }],
    ['32 bits a pixel', { width: 3, height: 2, bitsPerPixel: 32, pixelBytes: 24 }],
    ['1 bit a pixel', { width: 3, height: 2, bitsPerPixel: 1, pixelBytes: 8 }],
    ['packed rows', { width: 3, height: 2, bitsPerPixel: 8, packing: 1, pixelBytes: 2 }],
  ])('a BMP with %s has the size in its header', (_, bmp) => {
    const file = bmpFile(bmp)
    expect(readBmp(file)).toEqual({ kind: 'image', format: 'bmp', bytes: file.length, width: 3, height: 2 })
  })

  test('the oldest header, of 12 bytes, is read as well', () => {
    const file = Buffer.alloc(26 + 24)
    file.write('BM')
    file.writeUInt32LE(26, 10)
    file.writeUInt32LE(12, 14)
    file.writeUInt16LE(3, 18)
    file.writeUInt16LE(2, 20)
    file.writeUInt16LE(24, 24)
    expect(readBmp(file)).toMatchObject({ width: 3, height: 2 })
  })

  test.each([
    [
      'one byte is missing',
      bmpFile({ width: 3, height: 2, pixelBytes: 23 }),
      'the BMP ends in the middle of its pixels',
    ],
    [
      'it is far too short',
      bmpFile({ width: 65_000, height: 65_000, pixelBytes: 10 }),
      'the BMP ends in the middle of its pixels',
    ],
    ['its width is 0', bmpFile({ width: 0, height: 2, pixelBytes: 8 }), 'the BMP says that it is 0x2 pixels'],
    [
      'its width is negative',
      bmpFile({ width: -3, height: 2, pixelBytes: 24 }),
      'the BMP says that it is -3x2 pixels',
    ],
    [
      'its header is cut',
      bmpFile({ width: 3, height: 2, pixelBytes: 0 }).subarray(0, 25),
      'the BMP ends in the middle of its headers',
    ],
  ])('a BMP is damaged where %s', (_, file, detail) => {
    expect(readBmp(file)).toEqual({ kind: 'unreadable', reason: 'damaged', detail })
  })
})
