import { readFile } from 'node:fs/promises'
import sharp, { type Sharp } from 'sharp'
import { expect, test } from 'vitest'
import type { MediaSpec, VideoSpec } from '../../../../src/emulator/core/media/spec.js'
import { composeRaster } from '../../../../src/emulator/media/render/drawing.js'
import { createInputPictures } from '../../../../src/emulator/media/render/input-pictures.js'
import { userFrameOf, videoCardOf } from '../../../../src/emulator/media/render/video.js'
import { described, difference, framesOf, meanColour, plain } from './pixels.js'
import { inputOf, newStudio, video } from './specs.js'

const drawn = async (spec: MediaSpec): Promise<string> => (await (await newStudio()).open(spec)).path

const png = (frame: Buffer | undefined, { width, height }: VideoSpec): Promise<Buffer> =>
  sharp(frame, { raw: { width, height, channels: 3 } })
    .png()
    .toBuffer()

test.each([
  ['24 frames a second with sound', { seconds: 2, framesPerSecond: 24, hasAudio: true }, '00:00:02.00'],
  ['30 frames a second without', { seconds: 3, framesPerSecond: 30, hasAudio: false }, '00:00:03.00'],
  ['25 frames a second', { seconds: 2, framesPerSecond: 25, hasAudio: true }, '00:00:02.00'],
  ['a frame a second', { seconds: 3, framesPerSecond: 1 }, '00:00:03.00'],
  ['12.5 frames a second', { seconds: 2, framesPerSecond: 12.5 }, '00:00:02.00'],
  ['the rate of television', { seconds: 3, framesPerSecond: 29.97, hasAudio: false }, '00:00:03.00'],
  ['an odd ratio', { width: 496, height: 864, seconds: 2 }, '00:00:02.00'],
])('%s has exactly its size, length and frames', async (_, change, duration) => {
  const spec = video(change)
  const text = await described(await drawn(spec))
  expect(text).toContain(`Duration: ${duration}, start: 0.000000`)
  expect(text).toMatch(
    new RegExp(`Video: h264 .*yuv420p.*${spec.width}x${spec.height}.* ${spec.framesPerSecond}0? fps`),
  )
  expect(/Audio: aac/.test(text)).toBe(spec.hasAudio)
  expect(text).toContain(`frame=${String(Math.round(spec.seconds * spec.framesPerSecond)).padStart(5)}`)
})

test.each([
  ['24 frames', { width: 320, height: 240, seconds: 4 }, 12],
  ['30 frames', { width: 346, height: 250, seconds: 12, framesPerSecond: 30 }, 15],
])(
  'at %s a second the card is repeated every half second, and traffic moves on it',
  async (_, change, loop) => {
    // A card that stands for several results has no seconds on it.
    const spec = video({ ...change, card: { ...video().card, id: '' } })
    const frames = await framesOf(await drawn(spec), spec.width, spec.height)
    expect(frames).toHaveLength(spec.seconds * 2 * loop)
    for (const [place, frame] of frames.entries())
      expect(frame.equals(frames[place % loop] as Buffer)).toBe(true)
    const [first, second] = frames as [Buffer, Buffer]
    const rowsOf = (frame: Buffer, from: number, to: number) =>
      frame.subarray(
        Math.round(spec.height * from) * spec.width * 3,
        Math.round(spec.height * to) * spec.width * 3,
      )
    expect(difference(rowsOf(first, 0, 0.65), rowsOf(second, 0, 0.65)), 'what stands still').toBeLessThan(0.5)
    expect(difference(rowsOf(first, 0.7, 0.85), rowsOf(second, 0.7, 0.85)), 'traffic').toBeGreaterThan(1)
  },
)

test.each([
  ['24 frames', { width: 320, height: 240, seconds: 4 }],
  ['30 frames', { width: 346, height: 250, seconds: 12, framesPerSecond: 30 }],
])(
  'at %s a second each frame says which second it is, and is else the one half a second before',
  async (_, change) => {
    const spec = video(change)
    const { width, height, framesPerSecond } = spec
    const frames = await framesOf(await drawn(spec), width, height)
    const { seconds, still } = await videoCardOf(spec, createInputPictures({ readBlob, mediaMemoryBytes: 0 }))
    const { area, placedAt } = seconds as NonNullable<typeof seconds>
    const at = { left: area.x, top: area.y, width: area.width, height: area.height }
    const inArea = (frame: Buffer) =>
      sharp(frame, { raw: { width, height, channels: 3 } })
        .extract(at)
        .raw()
        .toBuffer()
    const labels = await Promise.all(
      Array.from({ length: spec.seconds }, async (_, second) => {
        const { data } = await composeRaster({ ...still, layers: [...still.layers, placedAt(second)] })
        return inArea(data)
      }),
    )
    for (const [place, frame] of frames.entries()) {
      const shown = await inArea(frame)
      const differences = labels.map((label) => difference(shown, label))
      const nearest = differences.indexOf(Math.min(...differences))
      expect(nearest, `frame ${place}`).toBe(Math.floor(place / framesPerSecond))
      const before = frames[place - framesPerSecond / 2]
      const below = (area.y + area.height + 16) * width * 3
      if (before !== undefined)
        expect(difference(frame.subarray(below), before.subarray(below))).toBeLessThan(0.1)
    }
  },
)

