import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { readMovie } from '../../core/media/readers/movie.js'
import type { FrameSpec, MediaInput, VideoSpec } from '../../core/media/spec.js'
import { nextTurn } from '../../timers.js'
import { carGapOf, streetWithCars } from './card/backdrop.js'
import { loadFont } from './card/font.js'
import { placeholder } from './card/gallery.js'
import { typeSizeFor } from './card/layout.js'
import { paletteOf } from './card/palette.js'
import { secondsOf } from './card/seconds.js'
import { drawTitleCard, watermarkOf } from './card/title-card.js'
import { type Composition, composePng, composeRaster, translated } from './drawing.js'
import { type FfmpegFile, ffmpegFailed, type RenderContext, readOutput, runFfmpeg } from './ffmpeg.js'
import type { InputPictures } from './input-pictures.js'
import { picturesOfStream } from './pictures-of-stream.js'

/**
 * Renderer of videos as MP4 of exactly the spec's width, height and seconds, H.264, with quiet AAC where they have sound. A
 * video is made of parts of half a second: an opening (the user's first frame), the title card, an ending (the user's
 * last frame). The card says which second it is: the first picture of a part is one of that second, and the pictures behind it, which
 * only move the traffic, are those of every part. One run of ffmpeg encodes each picture once, with the same settings, while another one encodes the sound. The parts are
 * repeated as bytes, and a last run copies the whole stream into an MP4.
 */
export const createRenderVideo = () => {
  // There are few lengths, and each takes some 20 kB: all that were encoded are kept.
  const tones = new Map<string, Buffer>()
  const toneOf = async (spec: VideoSpec, context: RenderContext): Promise<Buffer | undefined> => {
    if (!spec.hasAudio) return undefined
    const key = `${context.ffmpegPath} ${spec.seconds}`
    const tone = tones.get(key) ?? (await encodeTone(spec.seconds, context))
    tones.set(key, tone)
    return tone
  }
  return async (spec: VideoSpec, pictures: InputPictures, context: RenderContext): Promise<Buffer> => {
    const encoded = paintParts(spec, pictures).then(async (parts) => {
      // Reading the font and starting sharp took long: other work has its turn before the next step.
      await nextTurn()
      return encodeParts(spec, parts, context)
    })
    const sound = toneOf(spec, context)
    // Where one fails, no process of the other is left running.
    await Promise.allSettled([encoded, sound])
    return toMp4(spec, concatParts(spec, await encoded), await sound, context)
  }
}

/** The last frame of a video (§C `return_last_frame`), or the first one as its poster: a PNG of the video's size. */
export const renderFrame = async (
  { kind, of: video }: FrameSpec,
  pictures: InputPictures,
): Promise<Buffer> => {
  const given = kind === 'poster' ? video.firstFrame : video.lastFrame
  if (given) return composePng(await userFrameOf(video, given, pictures))
  const { still, seconds } = await videoCardOf(video, pictures)
  const label = seconds?.placedAt(kind === 'poster' ? 0 : video.seconds - 1)
  return composePng(label === undefined ? still : { ...still, layers: [...still.layers, label] })
}

const paintParts = async (spec: VideoSpec, pictures: InputPictures) => {
  const userFrame = async (input: VideoSpec['firstFrame']) =>
    input && composeRaster(await userFrameOf(spec, input, pictures))
  const { still, strip, seconds, ...motion } = await videoCardOf(spec, pictures)
  const [card, traffic, labels, opening, ending] = await Promise.all([
    composeRaster(still),
    composeRaster(strip),
    seconds && composeRaster(labelsOf(spec, seconds)),
    userFrame(spec.firstFrame),
    userFrame(spec.lastFrame),
  ])
  return { ...motion, labelArea: seconds?.area, rasters: { card, traffic, labels, opening, ending } }
}

/** The labels of all seconds, below each other. */
const labelsOf = (spec: VideoSpec, { area, labelOf }: ReturnType<typeof secondsOf>): Composition => {
  const labels = Array.from({ length: spec.seconds }, (_, second) =>
    translated(0, second * area.height, labelOf(second)),
  )
  return { width: area.width, height: area.height * spec.seconds, layers: [labels.join('')] }
}

