import { expect, test } from 'vitest'
import {
  bits,
  bytesOf,
  createBitReader,
  followedBy,
  golomb,
} from '../../../../src/media/render/video/bits.js'

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

// The rest from its third bit on: 1 0001 1010 0111 1.
const REST = Buffer.from([0b11100011, 0b01001111])

test.each([
  ['nothing', '', [0b10001101, 0b00111100]],
  ['three bits', '010', [0b01010001, 0b10100111, 0b10000000]],
  ['five bits', '01011', [0b01011100, 0b01101001, 0b11100000]],
  ['whole bytes', '0101101100000001', [0b01011011, 0b00000001, 0b10001101, 0b00111100]],
])('%s followed by the rest of something else', (_, written, bytes) => {
  expect([...followedBy(written, REST, 2)]).toEqual(bytes)
})

test('what is put together does not end in zero bytes', () => {
  expect([...followedBy('01', Buffer.from([0b10000000, 0, 0]), 0)]).toEqual([0b01100000])
})
