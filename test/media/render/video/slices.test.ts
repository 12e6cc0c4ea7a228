import { expect, test } from 'vitest'
import { bytesOf } from '../../../../src/media/render/video/bits.js'
import { sliceOf, unchanged } from '../../../../src/media/render/video/slices.js'

const SETS = { bitsOfNumber: 4, id: 0, hasDeblockingControl: true }

/** What a unit says after its first byte, without the zeros at its end. */
const bitsOf = (unit: Buffer): string =>
  [...unit.subarray(1)]
    .map((byte) => byte.toString(2).padStart(8, '0'))
    .join('')
    .replace(/0*$/, '')

const together = (text: string): string => text.replaceAll(' ', '')

const START = '1 1 1'
const END = '1 010 00000000000111000010001 1'

// A slice from the first block on, of type P, with the first set of parameters; its number; one picture to refer to, as
// it comes, and no marks; the same quantiser, no deblocking, 3,600 blocks left out.
test.each([
  [1, `${START} 0001 1100 ${END}`],
  [13, `${START} 1101 1100 ${END}`],
  // Numbers begin again when their bits are used up.
  [17, `${START} 0001 1100 ${END}`],
])('in picture %i all blocks stay as they were', (number, slice) => {
  const unit = unchanged(SETS, 0, 3600, number)
  expect(unit[0]).toBe(0x61)
  expect(bitsOf(unit)).toBe(together(slice))
})

test('blocks that stay as they were may begin anywhere', () => {
  expect(bitsOf(unchanged(SETS, 5, 2, 1))).toBe(together('00110 1 1 0001 1100 1 010 011 1'))
})

/** The quantiser, the deblocking and some blocks. */
const REST = '00100 010 110101101'
/** From block 2 on, of type I in a picture of nothing else, with the first set; number 0, the key picture 0, no marks. */
const ENCODED = Buffer.concat([Buffer.from([0x65]), bytesOf(together(`011 0001000 1 0000 1 00 ${REST}`))])
const place = { first: 5, blocks: 3, encodedAs: 2 }

test('a slice of a key picture goes to another place', () => {
  const slice = sliceOf(ENCODED, SETS, place)
  expect(slice.inKey(0)[0]).toBe(0x65)
  expect(bitsOf(slice.inKey(0))).toBe(together(`00110 011 1 0000 010 00 ${REST} 1`))
  expect(bitsOf(slice.inKey(1))).toBe(together(`00110 011 1 0000 011 00 ${REST} 1`))
  expect(slice.inKey(2)).toEqual(slice.inKey(0))
})

test('and into a picture in which others stay as they were', () => {
  const slice = sliceOf(ENCODED, SETS, place)
  expect(slice.inChange(7)[0]).toBe(0x61)
  expect(bitsOf(slice.inChange(7))).toBe(together(`00110 011 1 0111 0 ${REST} 1`))
  expect(bitsOf(slice.inChange(18))).toBe(together(`00110 011 1 0010 0 ${REST} 1`))
})

test.each([
  ['another block', ENCODED, { ...place, encodedAs: 3 }],
  ['another kind of unit', Buffer.concat([Buffer.from([0x61]), ENCODED.subarray(1)]), place],
  [
    'another type of slice',
    Buffer.concat([Buffer.from([0x65]), bytesOf(together(`011 1 1 0000 1 00`))]),
    place,
  ],
])('refuses a slice with %s', (_, unit, where) => {
  expect(() => sliceOf(unit, SETS, where)).toThrow(expect.objectContaining({ code: 'ffmpeg-failed' }))
})
