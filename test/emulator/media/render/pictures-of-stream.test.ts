import { expect, test } from 'vitest'
import { picturesOfStream } from '../../../../src/emulator/media/render/pictures-of-stream.js'

/** A NAL unit of a type with a byte of content; a long start code stands at the beginning of a picture. */
const unit = (type: number, content: number, isLong = false): Buffer =>
  Buffer.from([...(isLong ? [0] : []), 0, 0, 1, type, content])

const [SPS, PPS, SEI, KEY, SLICE] = [0x67, 0x68, 0x06, 0x65, 0x41]
const [FIRST, LATER] = [0x88, 0x42]

test('a picture begins with what stands before its first slice, and has all of its slices', () => {
  const key = Buffer.concat([
    unit(SPS, 1, true),
    unit(PPS, 1, true),
    unit(SEI, 1),
    unit(KEY, FIRST),
    unit(KEY, LATER),
  ])
  const second = Buffer.concat([unit(SLICE, FIRST, true), unit(SLICE, LATER)])
  const third = Buffer.concat([unit(SLICE, FIRST)])
  expect(picturesOfStream(Buffer.concat([key, second, third, key]))).toEqual([key, second, third, key])
})

test('a stream without pictures has none', () => expect(picturesOfStream(Buffer.alloc(9))).toEqual([]))
