import { expect, test } from 'vitest'
import { bytesOf, golomb } from '../../../../src/media/render/video/bits.js'
import { cutApart, sheetOf } from '../../../../src/media/render/video/sheet.js'

const raster = (width: number, height: number, value: number) => ({
  ...{ width, height },
  data: Buffer.alloc(width * height * 3, value),
})

// 40 pixels are three blocks, 20 lines two rows.
const strips = {
  whole: { rows: { first: 0, count: 2 }, pictures: [raster(40, 20, 1)] },
  seconds: { rows: { first: 0, count: 1 }, pictures: [raster(40, 16, 2), raster(40, 16, 3)] },
  drawings: { rows: { first: 1, count: 1 }, pictures: [raster(40, 4, 4)] },
}

test('all pictures lie below each other, each filled up to whole blocks', () => {
  const { width, height, pixels } = sheetOf(strips)
  expect([width, height]).toEqual([40, 16 * 5])
  const lines = Buffer.concat([...pixels])
  expect(lines).toHaveLength(40 * 80 * 3)
  expect([0, 31, 32, 47, 48, 63, 64, 79].map((line) => lines[line * 40 * 3])).toEqual([
    1, 1, 2, 2, 3, 3, 4, 4,
  ])
})

const SETS = { bitsOfNumber: 4, id: 0, hasDeblockingControl: true }

/** A slice that begins at a block. */
const unit = (block: number): Buffer =>
  Buffer.concat([Buffer.from([0x65]), bytesOf(`${golomb(block)}0001000${'1'}0000${'1'}00111`)])

const encoded = (rows: number) => ({
  ...{ sps: Buffer.alloc(0), pps: Buffer.alloc(0), sets: SETS },
  slices: Array.from({ length: rows }, (_, row) => unit(3 * row)),
})

test('the slices of a sheet go back to their rows', () => {
  const apart = cutApart(strips, encoded(5))
  const firsts = [apart.whole, apart.seconds, apart.drawings].map(({ pictures }) =>
    pictures.map((picture) => picture.map(({ first }) => first)),
  )
  expect(firsts).toEqual([[[0, 3]], [[0], [0]], [[3]]])
  expect(apart.whole.pictures[0]?.[1]?.blocks).toBe(3)
})

test.each([4, 6])('%i slices for five rows are refused', (rows) => {
  expect(() => cutApart(strips, encoded(rows))).toThrow(expect.objectContaining({ code: 'ffmpeg-failed' }))
})