const readBlob = async () => undefined

test.each([
  ['a first frame', true, false],
  ['a last frame', false, true],
  ['both', true, true],
])('%s stands for half a second, and the length stays', async (_, hasFirst, hasLast) => {
  const frame = inputOf(await plain(400, 400, '#d02030'))
  const spec = video({ ...(hasFirst && { firstFrame: frame }), ...(hasLast && { lastFrame: frame }) })
  const frames = await framesOf(await drawn(spec), spec.width, spec.height)
  expect(frames).toHaveLength(72)
  const red = await plain(320, 240, '#d02030').then((bytes) => sharp(bytes).raw().toBuffer())
  const isRed = frames.map((each) => difference(each, red) < 3)
  const expected = frames.map((_, place) => (hasFirst && place < 12) || (hasLast && place >= 60))
  expect(isRed).toEqual(expected)
})

test('container, video and sound say the same length, to the millisecond', async () => {
  for (const [seconds, framesPerSecond] of [
    [2, 24],
    [5, 30],
    [15, 24],
  ] as const) {
    const file = await readFile(await drawn(video({ seconds, framesPerSecond })))
    expect(durationsIn(file), `${seconds} s`).toEqual([seconds, seconds, seconds, seconds, seconds])
  }
})

/** The lengths in seconds that an MP4 says: of the movie, and of each track and its media. */
const durationsIn = (file: Buffer): number[] => {
  const boxes = (type: string): number[] =>
    [...file.toString('latin1').matchAll(new RegExp(type, 'g'))].map(({ index }) => index + 4)
  const [movie = 0] = boxes('mvhd')
  const ticks = file.readUInt32BE(movie + 12)
  return [
    file.readUInt32BE(movie + 16) / ticks,
    ...boxes('tkhd').map((at) => file.readUInt32BE(at + 20) / ticks),
    ...boxes('mdhd').map((at) => file.readUInt32BE(at + 16) / file.readUInt32BE(at + 12)),
  ]
}

test('the same spec gives the same bytes, alone or among others', async () => {
  const alone = await readFile(await drawn(video()))
  const renderer = await newStudio({ rendersAtOnce: 4 })
  const files = await Promise.all([7, 8, 9, 10].map((seed) => renderer.open(video({ seed }))))
  expect((await readFile(files[0]?.path ?? '')).equals(alone)).toBe(true)
  expect((await readFile(files[1]?.path ?? '')).equals(alone)).toBe(false)
})

test('a video begins with the first frame and ends with the last frame, to the pixel', async () => {
  const [first, last] = [inputOf(await plain(400, 400, '#d02030')), inputOf(await plain(90, 300, '#2040d0'))]
  const spec = video({ firstFrame: first, lastFrame: last })
  const frames = await framesOf(await drawn(spec), spec.width, spec.height)
  const whole = { left: 0, top: 0, width: spec.width, height: spec.height }
  const [begins, middle, ends] = [frames[0], frames[36], frames.at(-1)]
  for (const [frame, colour] of [
    [begins, [0xd0, 0x20, 0x30]],
    [ends, [0x20, 0x40, 0xd0]],
  ] as const) {
    const mean = await meanColour(await png(frame, spec), whole)
    mean.forEach((value, channel) => {
      expect(Math.abs(value - (colour[channel] ?? 0))).toBeLessThanOrEqual(3)
    })
  }
  expect(difference(middle as Buffer, begins as Buffer)).toBeGreaterThan(20)
  expect(difference(middle as Buffer, ends as Buffer)).toBeGreaterThan(20)
})

test.each([
  ['of the card', {}],
  ['of a watermarked card', { hasWatermark: true }],
])('the last frame %s is a PNG of what the video ends with', async (_, change) => {
  const spec = video(change)
  const last = await sharp(await drawn({ kind: 'last-frame', of: spec }))
    .raw()
    .toBuffer({ resolveWithObject: true })
  expect(last.info).toMatchObject({ width: spec.width, height: spec.height, channels: 3 })
  const frames = await framesOf(await drawn(spec), spec.width, spec.height)
  expect(difference(frames.at(-1) as Buffer, last.data)).toBeLessThan(3)
})

