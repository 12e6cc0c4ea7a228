import { expect, test } from 'vitest'
import { readBmp } from '../../../../src/core/media/readers/image-headers.js'

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
