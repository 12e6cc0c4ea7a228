import { setImmediate as nextTurn } from 'node:timers/promises'
import type { VideoSpec } from '../../../../core/media/spec.js'
import { ffmpegFailed } from '../ffmpeg-failed.js'
import type { Inputs } from '../inputs/inputs.js'
import { type Painting, paintPng } from '../scene/paint.js'
import { type Encoded, encode } from './encode.js'
import { type H264, readH264, withLength } from './h264.js'
import { aacDescription, h264Description, type Track } from './movie.js'
import { mp4Of } from './mp4.js'
import { type Plan, planOf } from './plan.js'
import { repeatsFor } from './repeats.js'
import { cardAt, sceneOf } from './scene.js'
import { CHANNELS, SAMPLES_PER_PACKET, SAMPLES_PER_SECOND, stretched } from './tone.js'
import { userFrame } from './user-frame.js'
import type { Workbench } from './workbench.js'

/** A video as an MP4 of exactly the spec's width, height and seconds, H.264, with quiet AAC where it has sound. */
export const drawVideo = async (spec: VideoSpec, inputs: Inputs, workbench: Workbench): Promise<Buffer> => {
  const { seconds, framesPerSecond, firstFrame, lastFrame } = spec
  const plan = planOf(seconds, framesPerSecond, { opening: Boolean(firstFrame), ending: Boolean(lastFrame) })
  // What is not there any more is found out before anything is begun.
  const [scene] = await Promise.all([
    sceneOf(spec, inputs),
    firstFrame && inputs.look(firstFrame),
    lastFrame && inputs.look(lastFrame),
  ])
  const opening = firstFrame && (() => userFrame(spec, firstFrame, inputs))
  const ending = lastFrame && (() => userFrame(spec, lastFrame, inputs))
  // The first scene of a process reads its letters, and the first painting starts threads: not in one go.
  await nextTurn()
  return assemble(spec, plan, await encode({ spec, plan, scene, opening, ending }, workbench))
}

/** What a video ends with, as a PNG of the video's size (§C `return_last_frame`): drawn from what the video is drawn from. */
export const drawLastFrame = async (spec: VideoSpec, inputs: Inputs): Promise<Buffer> =>
  paintPng(await lastPainting(spec, inputs))

const lastPainting = async (spec: VideoSpec, inputs: Inputs): Promise<Painting> =>
  spec.lastFrame
    ? userFrame(spec, spec.lastFrame, inputs)
    : cardAt(await sceneOf(spec, inputs), spec.seconds * spec.framesPerSecond - 1)

const TICKS_PER_FRAME = 512

const assemble = (spec: VideoSpec, plan: Plan, { pictures, sound }: Encoded): Buffer => {
  const { width, height, seconds, framesPerSecond, hasAudio } = spec
  const stream = asPlanned(readH264(pictures), plan)
  const film: Track = {
    handler: 'vide',
    timescale: framesPerSecond * TICKS_PER_FRAME,
    sampleTicks: TICKS_PER_FRAME,
    samples: framesOf(stream, plan),
    description: h264Description(width, height, stream.sps, stream.pps),
    keySamples: plan.order.flatMap(({ place, shown }, frame) =>
      stream.isKey[place] && shown === 0 ? [frame] : [],
    ),
    ...{ width, height },
  }
  return mp4Of(hasAudio && sound ? [film, soundTrack(sound, seconds)] : [film], seconds)
}

// A second that did not begin with a key picture would show the time of another one.
const asPlanned = (stream: H264, { drawings }: Plan): H264 => {
  const isRight = drawings.every(({ number }, place) => stream.isKey[place] === (number === 0))
  if (isRight && stream.pictures.length === drawings.length) return stream
  throw ffmpegFailed('ffmpeg wrote other pictures than it was asked for.')
}

/** All frames of the video. A drawing that is shown for longer than one is followed by pictures that repeat it. */
const framesOf = ({ sps, pps, pictures }: H264, { drawings, order }: Plan): Buffer[] => {
  const repeat = repeatsFor(sps, pps)
  return order.flatMap(({ place, shown }) => {
    if (shown === 0) return pictures[place] ?? []
    const { number = 0, isLast = false } = drawings[place] ?? {}
    return withLength(repeat(number + shown, isLast))
  })
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
