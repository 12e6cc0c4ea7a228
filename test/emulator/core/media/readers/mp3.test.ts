import { expect, test } from 'vitest'
import { ascii, u32 } from '../../../../../scripts/fixtures/bytes.js'
import { readMp3 } from '../../../../../src/emulator/core/media/readers/mp3.js'

/** A frame of 1152 samples at 44,100 a second, in stereo, of 128 kilobits: 417 bytes. */
const frame = (...content: readonly Buffer[]): Buffer => {
  const bytes = Buffer.alloc(417)
  Buffer.concat([Buffer.of(0xff, 0xfb, 0x90, 0), ...content]).copy(bytes)
  return bytes
}

const frames = (count: number, each = frame()): Buffer => Buffer.concat(Array(count).fill(each))

/** Xing's tag, 32 bytes of side information behind the header: how many frames, and LAME's numbers of silent samples. */
const xing = (count: number, silent?: readonly [before: number, behind: number]): Buffer => {
  const encoder = silent && [
    ascii('LAME3.100'),
    Buffer.alloc(12),
    u32((silent[0] << 12) | silent[1]).subarray(1),
  ]
  return frame(Buffer.alloc(32), ascii('Xing'), u32(1), u32(count), ...(encoder ?? []))
}

const vbri = (count: number): Buffer => frame(Buffer.alloc(32), ascii('VBRI'), Buffer.alloc(10), u32(count))

const id3 = (bytes: number, flags = 0): Buffer => {
  const size = [21, 14, 7, 0].map((shift) => (bytes >> shift) & 127)
  return Buffer.concat([
    ascii('ID3\x04\0'),
    Buffer.of(flags, ...size),
    Buffer.alloc(bytes + (flags ? 10 : 0)),
  ])
}

/** A tag of the kind that stands behind, with its header: what it counts is the rest. */
const ape = (bytes: number): Buffer => {
  const size = Buffer.alloc(4)
  size.writeUInt32LE(bytes)
  return Buffer.concat([ascii('APETAGEX'), Buffer.alloc(4), size, Buffer.alloc(16 + bytes)])
}

const MORE_THAN_RUBBISH = 3 * 2 ** 20

const ofFrames = (count: number): number => (count * 1152) / 44_100

test.each([
  ['without any tag', frames(100), 100],
  ['behind zeros', Buffer.concat([Buffer.alloc(5_000), frames(100)]), 100],
  ['behind words', Buffer.concat([ascii('some words'), frames(100)]), 100],
  ['behind an ID3 tag', Buffer.concat([id3(300), frames(100)]), 100],
  ['behind an ID3 tag with a footer', Buffer.concat([id3(300, 0x10), frames(100)]), 100],
  ['behind two ID3 tags', Buffer.concat([id3(10), id3(200), frames(100)]), 100],
  ['behind a tag with a large cover', Buffer.concat([id3(MORE_THAN_RUBBISH), frames(100)]), 100],
  ['behind a large tag and a small one', Buffer.concat([id3(MORE_THAN_RUBBISH), id3(9), frames(100)]), 100],
  ['before an ID3 tag with a large cover', Buffer.concat([frames(100), id3(MORE_THAN_RUBBISH)]), 100],
  ['between large tags', Buffer.concat([id3(MORE_THAN_RUBBISH), frames(100), ape(MORE_THAN_RUBBISH)]), 100],
  ['before a megabyte that is no sound', Buffer.concat([frames(100), Buffer.alloc(2 ** 20)]), 100],
  ['filled up with zeros', Buffer.concat([frames(100), Buffer.alloc(MORE_THAN_RUBBISH)]), 100],
  ['before an ID3 tag of the old kind', Buffer.concat([frames(100), ascii('TAG'), Buffer.alloc(125)]), 100],
  ['with a tag of its encoder, which is no sound', Buffer.concat([xing(100), frames(100)]), 100],
  ['with another tag of its encoder', Buffer.concat([vbri(100), frames(100)]), 100],
  ['whose tag counts itself', Buffer.concat([xing(101), frames(100)]), 100],
  ['whose tag counts fewer frames than there are', Buffer.concat([xing(10), frames(100)]), 100],
  ['with rubbish in between', Buffer.concat([frames(50), Buffer.alloc(1000, 0xff), frames(50)]), 100],
  [
    'with what looks like a frame in between',
    Buffer.concat([frames(50), Buffer.of(1), frame().subarray(0, 4), Buffer.alloc(500, 1), frames(50)]),
    100,
  ],
  ['with rubbish before its last frame', Buffer.concat([frames(99), Buffer.alloc(9, 1), frame()]), 100],
  [
    'with headers without a bit rate in between',
    Buffer.concat([frames(50), Buffer.of(0xff, 0xfb, 0, 0), Buffer.of(0xff, 0xfb, 0xf0, 0), frames(50)]),
    100,
  ],
  ['whose last frame is cut', frames(101).subarray(0, -1), 100],
])('an MP3 %s is as long as its frames', (_, file, count) => {
  expect(readMp3(file)).toEqual({
    kind: 'audio',
    format: 'mp3',
    bytes: file.length,
    seconds: ofFrames(count),
  })
})

