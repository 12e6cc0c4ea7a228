import { expect, test } from 'vitest'
import { createBitReader } from '../../../../src/media/render/video/bits.js'
import { levelFor } from '../../../../src/media/render/video/levels.js'
import { parameterSetsOf } from '../../../../src/media/render/video/parameter-sets.js'
import { spsFor } from '../../../../src/media/render/video/sps.js'
import { contentOf } from '../../../../src/media/render/video/units.js'

const hex = (text: string): Buffer => Buffer.from(text, 'hex')

/** Of 1280x720 pixels, as x264 writes them: picture numbers of 4 bits, level 3.1. */
const SPS = hex('6742c01fda014016e9a808080a000003000200000300611e306540')
const PPS = hex('68ce0fc8')

test('says what slices are to be written by', () => {
  expect(parameterSetsOf(SPS, PPS)).toEqual({ bitsOfNumber: 4, id: 0, hasDeblockingControl: true })
})

test.each([
  ['another profile', hex(`6764${SPS.toString('hex').slice(4)}`), PPS],
  ['arithmetic coding', SPS, hex('68ee0fc8')],
  ['weights', SPS, hex('68cf0fc8')],
])('refuses pictures with %s', (_, sps, pps) => {
  expect(() => parameterSetsOf(sps, pps)).toThrow(expect.objectContaining({ code: 'ffmpeg-failed' }))
})

test('parameters of the same size stay as they are', () => {
  expect(spsFor({ width: 1280, height: 720, framesPerSecond: 24 }, SPS).equals(SPS)).toBe(true)
})

test('those of another size have its blocks, its level, and what is not seen of the last blocks', () => {
  const sps = spsFor({ width: 1920, height: 1080, framesPerSecond: 24 }, SPS)
  const read = createBitReader(contentOf(sps))
  expect([read.bits(8), read.bits(8), read.bits(8)]).toEqual([66, 0xc0, 40])
  expect([0, 1, 2, 3].map(() => read.golomb())).toEqual([0, 0, 2, 1])
  expect([read.bits(1), read.golomb(), read.golomb(), read.bits(2)]).toEqual([0, 119, 67, 0b11])
  expect([read.bits(1), ...[0, 1, 2, 3].map(() => read.golomb())]).toEqual([1, 0, 0, 0, 4])
  // And back again.
  expect(spsFor({ width: 1280, height: 720, framesPerSecond: 24 }, sps).equals(SPS)).toBe(true)
})

test.each([
  [1_620, 25, 30],
  [1_621, 24, 31],
  [1_620, 26, 31],
  [3_600, 30, 31],
  [3_601, 30, 32],
  [8_160, 30, 40],
  [8_160, 31, 42],
  [36_864, 57, 52],
])('pictures of %i blocks, %i a second, need level %i', (blocks, framesPerSecond, level) => {
  expect(levelFor(blocks, framesPerSecond)).toBe(level)
})
