import { expect, test } from 'vitest'
import { bits, bytesOf, createBitReader, golomb } from '../../../../../src/server/media/studio/video/bits.js'
import { repeatsFor } from '../../../../../src/server/media/studio/video/repeats.js'

const hex = (text: string): Buffer => Buffer.from(text, 'hex')

/** Of 1280x720 pixels, as x264 writes them: picture numbers of 4 bits, 3,600 blocks. */
const SPS = hex('6742c01fda014016e9a808080a000003000200000300611e306540')
const PPS = hex('68ce0fc8')

const START = '1 00110 1'
const END = '1 010 00000000000111000010001 1'

// A slice from the first block on, of type P, with the first set of parameters; its number; one picture to refer to, as
// it comes, and for one that is referred to, no marks; the same quantiser, no deblocking, 3,600 blocks left out.
test.each([
  [1, false, 0x01, `${START} 0001 110 ${END}`],
  [13, true, 0x61, `${START} 1101 1100 ${END}`],
  // Numbers begin again when their bits are used up.
  [17, true, 0x61, `${START} 0001 1100 ${END}`],
])('picture %i repeats the one before it', (number, isReferredTo, unit, slice) => {
  const [first, ...rest] = repeatsFor(SPS, PPS)(number, isReferredTo)
  expect(first).toBe(unit)
  const written = rest.map((byte) => byte.toString(2).padStart(8, '0')).join('')
  expect(written.replace(/0*$/, '')).toBe(slice.replaceAll(' ', ''))
})

test.each([
  ['another profile', hex(`6764${SPS.toString('hex').slice(4)}`), PPS],
  ['arithmetic coding', SPS, hex('68ee0fc8')],
  ['weights', SPS, hex('68cf0fc8')],
])('refuses pictures with %s', (_, sps, pps) => {
  expect(() => repeatsFor(sps, pps)).toThrow(expect.objectContaining({ code: 'ffmpeg-failed' }))
})

test.each([
  [0, '1'],
  [1, '010'],
  [5, '00110'],
  [3600, '00000000000111000010001'],
])('%i in Exp-Golomb code is %s', (value, code) => {
  expect(golomb(value)).toBe(code)
  expect(createBitReader(bytesOf(code)).golomb()).toBe(value)
})

test('bits end with a 1 and zeros up to a whole byte', () => {
  expect(bytesOf(bits(5, 2))).toEqual(Buffer.from([0b00010100]))
  expect(bytesOf(bits(8, 255))).toEqual(Buffer.from([0xff, 0x80]))
})
