import { expect, test } from 'vitest'
import { ascii } from '../../../../../scripts/fixtures/bytes.js'
import { readWav } from '../../../../../src/emulator/core/media/readers/wav.js'

const le = (value: number, bytes: number): Buffer => {
  const all = Buffer.alloc(8)
  all.writeBigUInt64LE(BigInt(value))
  return all.subarray(0, bytes)
}

const chunk = (type: string, content: Buffer, size = content.length): Buffer =>
  Buffer.concat([ascii(type), le(size, 4), content, Buffer.alloc(content.length % 2)])

const wavFile = (...chunks: readonly Buffer[]): Buffer =>
  Buffer.concat([ascii('RIFF'), le(0, 4), ascii('WAVE'), ...chunks])

const rf64 = (...chunks: readonly Buffer[]): Buffer => {
  const file = wavFile(...chunks)
  file.write('RF64')
  return file
}

const ds64 = (soundBytes: number): Buffer =>
  chunk('ds64', Buffer.concat([le(0, 8), le(soundBytes, 8), le(0, 8), le(0, 4)]))

/** `tag` 1 is sound that is not packed; bytes a second that it declares, which only packed sound needs. */
const format = ({ tag = 1, declared = 16_000, inside = 0, rate = 8000 } = {}): Buffer => {
  const fields = [le(tag, 2), le(1, 2), le(rate, 4), le(declared, 4), le(2, 2), le(16, 2)]
  const extension = tag === 0xfffe ? [le(22, 2), le(16, 2), le(4, 4), le(inside, 2), Buffer.alloc(14)] : []
  return chunk('fmt ', Buffer.concat([...fields, ...extension]))
}

const sound = (seconds: number): Buffer => Buffer.alloc(seconds * 16_000)

test.each([
  ['in its plainest form', wavFile(format(), chunk('data', sound(2)))],
  [
    'with other chunks, of odd sizes',
    wavFile(
      chunk('JUNK', Buffer.alloc(3)),
      format(),
      chunk('LIST', Buffer.alloc(5)),
      chunk('data', sound(2)),
      chunk('id3 ', Buffer.alloc(7)),
    ),
  ],
  ['written to a pipe, with a size of 0', wavFile(format(), chunk('data', sound(2), 0))],
  ['written to a pipe, with a size of all ones', wavFile(format(), chunk('data', sound(2), 0xffffffff))],
  ['written to a pipe by SoX', wavFile(format(), chunk('data', sound(2), 0x7ffff000))],
  [
    'written to a pipe by SoX, in whole blocks of twelve bytes',
    wavFile(format(), chunk('data', sound(2), 0x7fffeff8)),
  ],
  ['whose size counts eight bytes more', wavFile(format(), chunk('data', sound(2), 32_008))],
  ['whose size counts the header in', wavFile(format(), chunk('data', sound(2), 32_044))],
  [
    'of 64 bits',
    rf64(ds64(32_000), format(), chunk('data', sound(2), 0xffffffff), chunk('LIST', Buffer.alloc(400))),
  ],
  [
    'of 64 bits that does not say how long it is',
    rf64(ds64(0), format(), chunk('data', sound(2), 0xffffffff)),
  ],
  ['of floating point numbers', wavFile(format({ tag: 3 }), chunk('data', sound(2)))],
  [
    'with an extensible format',
    wavFile(format({ tag: 0xfffe, inside: 1, declared: 99 }), chunk('data', sound(2))),
  ],
  [
    'that declares a wrong average, which the reader does not need',
    wavFile(format({ declared: 99 }), chunk('data', sound(2))),
  ],
  [
    'of packed sound, by the average that it declares',
    wavFile(format({ tag: 2, declared: 4000 }), chunk('data', Buffer.alloc(8000))),
  ],
  [
    'of packed sound in an extensible format',
    wavFile(format({ tag: 0xfffe, inside: 2, declared: 4000 }), chunk('data', Buffer.alloc(8000))),
  ],
])('a WAV %s is two seconds long', (_, file) => {
  expect(readWav(file)).toEqual({ kind: 'audio', format: 'wav', bytes: file.length, seconds: 2 })
})

const packed = (declared: number, samples: number, bytes = 8000): Buffer =>
  wavFile(format({ tag: 17, declared }), chunk('fact', le(samples, 4)), chunk('data', Buffer.alloc(bytes)))

test.each([
  ['by its samples, whatever the average says', packed(99, 16_000), 2],
  ['by its samples, where the average is 0', packed(0, 24_000), 3],
  ['by the average, where its samples are not known', packed(4000, 0), 2],
  ['by the average, where its samples are not known yet', packed(4000, 0xffffffff), 2],
  ['by the average, where SoX did not know its samples', packed(4000, 0x7ffff000), 2],
  [
    'by the average, where a second has no samples',
    wavFile(
      format({ tag: 17, declared: 4000, rate: 0 }),
      chunk('fact', le(9, 4)),
      chunk('data', Buffer.alloc(8000)),
    ),
    2,
  ],
  [
    'by the average, where what should count its samples is cut',
    wavFile(format({ tag: 17, declared: 4000 }), chunk('fact', le(1, 2)), chunk('data', Buffer.alloc(8000))),
    2,
  ],
])('packed sound in a WAV is as long as %s', (_, file, seconds) => {
  expect(readWav(file)).toMatchObject({ seconds })
})

test('sound that is not packed is as long as its bytes, whatever counts its samples', () => {
  const file = wavFile(format(), chunk('fact', le(99, 4)), chunk('data', sound(2)))
  expect(readWav(file)).toMatchObject({ seconds: 2 })
})

test.each([
  [
    'more of its sound is missing than a header is long',
    wavFile(format(), chunk('data', sound(1))).subarray(0, -65),
    'the WAV ends in the middle of its sound',
  ],
  [
    'most of its sound is missing, and its size has 64 bits',
    rf64(ds64(32_000), format(), chunk('data', sound(1), 0xffffffff)),
    'the WAV ends in the middle of its sound',
  ],
  [
    'it has no format',
    wavFile(chunk('data', sound(1))),
    'the WAV does not say how its sound is written (no "fmt " chunk)',
  ],
  ['it has no sound', wavFile(format()), 'the WAV has no sound (no "data" chunk)'],
  [
    'a chunk goes beyond its end',
    wavFile(format(), chunk('LIST', Buffer.alloc(4), 0xfffffff0), chunk('data', sound(1))),
    'the WAV has no sound (no "data" chunk)',
  ],
  [
    'a second takes no bytes',
    wavFile(format({ tag: 2, declared: 0 }), chunk('data', sound(1))),
    'the WAV says that a second of it takes 0 bytes',
  ],
  ['its format is cut', wavFile(format()).subarray(0, 24), 'the WAV ends in the middle of its headers'],
])('a WAV is damaged where %s', (_, file, detail) => {
  expect(readWav(file)).toEqual({ kind: 'unreadable', reason: 'damaged', detail })
})