/** Video is repeated in loops of half a second. Where the frame rate is no even number, some of them are shown without their end. */
const framesPerLoop = ({ framesPerSecond }: VideoSpec): number => Math.ceil(framesPerSecond / 2)

/** How many pictures a half second has: those of all of them are as many as the frame rate says. */
const framesOfHalf = ({ framesPerSecond }: VideoSpec, half: number): number =>
  Math.round((framesPerSecond * (half + 1)) / 2) - Math.round((framesPerSecond * half) / 2)

/** Frame rate as a fraction: 29.97 and its like are those of television (30000/1001). */
const frameRate = (framesPerSecond: number): { readonly of: number; readonly per: number } => {
  const whole = Math.round(framesPerSecond)
  if (whole === framesPerSecond) return { of: whole, per: 1 }
  if (Math.abs((whole * 1_000) / 1_001 - framesPerSecond) < 0.005) return { of: whole * 1_000, per: 1_001 }
  return { of: Math.round(framesPerSecond * 1_000), per: 1_000 }
}

const rateText = ({ framesPerSecond }: VideoSpec): string => {
  const { of, per } = frameRate(framesPerSecond)
  return per === 1 ? String(of) : `${of}/${per}`
}

/** Room for the seconds beside the emulator's name, in ems. */
const LABEL_EM = 8

/**
 * The title card of a video, as its last frame shows it, and the traffic that drives over it in a loop: of a strip of street that
 * is longer than the card a window is shown, which moves to the left, by a gap between two cars in a loop.
 */
export const videoCardOf = async (spec: VideoSpec, pictures: InputPictures) => {
  const { width, height, framesPerSecond, hasAudio, references } = spec
  const moreItems = [['FPS', String(framesPerSecond)] as const, ['SOUND', hasAudio ? 'on' : 'off'] as const]
  const freeBesideBrand = typeSizeFor(width, height) * LABEL_EM
  const options = { inputs: references, what: 'placeholder video', moreItems, freeBesideBrand }
  const { street, palette, ...card } = await drawTitleCard({ ...spec, ...options }, pictures)
  const still: Composition = { width, height, layers: [card.svg, ...card.pictures] }
  const gap = carGapOf(street)
  const size = { width: width + gap, height: street.height }
  const strip: Composition = { ...size, layers: [streetWithCars({ x: 0, y: 0, ...size }, palette)] }
  // Cards without an id stand for several results, and are to be made as quickly as can be.
  const seconds = spec.card.id === '' ? undefined : secondsOf(await loadFont(), spec, palette)
  return { still, strip, street, pixelsPerFrame: gap / framesPerLoop(spec), seconds }
}

/** The user's first or last frame, cut to the video's size; a placeholder where it has no pixels. */
export const userFrameOf = async (
  { width, height, hasWatermark, seed, card }: VideoSpec,
  input: MediaInput,
  pictures: InputPictures,
): Promise<Composition> => {
  const font = await loadFont(input.label)
  const mark = hasWatermark ? [watermarkOf(font, width, height)] : []
  const preview = await pictures.preview(input)
  if (preview.kind === 'pixels') {
    const raster = await pictures.cover(input, width, height)
    return { width, height, layers: [{ raster, left: 0, top: 0 }, ...mark] }
  }
  const style = { size: typeSizeFor(width, height) * 1.6, palette: paletteOf(seed, card.model) }
  const text = `${input.label}: ${preview.text}`
  const tile = placeholder(font, input, text, { x: 0, y: 0, width, height }, style)
  return { width, height, layers: [tile, ...mark] }
}

// The same matrix that the stream is labelled with; without it ffmpeg takes that of old television.
const TO_VIDEO = 'scale=out_color_matrix=bt709:out_range=tv:flags=area+accurate_rnd,format=yuv420p'