test('the last frame of a video with one is that picture', async () => {
  const spec = video({
    firstFrame: inputOf(await plain(64, 64, '#fff')),
    lastFrame: inputOf(await plain(64, 64, '#108040')),
  })
  const last = await readFile(await drawn({ kind: 'last-frame', of: spec }))
  expect(await meanColour(last, { left: 0, top: 0, width: 320, height: 240 })).toEqual([0x10, 0x80, 0x40])
})

test('the watermark is in the bottom-right corner of every frame', async () => {
  const frame = inputOf(await plain(64, 64, '#ffffff'))
  const spec = video({ firstFrame: frame, lastFrame: frame, hasWatermark: true })
  const marked = await framesOf(await drawn(spec), spec.width, spec.height)
  const bare = await framesOf(await drawn({ ...spec, hasWatermark: false }), spec.width, spec.height)
  const corner = { left: 260, top: 214, width: 52, height: 20 }
  for (const place of [0, 11, 15, 24, 40, 63, 71]) {
    const [one, other] = await Promise.all(
      [marked, bare].map(async (frames) => meanColour(await png(frames[place], spec), corner)),
    )
    expect(one, `frame ${place}`).not.toEqual(other)
  }
})

test('a frame whose pixels are not known is shown in words', async () => {
  const firstFrame = { kind: 'image', blob: null, label: 'first_frame https://images.test/a.png' } as const
  const spec = video({ firstFrame })
  const frames = await framesOf(await drawn(spec), spec.width, spec.height)
  expect(difference(frames[0] as Buffer, frames[36] as Buffer)).toBeGreaterThan(10)
})

const red = '#e61414'

/** The share of pixels that are red, of raw ones or of a PNG. */
const redShare = async (picture: Sharp): Promise<number> => {
  const { data, info } = await picture.raw().toBuffer({ resolveWithObject: true })
  let count = 0
  for (let at = 0; at < data.length; at += info.channels)
    if ((data[at] ?? 0) > 180 && (data[at + 1] ?? 0) < 80 && (data[at + 2] ?? 0) < 80) count += 1
  return count / (info.width * info.height)
}

test('a video of hundreds of references shows as many as have room', async () => {
  const one = inputOf(await plain(64, 64, red))
  const references = Array.from({ length: 300 }, () => one)
  const spec = video({ width: 1280, height: 720, references })
  expect(await redShare(sharp(await drawn({ kind: 'last-frame', of: spec })))).toBeGreaterThan(0.001)
})

test('a reference video shows its first picture, in the last frame too', async () => {
  const film = await readFile(await drawn(video({ firstFrame: inputOf(await plain(320, 240, red)) })))
  const spec = video({ references: [inputOf(film, 'video')] })
  const [frame] = await framesOf(await drawn(spec), spec.width, spec.height)
  expect(await redShare(sharp(await png(frame, spec)))).toBeGreaterThan(0.05)
  expect(await redShare(sharp(await drawn({ kind: 'last-frame', of: spec })))).toBeGreaterThan(0.05)
})

test('a reference video that cannot be decoded, or was not read, is shown by a sign', async () => {
  const broken = inputOf(Buffer.from('no film at all'), 'video')
  const unread = { kind: 'video', blob: null, label: 'an input' } as const
  const pictures = await Promise.all(
    [broken, unread].map((reference) => drawn(video({ references: [reference] }))),
  )
  expect((await readFile(pictures[0] as string)).equals(await readFile(pictures[1] as string))).toBe(true)
})

test.each([
  ['wide', 16_000, 3],
  ['tall', 3, 16_000],
])(
  'a %s picture without much on its other side fits a video, as a reference and as a frame',
  async (_, width, height) => {
    const thin = inputOf(await plain(width, height, '#e01020'))
    const readBlob = async () => plain(width, height, '#e01020')
    const pictures = createInputPictures({ mediaMemoryBytes: 1, readBlob })
    const spec = video({ references: [thin, thin, thin, thin], lastFrame: thin })
    const card = await composeRaster((await videoCardOf(spec, pictures)).still)
    expect(card).toMatchObject({ width: 320, height: 240 })
    const { data } = await composeRaster(await userFrameOf(spec, thin, pictures))
    expect([...data.subarray(0, 3)]).toEqual([0xe0, 0x10, 0x20])
  },
)
