import { describe, expect, test } from 'vitest'
import { ascii, box, u32 } from '../../../../../scripts/fixtures/bytes.js'
import { readMovie, roundedRate } from '../../../../../src/emulator/core/media/readers/movie.js'
import { esds, fragment, fragmentDefaults, type MovieFile, movieFile, soundEntry } from './movie-file.js'

describe('movie', () => {
  const read = (change: Partial<MovieFile> = {}) => readMovie(movieFile(change), 'mp4')

  test('a video has the size, length, rate and codec that its tables say', () => {
    expect(read()).toEqual({
      kind: 'video',
      format: 'mp4',
      bytes: movieFile().length,
      width: 640,
      height: 360,
      seconds: 3,
      framesPerSecond: 24,
      videoCodec: 'h264',
    })
  })

  test.each([
    ['its list of tracks is at the end', { isDataFirst: true }],
    ['its headers have times of 64 bits', { isLong: true }],
    ['its tracks do not say how long they are', { shownMs: 0 }],
    ['its tracks say that their length is not known', { shownMs: 0xffffffff }],
    ['its frames are listed one by one', { frames: Array(72).fill([1, 1000] as const) }],
    ['it counts in another unit', { ticksPerSecond: 600, frames: [[72, 25]] as const }],
  ])('a video has the same facts where %s', (_, change) => {
    expect(read(change)).toMatchObject({ seconds: 3, framesPerSecond: 24, width: 640, height: 360 })
  })

  test.each([
    ['stands upright', [1, 0, 0, 1], [640, 360]],
    ['is turned to the right', [0, 1, -1, 0], [360, 640]],
    ['is turned to the left', [0, -1, 1, 0], [360, 640]],
    ['stands on its head', [-1, 0, 0, -1], [640, 360]],
  ])('the size of a video that %s is the size that is seen', (_, matrix, [width, height]) => {
    expect(read({ matrix })).toMatchObject({ width, height })
  })

  test('the rate of a video whose frames last differently is their average', () => {
    const frames = [
      [60, 1000],
      [30, 2000],
    ] as const
    expect(read({ ticksPerSecond: 60_000, frames, shownMs: 2000 })).toMatchObject({ framesPerSecond: 45 })
  })

  test.each([
    ['is turned by the movie', [1, 0, 0, 1], [0, 1, -1, 0], [360, 640]],
    ['is turned by the movie and back by the track', [0, -1, 1, 0], [0, 1, -1, 0], [640, 360]],
  ])('the size of a video that %s is the size that is seen', (_, matrix, movieMatrix, [width, height]) => {
    for (const isLong of [false, true])
      expect(read({ matrix, movieMatrix, isLong })).toMatchObject({ width, height })
  })

  test.each<[string, readonly [number, number], number]>([
    ['wider than high', [64, 45], 1024],
    ['higher than wide', [8, 9], 640],
    ['square', [1, 1], 720],
    ['of no height', [1, 0], 720],
    ['of no width', [0, 1], 720],
  ])('where pixels are %s, the size is that of square ones', (_, pixel, width) => {
    expect(read({ width: 720, height: 576, pixel })).toMatchObject({ width, height: 576 })
  })

  test.each<[string, MovieFile['edits'], number]>([
    ['one piece of it', [[2500, 0]], 2.5],
    ['a piece from the middle', [[1000, 12_000]], 1],
    [
      'a delay and the rest',
      [
        [500, -1],
        [3000, 0],
      ],
      3.5,
    ],
    [
      'the same piece twice',
      [
        [2000, 0],
        [2000, 0],
      ],
      4,
    ],
    ['a piece up to the end', [[0, 0]], 3],
    ['a piece that is longer than all pictures', [[46_080, 0]], 3],
    ['nothing', [], 3],
  ])('an edit list that shows %s says how long a video is', (_, edits, seconds) => {
    for (const isLong of [false, true])
      expect(read({ edits, isLong })).toMatchObject({ seconds, framesPerSecond: 24 })
  })

  const note = (stated: number, found: number) =>
    `a header of the file says that it is ${stated} s long, and its pictures last ${found} s`

  test.each<[string, Partial<MovieFile>, string | undefined]>([
    ['the track counts in the unit of its media', { shownMs: 46_080 }, note(46.08, 3)],
    ['the track says next to nothing', { shownMs: 41 }, note(0.041, 3)],
    ['the media say next to nothing', { mediaTicks: 4_680 }, note(0.195, 3)],
    ['the track knows of a cut that no list has', { shownMs: 2_000 }, note(2, 3)],
    ['the movie says more than each of its tracks', { movieMs: 60_000 }, note(60, 3)],
    [
      'the movie says more than its sound too',
      { movieMs: 60_000, sound: soundEntry('mp4a'), soundMs: 2_900 },
      note(60, 3),
    ],
    [
      'the movie is as long as its sound',
      { movieMs: 9_000, sound: soundEntry('mp4a'), soundMs: 9_000 },
      undefined,
    ],
    ['all say the same', { mediaTicks: 72_000, movieMs: 3_000 }, undefined],
    ['the track is a picture longer', { shownMs: 3_042 }, undefined],
    [
      'the track is cut, and the media whole',
      { shownMs: 1_500, mediaTicks: 72_000, edits: [[1_500, 0]] },
      undefined,
    ],
  ])('the samples and the edit list are believed where %s', (_, change, expected) => {
    const facts = read(change)
    expect(facts).toMatchObject({ seconds: change.edits === undefined ? 3 : 1.5 })
    expect((facts as { note?: string }).note).toBe(expected)
  })

  test.each<readonly [string, string]>([
    ['avc1', 'h264'],
    ['avc3', 'h264'],
    ['hvc1', 'h265'],
    ['hev1', 'h265'],
    ...(['avc2', 'avc4', 'dva1', 'dvav', 'ai12', 'ai5q', 'AVin', 'H264'] as const).map(
      (codec) => [codec, 'h264'] as const,
    ),
    ...(['hvc2', 'hev3', 'dvh1', 'dvhe'] as const).map((codec) => [codec, 'h265'] as const),
    ['encv', 'encv'],
    ['vp09', 'vp09'],
    ['mp4v', 'mp4v'],
    ['a\0\n\xff', 'a???'],
  ])('pictures written as %j are %s', (codec, videoCodec) => {
    expect(read({ codec })).toMatchObject({ videoCodec })
  })

  test.each([
    ['MPEG-4 sound of type 0x40', soundEntry('mp4a', 0, esds(0x40)), 'aac'],
    ['MPEG-2 sound of type 0x67', soundEntry('mp4a', 0, esds(0x67)), 'aac'],
    ['MPEG-2 sound of type 0x69', soundEntry('mp4a', 0, esds(0x69)), 'mp3'],
    ['MPEG-1 sound of type 0x6b', soundEntry('mp4a', 0, esds(0x6b)), 'mp3'],
    ['sound of type 0xdd', soundEntry('mp4a', 0, esds(0xdd)), 'mp4a'],
    ['sound of no type', soundEntry('mp4a'), 'mp4a'],
    ['lengths in four bytes', soundEntry('mp4a', 0, esds(0x40, 4)), 'aac'],
    ['every optional field', soundEntry('mp4a', 0, esds(0x40, 1, 0xe0)), 'aac'],
    ["QuickTime's first version", soundEntry('mp4a', 1, box('wave', esds(0x40))), 'aac'],
    ["QuickTime's second version", soundEntry('mp4a', 2, esds(0x40)), 'aac'],
    ["QuickTime's own MP3", soundEntry('.mp3'), 'mp3'],
    ["WAV's number of MP3", soundEntry('ms\0U'), 'mp3'],
    ['Opus', soundEntry('Opus'), 'Opus'],
  ])('sound with %s is read', (_, sound, audioCodec) => {
    expect(read({ sound })).toMatchObject({ audioCodec })
  })

  test('a video in fragments is as long as they are together', () => {
    const atEnd = Buffer.concat([fragment({ frames: [1000, 2000] }), fragment({ frames: [1000] })])
    const facts = read({ frames: [], shownMs: 0, inMoov: fragmentDefaults(0), atEnd, ticksPerSecond: 4000 })
    expect(facts).toMatchObject({ seconds: 1, framesPerSecond: 3 })
  })

  test.each([
    ['the fragment says', { ticks: 1000, frames: 24 }, 1000],
    ['the file says', { frames: 24 }, 1000],
  ])('frames that do not say how long they are last as long as %s', (_, run, ticks) => {
    const facts = read({ frames: [], shownMs: 0, inMoov: fragmentDefaults(ticks), atEnd: fragment(run) })
    expect(facts).toMatchObject({ seconds: 1, framesPerSecond: 24 })
  })

  test('a fragment may have every optional field, and several runs', () => {
    const header = box('tfhd', u32(0xb), u32(1), Buffer.alloc(8), u32(1), u32(1000))
    const plain = box('trun', u32(5), u32(22), u32(0), u32(0))
    const full = box('trun', u32(0xf05), u32(2), u32(0), u32(0), ...[1000, 7, 7, 7, 1000, 7, 7, 7].map(u32))
    const atEnd = box('moof', box('traf', header, plain, full))
    const facts = read({ frames: [], shownMs: 0, atEnd })
    expect(facts).toMatchObject({ seconds: 1, framesPerSecond: 24 })
  })

  // 72 frames of 1000 ticks; the sound begins 558 ticks before the first, and ends 568 behind the last of them.
  test.each([
    ['last frame is stretched to the end of the sound', 1000, 1568, 3],
    ['first frame is stretched to the beginning of the sound', 1558, 1000, 3],
    ['first and last frame are stretched', 1558, 1568, 3],
    ['frames are all as long', 1000, 1000, 3],
    ['last frame is shorter than the others', 1000, 400, (71 * 1000 + 400) / 24_000],
    ['first frame is shorter than the others', 400, 1000, (71 * 1000 + 400) / 24_000],
  ])('a video in fragments whose %s', (_, first, last, seconds) => {
    const atEnd = Buffer.concat([
      fragment({ frames: [first, ...Array(23).fill(1000)] }),
      fragment({ ticks: 1000, frames: 24 }),
      fragment({ frames: [...Array(23).fill(1000), last] }),
      fragment({ frames: 0, ticks: 1000 }),
    ])
    const facts = read({ frames: [], shownMs: 0, atEnd })
    expect(facts).toMatchObject({ seconds: expect.closeTo(seconds, 9) })
    expect(facts).toMatchObject({ framesPerSecond: Math.min(first, last) < 1000 ? 24.202 : 24 })
  })

  test('two frames of a video in fragments are as long as they say', () => {
    const facts = read({ frames: [], shownMs: 0, atEnd: fragment({ frames: [1000, 23_000] }) })
    expect(facts).toMatchObject({ seconds: 1, framesPerSecond: 2 })
  })

  test('the only frame of a video in fragments is as long as it says', () => {
    const facts = read({ frames: [], shownMs: 0, atEnd: fragment({ frames: [12_000] }) })
    expect(facts).toMatchObject({ seconds: 0.5, framesPerSecond: 2 })
  })

  test('the last frame of a video in one piece is as long as it says', () => {
    const frames = [
      [23, 1000],
      [1, 25_000],
    ] as const
    expect(read({ frames, shownMs: 0 })).toMatchObject({ seconds: 2, framesPerSecond: 12 })
  })

  test.each([7, 600_000])('%i zeros behind the last box of a video are none of its boxes', (count) => {
    expect(read({ atEnd: Buffer.alloc(count) })).toMatchObject({ seconds: 3 })
  })

  test('the length that is written in front of fragments does not count', () => {
    const facts = read({ frames: [[24, 1000]], shownMs: 1000, atEnd: fragment({ ticks: 1000, frames: 24 }) })
    expect(facts).toMatchObject({ seconds: 2, framesPerSecond: 24 })
  })

  test('fragments of another track add nothing', () => {
    expect(read({ atEnd: fragment({ track: 2, ticks: 1000, frames: 24 }) })).toMatchObject({ seconds: 3 })
  })

  test('a box that extends to the end of the file may have the size 0', () => {
    const file = movieFile()
    file.writeUInt32BE(0, file.length - 72)
    expect(readMovie(file, 'mp4')).toMatchObject({ seconds: 3 })
  })

  test('a box may have a long size', () => {
    const data = Buffer.concat([u32(1), ascii('free'), u32(0), u32(24), Buffer.alloc(8)])
    expect(read({ atEnd: data })).toMatchObject({ seconds: 3 })
  })

  test('of several video tracks the first one counts', () => {
    const other = movieFile({ width: 320 })
    const inMoov = other.subarray(other.indexOf('trak') - 4, other.indexOf('mdat') - 4)
    expect(read({ inMoov })).toMatchObject({ width: 640 })
  })

  test('a file that starts with no file type is read as well', () => {
    expect(readMovie(movieFile().subarray(20), 'mov')).toMatchObject({ format: 'mov', seconds: 3 })
  })

  const without = (type: string): Buffer => {
    const file = movieFile()
    file.write('xxxx', file.indexOf(type), 'latin1')
    return file
  }

  const changed = (type: string, at: number, value: number): Buffer => {
    const file = movieFile()
    file.writeUInt32BE(value, file.indexOf(type) + 4 + at)
    return file
  }

  test.each([
    [
      'it has no list of tracks',
      without('moov'),
      'the MP4 has no list of its tracks (no "moov" box): it may be cut short',
    ],
    ['it has no pictures', without('mdat'), 'the MP4 has no pictures in it (no "mdat" box)'],
    ['its pictures have no bytes', changed('mdat', -8, 8), 'the MP4 has no pictures in it (no "mdat" box)'],
    ['a part of its track is missing', without('stbl'), 'the video lacks its "stbl" box'],
    ['it ends early', movieFile().subarray(0, -1), 'the MP4 ends in the middle of its "mdat" box'],
    ['a second has no ticks', changed('mdhd', 12, 0), 'the video says that a second has 0 ticks'],
    ['a table is longer than its box', changed('stts', 4, 2), 'the video has a table longer than its box'],
    [
      'a table is much longer than its box',
      changed('stts', 4, 0xffffffff),
      'the video has a table longer than its box',
    ],
    ['it has no frames', movieFile({ frames: [] }), 'the video track has no frames'],
    ['its frames last no time', movieFile({ frames: [[72, 0]] }), 'the video track has no frames'],
    ['its pictures have no width', movieFile({ width: 0 }), 'the video says that it is 0x360 pixels'],
    ['its pictures have no height', movieFile({ height: 0 }), 'the video says that it is 640x0 pixels'],
    [
      'its pictures are behind its end',
      movieFile({ place: movieFile().length }),
      'the MP4 ends before its last pictures',
    ],
    [
      'its pictures are far behind its end',
      movieFile({ place: 2 ** 32, isLong: true }),
      'the MP4 ends before its last pictures',
    ],
    [
      'a long size is shorter than the header',
      Buffer.concat([movieFile(), u32(1), ascii('free'), u32(0), u32(15)]),
      'the MP4 has a "free" box with an impossible size',
    ],
    [
      'a size is shorter than the header',
      Buffer.concat([movieFile(), u32(7), ascii('free')]),
      'the MP4 has a "free" box with an impossible size',
    ],
    [
      'a run in a fragment is longer than its box',
      movieFile({ atEnd: longRun() }),
      'the video has a table longer than its box',
    ],
  ])('a video is damaged where %s', (_, file, detail) => {
    expect(readMovie(file, 'mp4')).toEqual({ kind: 'unreadable', reason: 'damaged', detail })
  })

  function longRun(): Buffer {
    const run = box('trun', u32(0x100), u32(0xffffffff), u32(1000))
    return box('moof', box('traf', box('tfhd', u32(0), u32(1)), run))
  }

  test.each([
    ['text', ascii('junk at the end of the file')],
    ['a mark of a camera', Buffer.concat([u32(0), u32(1), Buffer.alloc(24), ascii('8db42d694ccc4187')])],
    ['letters and a size that cannot be', Buffer.concat([u32(3), ascii('SEFT')])],
  ])('%s behind its boxes does not change a video', (_, atEnd) => {
    for (const isDataFirst of [false, true])
      expect(read({ atEnd, isDataFirst })).toMatchObject({ kind: 'video', seconds: 3 })
  })

  test.each(['moov', 'mdat'])('what follows is no appendix where its "%s" is missing', (type) => {
    const file = Buffer.concat([without(type), ascii('junk at the end of the file')])
    expect(readMovie(file, 'mp4')).toMatchObject({ kind: 'unreadable', reason: 'damaged' })
  })

  test.each(['mdat', 'moof', 'uuid'])('a "%s" behind all others that breaks off is damage', (type) => {
    const atEnd = Buffer.concat([u32(100), ascii(type), Buffer.alloc(20)])
    expect(read({ atEnd })).toMatchObject({ detail: `the MP4 ends in the middle of its "${type}" box` })
  })

  test.each([
    ['sound', 'soun', 'the file is MP4 audio, such as M4A: it has sound and no video track'],
    ['subtitles', 'text', 'the MP4 has no video track'],
  ])('a file of %s alone is no video', (_, handler, detail) => {
    const file = movieFile()
    file.write(handler, file.indexOf('vide'), 'latin1')
    expect(readMovie(file, 'mp4')).toEqual({ kind: 'unreadable', reason: 'unknown', detail })
  })

  test('a file of very many boxes is not read to its end', () => {
    const boxes = (count: number) => movieFile({ atEnd: Buffer.concat(Array(count).fill(box('free'))) })
    expect(readMovie(boxes(49_000), 'mp4')).toMatchObject({ kind: 'video' })
    expect(readMovie(boxes(50_000), 'mp4')).toMatchObject({
      detail: 'the MP4 is made of more than 50000 boxes',
    })
  })

  test('four thousand million frames without a table of their own are multiplied, not listed', () => {
    const atEnd = fragment({ ticks: 1, frames: 0xffffffff })
    expect(read({ frames: [], shownMs: 0, atEnd })).toMatchObject({ framesPerSecond: 24_000 })
  })
})

describe('frame rate', () => {
  test.each([
    [24_000 / 1001, 23.976],
    [24, 24],
    [30_000 / 1001, 29.97],
    [24.99, 25],
    [30.01, 30],
    [49.98, 50],
    [59.95, 59.94],
    [12.3456, 12.346],
    [180 / 2.999, 60],
    [60.029, 60],
    [60.031, 60.031],
    [23.965, 23.976],
    [23.963, 23.963],
    [23.987, 23.976],
    [23.989, 24],
  ])('an average of %f frames a second is %f', (average, rate) => {
    expect(roundedRate(average)).toBe(rate)
  })
})