const encodeParts = async (
  spec: VideoSpec,
  { street, pixelsPerFrame, labelArea, rasters }: Awaited<ReturnType<typeof paintParts>>,
  { folder, ...context }: RenderContext,
) => {
  const frames = framesPerLoop(spec)
  const inputs: FfmpegFile[] = []
  const filters: string[] = []
  for (const [name, raster] of Object.entries(rasters)) {
    if (raster === undefined) continue
    const { width, height, data } = raster
    const path = join(folder, `${name}.rgb`)
    await writeFile(path, data, { signal: context.signal })
    const format = ['-f', 'rawvideo', '-pixel_format', 'rgb24', '-video_size', `${width}x${height}`]
    filters.push(`[${inputs.length}]${TO_VIDEO},loop=${Math.max(frames, spec.seconds) - 1}:1:0[${name}]`)
    inputs.push({ path, options: [...format, '-framerate', rateText(spec)] })
  }
  const window = (pixels: string) => `crop=${street.width}:${street.height}:${pixels}:0`
  const driving = window(`${pixelsPerFrame}*(${frames - 1}-n)`)
  const onStreet = `overlay=${street.x}:${street.y}`
  if (labelArea === undefined) filters.push(`[traffic]${driving}[window]`, `[card][window]${onStreet}[loop]`)
  else {
    const { x, y, width, height } = labelArea
    const label = (second: string) => `crop=${width}:${height}:0:${height}*${second}`
    filters.push(
      '[traffic]split[traffic1][traffic2]',
      '[card]split[card1][card2]',
      '[labels]split[labels1][labels2]',
      `[traffic1]${driving}[window1]`,
      `[traffic2]${window(String(pixelsPerFrame * (frames - 1)))}[window2]`,
      `[labels1]${label('0')}[label1]`,
      `[labels2]${label('n')}[label2]`,
      `[card1][window1]${onStreet}[street1]`,
      `[card2][window2]${onStreet}[street2]`,
      `[street1][label1]overlay=${x}:${y}[loop]`,
      `[street2][label2]overlay=${x}:${y}[seconds]`,
    )
  }
  const streams = ['loop', ...(['opening', 'ending'] as const).filter((name) => rasters[name])]
  const fileOf = (name: string) => join(folder, name)
  const outputs: FfmpegFile[] = streams.map((name) => ({
    path: fileOf(`${name}.h264`),
    options: ['-map', `[${name}]`, ...x264Options(frames), '-frames:v', String(frames), '-f', 'h264'],
  }))
  // The first pictures, one for each second: all of them are key pictures.
  if (labelArea !== undefined)
    outputs.push({
      path: fileOf('seconds.h264'),
      options: [
        ...['-map', '[seconds]', ...x264Options(frames), '-forced-idr', '1', '-force_key_frames', 'expr:1'],
        ...['-frames:v', String(spec.seconds), '-f', 'h264'],
      ],
    })
  await runFfmpeg({ inputs, filter: filters.join(';'), outputs }, { folder, ...context })
  const read = (name: string) => readOutput(fileOf(name))
  const loop = await read('loop.h264')
  return {
    cards: labelArea === undefined ? [loop] : partsOf(loop, await read('seconds.h264')),
    opening: rasters.opening && (await read('opening.h264')),
    ending: rasters.ending && (await read('ending.h264')),
  }
}

const BIT_EXACT = ['-fflags', '+bitexact', '-map_metadata', '-1'] as const

// Two threads, each for one half of a picture: the bytes depend on their number, and must not depend on that of the processors.
const x264Options = (frames: number): string[] => [
  ...['-c:v', 'libx264', '-preset', 'superfast', '-tune', 'zerolatency', '-qp', '21', '-threads', '2'],
  // Every part has one key picture, as exact as the pictures after it: what stands still does not flicker.
  ...['-g', String(frames), '-x264-params', 'ipratio=1:weightp=0', '-flags:v', '+bitexact'],
  ...['-colorspace', 'bt709', '-color_primaries', 'bt709', '-color_trc', 'bt709', '-color_range', 'tv'],
]

// With a higher bit rate the encoder takes several times longer to find a use for the bits.
const AAC_OPTIONS = ['-c:a', 'aac', '-b:a', '24k', '-flags:a', '+bitexact', ...BIT_EXACT, '-f', 'mp4']

const encodeTone = async (seconds: number, context: RenderContext): Promise<Buffer> => {
  const path = join(context.folder, 'tone.m4a')
  const outputs = [{ path, options: ['-map', '[tone]', ...AAC_OPTIONS] }]
  await runFfmpeg({ inputs: [], filter: `${toneFilter(seconds)}[tone]`, outputs }, context)
  return readOutput(path)
}