test('the silence that an encoder says it has added does not count', () => {
  const seconds = (100 * 1152 - 576 - 1000) / 44_100
  expect(readMp3(Buffer.concat([xing(100, [576, 1000]), frames(100)]))).toMatchObject({ seconds })
})

test.each([
  ['MPEG-1, 48 kHz, 320 kilobits', 0xfffbe400, 960, 1152 / 48_000],
  ['MPEG-1, with a byte of padding', 0xfffb9200, 418, 1152 / 44_100],
  ['MPEG-2, 22.05 kHz, 64 kilobits', 0xfff38000, 208, 576 / 22_050],
  ['MPEG-2.5, 8 kHz, 8 kilobits', 0xffe31800, 72, 576 / 8000],
])('%s: the length of its frames is known', (_, header, bytes, seconds) => {
  const one = Buffer.alloc(bytes)
  one.writeUInt32BE(header)
  expect(readMp3(frames(10, one))).toMatchObject({ seconds: expect.closeTo(10 * seconds, 9) })
})

test('frames of another stream are not counted', () => {
  const other = Buffer.alloc(960)
  other.writeUInt32BE(0xfffbe400)
  expect(readMp3(Buffer.concat([frames(10), frames(5, other)]))).toMatchObject({ seconds: ofFrames(10) })
})

test.each([
  ['frames are missing', Buffer.concat([xing(102), frames(100)]), 'the MP3 ends after 100 of 102 frames'],
  ['there is only a tag', id3(300), 'the file begins like an MP3 but has no MP3 sound'],
  [
    'the tag is longer than the file',
    id3(300).subarray(0, 200),
    'the file begins like an MP3 but has no MP3 sound',
  ],
  [
    'there is too much that is no sound',
    Buffer.concat([id3(10), Buffer.alloc(2 ** 20 + 10), frames(10)]),
    'the MP3 has more than 1048576 bytes that are no sound',
  ],
  [
    'there is too much behind it that is no sound',
    Buffer.concat([frames(10), Buffer.alloc(2 ** 20 + 10, 1)]),
    'the MP3 has more than 1048576 bytes that are no sound',
  ],
  [
    'the tag behind says that it is longer than the file',
    Buffer.concat([
      frames(10),
      id3(MORE_THAN_RUBBISH).subarray(0, 10),
      Buffer.alloc(MORE_THAN_RUBBISH - 1, 1),
    ]),
    'the MP3 has more than 1048576 bytes that are no sound',
  ],
])('an MP3 is damaged where %s', (_, file, detail) => {
  expect(readMp3(file)).toEqual({ kind: 'unreadable', reason: 'damaged', detail })
})

test('a tag that its frame is too short for is read as far as it goes', () => {
  const tiny = (...content: readonly Buffer[]): Buffer => {
    const bytes = Buffer.alloc(36)
    Buffer.concat([Buffer.of(0xff, 0xf3, 0x18, 0), ...content]).copy(bytes)
    return bytes
  }
  const tagged = tiny(Buffer.alloc(17), ascii('Info'), u32(1), u32(9), ascii('LAM'))
  expect(readMp3(Buffer.concat([tagged, frames(9, tiny())]))).toMatchObject({ seconds: (9 * 576) / 16_000 })
})
