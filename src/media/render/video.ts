import { setImmediate as nextTurn } from 'node:timers/promises'
import type { MediaInput, VideoSpec } from '../../core/media/spec.js'
import { stand } from './card/gallery.js'
import { watermarkOf } from './card/labels.js'
import { typeSizeFor } from './card/layout.js'
import { paletteOf } from './card/palette.js'
import type { Inputs } from './input-pictures.js'
import { type Bounded, type Painting, paintPng } from './raster.js'
import type { RenderContext } from './render-context.js'
import { type Font, loadFont } from './text/font.js'
import { CHANNELS, SAMPLES_PER_PACKET, SAMPLES_PER_SECOND, stretched } from './tone.js'
import { encode } from './video/encode.js'
import { filmOf } from './video/film.js'
import { type H264, readH264 } from './video/h264.js'
import { aacDescription, h264Description, type Track } from './video/movie.js'
import { mp4Of } from './video/mp4.js'
import { samplesOf } from './video/samples.js'
import { cutApart, sheetOf } from './video/sheet.js'
import { spsFor } from './video/sps.js'
import { paintStrips } from './video/strips.js'
import { cardAt, type Scene, sceneOf } from './video-card.js'

/** A video as an MP4 of exactly the spec's width, height and seconds, H.264, with quiet AAC where it has sound. */
export const drawVideo = async (spec: VideoSpec, inputs: Inputs, context: RenderContext): Promise<Buffer> => {
  const users = [spec.firstFrame, spec.lastFrame].filter((input) => input !== undefined)
  // What is not there any more is found out before anything is begun.
  const [scene] = await Promise.all([sceneOf(spec, inputs), ...users.map((input) => inputs.look(input))])
  // The first scene of a process reads its letters, and the first painting starts threads: not in one go.
  await nextTurn()
  const frames = users.map((input) => () => userFrame(spec, input, inputs))
  const both = [
    shot(spec, scene, frames, context),
    spec.hasAudio ? context.recordTone(spec.seed, context) : undefined,
  ] as const
  // When one has failed, the other is not left at work.
  await Promise.allSettled(both)
  const [pictures, sound] = await Promise.all(both)
  const tracks = [pictures, ...(sound === undefined ? [] : [soundTrack(sound, spec.seconds)])]
  return mp4Of(tracks, spec.seconds)
}

/** The track of pictures. */
const shot = async (
  spec: VideoSpec,
  scene: Scene,
  users: readonly (() => Promise<Painting>)[],
  context: RenderContext,
): Promise<Track> => {
  const strips = await paintStrips(scene, spec.seconds, users)
  const h264 = readH264(await encode(sheetOf(strips), spec.framesPerSecond, context))
  const edges = { hasOpening: spec.firstFrame !== undefined, hasEnding: spec.lastFrame !== undefined }
  const film = filmOf(cutApart(strips, h264), spec, edges)
  return pictureTrack(spec, h264, samplesOf(film, h264.sets))
}

/** What a video ends with, as a PNG of the video's size (§C `return_last_frame`): drawn from what the video is drawn from. */
export const drawLastFrame = async (spec: VideoSpec, inputs: Inputs): Promise<Buffer> =>
  paintPng(await lastPainting(spec, inputs))

const lastPainting = async (spec: VideoSpec, inputs: Inputs): Promise<Painting> =>
  spec.lastFrame
    ? userFrame(spec, spec.lastFrame, inputs)
    : cardAt(await sceneOf(spec, inputs), spec.seconds * spec.framesPerSecond - 1)

const TICKS_PER_FRAME = 512

const pictureTrack = (spec: VideoSpec, { sps, pps }: H264, samples: readonly Buffer[]): Track => {
  const { width, height, seconds, framesPerSecond } = spec
  return {
    handler: 'vide',
    timescale: framesPerSecond * TICKS_PER_FRAME,
    sampleTicks: TICKS_PER_FRAME,
    samples,
    description: h264Description(width, height, spsFor(spec, sps), pps),
    keySamples: Array.from({ length: seconds }, (_, second) => second * framesPerSecond),
    ...{ width, height },
  }
}

const soundTrack = (adts: Buffer, seconds: number): Track => {
  const { packets, config } = stretched(adts, seconds)
  return {
    handler: 'soun',
    timescale: SAMPLES_PER_SECOND,
    sampleTicks: SAMPLES_PER_PACKET,
    samples: packets,
    description: aacDescription(CHANNELS, SAMPLES_PER_SECOND, config),
    ...{ width: 0, height: 0 },
  }
}

const markOf = (font: Font, width: number, height: number): Bounded => {
  const { svg, area } = watermarkOf(font, width, height)
  return { drawing: svg, area }
}

/** The first or last frame that the user supplied, cut to the video's size; where it has no pixels, words in its place. */
export const userFrame = async (spec: VideoSpec, input: MediaInput, inputs: Inputs): Promise<Painting> => {
  const { width, height } = spec
  const font = await loadFont()
  const mark = spec.hasWatermark ? [markOf(font, width, height)] : []
  const look = await inputs.look(input)
  if (look.kind === 'pixels') {
    const raster = await inputs.cut(input, width, height)
    return { width, height, layers: [{ raster, left: 0, top: 0 }, ...mark] }
  }
  const style = { size: typeSizeFor(width, height) * 1.6, palette: paletteOf(spec.seed) }
  const words = stand(font, input, `${input.label}: ${look.words}`, { x: 0, y: 0, width, height }, style)
  return { width, height, layers: [words, ...mark] }
}