/** Filter that makes a quiet tone, which swells, stays and fades. */
const toneFilter = (seconds: number): string =>
  [
    `sine=frequency=220:sample_rate=48000:duration=${seconds}`,
    'volume=0.3',
    'afade=type=in:duration=0.1',
    `afade=type=out:start_time=${seconds - 0.1}:duration=0.1`,
  ].join(',')

type EncodedParts = Awaited<ReturnType<typeof encodeParts>>

/** The part of each second: its key picture, and behind it the pictures of the loop that only move the traffic. */
const partsOf = (loop: Buffer, seconds: Buffer): Buffer[] => {
  const [, ...moving] = picturesOfStream(loop)
  return picturesOfStream(seconds).map((key) => Buffer.concat([key, ...moving]))
}

/** Concatenates the parts into one stream: the card of each second twice, with the opening and the ending in the place of two of them. */
const concatParts = (spec: VideoSpec, { cards, opening, ending }: EncodedParts): Buffer => {
  const parts = Array.from(
    { length: 2 * spec.seconds },
    (_, half) => cards[half >> 1] ?? (cards[0] as Buffer),
  )
  if (opening !== undefined) parts[0] = opening
  if (ending !== undefined) parts[parts.length - 1] = ending
  const whole = framesPerLoop(spec)
  return Buffer.concat(
    parts.flatMap((part, half) => {
      const frames = framesOfHalf(spec, half)
      return frames === whole ? [part] : picturesOfStream(part).slice(0, frames)
    }),
  )
}

const TICKS_PER_FRAME = 512

/** Copies a stream of H.264, and a tone, into an MP4. Container, video and sound last equally long. */
const toMp4 = async (spec: VideoSpec, stream: Buffer, tone: Buffer | undefined, context: RenderContext) => {
  const { of, per } = frameRate(spec.framesPerSecond)
  const { folder, signal } = context
  const source = join(folder, 'all.h264')
  const sound = join(folder, 'sound.m4a')
  const target = join(folder, 'video.mp4')
  await writeFile(source, stream, { signal })
  if (tone !== undefined) await writeFile(sound, tone, { signal })
  // `-r` numbers the pictures, which have no times of their own. The first packet of the tone only fills the decoder: its
  // time is before 0, and without it the sound has no delay that players would add to the length.
  const maps = ['-map', '0:v', ...(tone === undefined ? [] : ['-map', '1:a', '-copypriorss:a', '0'])]
  const times = ['-video_track_timescale', String(per === 1 ? of * TICKS_PER_FRAME : of)]
  // Without a look at the first pictures, which would take as long as all the rest: how many there are in a second is known.
  const unprobed = ['-probesize', '32', '-fpsprobesize', '0', '-analyzeduration', '0']
  const inputs: FfmpegFile[] = [{ path: source, options: [...unprobed, '-r', rateText(spec), '-f', 'h264'] }]
  if (tone !== undefined) inputs.push({ path: sound, options: [] })
  const options = [...maps, '-c', 'copy', ...times, ...BIT_EXACT, '-movflags', '+faststart', '-f', 'mp4']
  await runFfmpeg({ inputs, outputs: [{ path: target, options }] }, context)
  return checkVideo(spec, await readOutput(target))
}

/** @throws EmulatorError `ffmpeg-failed` where ffmpeg wrote something else than it was asked for */
const checkVideo = (spec: VideoSpec, file: Buffer): Buffer => {
  const facts = readMovie(file, 'mp4')
  if (facts.kind !== 'video') throw ffmpegFailed('ffmpeg wrote something that is not a video.')
  const { width, height, seconds } = facts
  // A whole number of pictures lasts up to half a picture more or less.
  const tolerance = Math.max(0.05, 0.51 / spec.framesPerSecond)
  if (width === spec.width && height === spec.height && Math.abs(seconds - spec.seconds) < tolerance)
    return file
  throw ffmpegFailed(
    `ffmpeg wrote a video of ${width}x${height} pixels and ${seconds} s in place of ${spec.width}x${spec.height} and ${spec.seconds} s.`,
  )
}
