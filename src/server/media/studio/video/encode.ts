import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { VideoSpec } from '../../../../core/media/spec.js'
import { runFfmpeg } from '../ffmpeg.js'
import type { Painting } from '../scene/paint.js'
import type { Plan } from './plan.js'
import type { Scene } from './scene.js'
import { bandSource, groundSource, patchSource, type Source, userFrameSource } from './sources.js'
import { type Workbench, written } from './workbench.js'

/** Everything that goes into the encoder, once. */
export interface Takes {
  readonly spec: VideoSpec
  readonly plan: Plan
  readonly scene: Scene
  /** The user's first and last frame, where there is one: cut while the scene is painted. */
  readonly opening: (() => Promise<Painting>) | undefined
  readonly ending: (() => Promise<Painting>) | undefined
}

export interface Encoded {
  /** H.264 as a byte stream, the plan's drawings in their order. */
  readonly pictures: Buffer
  /** AAC in ADTS, some packets of the tone; undefined for a video without sound. */
  readonly sound: Buffer | undefined
}

/** Draws what stands still once and what moves as small drawings, and lets ffmpeg lay them on each other and encode them. */
export const encode = async (takes: Takes, workbench: Workbench): Promise<Encoded> => {
  const { hasAudio, seed } = takes.spec
  const both = [
    encodePictures(takes, workbench),
    hasAudio ? workbench.recordTone(seed, workbench) : undefined,
  ] as const
  // When one has failed, the other is not left at work.
  await Promise.allSettled(both)
  const [pictures, sound] = await Promise.all(both)
  return { pictures, sound }
}

const encodePictures = async (takes: Takes, workbench: Workbench): Promise<Buffer> => {
  const { ffmpegPath, folder, signal } = workbench
  const sources = sourcesOf(takes)
  const inputs = await Promise.all(
    sources.map(async (source, index) => {
      const file = join(folder, `${index}.rgb`)
      await writeFile(file, await source.pixels(), { signal })
      return { source: file, options: rawVideo(source, takes.plan) }
    }),
  )
  const target = join(folder, 'pictures.h264')
  const outputs = [pictureOutput(takes, sources.length, target)]
  await runFfmpeg(ffmpegPath, { inputs, filter: filterOf(sources), outputs }, signal)
  return written(target)
}

const sourcesOf = ({ spec, plan, scene, opening, ending }: Takes): Source[] => [
  groundSource(scene, plan),
  ...scene.bands.map((band) => bandSource(band, plan)),
  patchSource(scene.patch, plan),
  ...(opening && plan.opening ? [userFrameSource('out', spec, opening, plan.opening, plan)] : []),
  ...(ending && plan.ending ? [userFrameSource('in', spec, ending, plan.ending, plan)] : []),
]

const rawVideo = ({ width, height }: Source, { framesPerSecond }: Plan): string[] => [
  ...['-f', 'rawvideo', '-pixel_format', 'rgb24'],
  ...['-video_size', `${width}x${height}`, '-framerate', String(framesPerSecond)],
]

/** Each source prepared, then one laid on the other: the last result is called `o` and the number of the last source. */
const filterOf = (sources: readonly Source[]): string =>
  sources
    .flatMap(({ prepare, overlay }, index) => {
      const below = index === 1 ? 's0' : `o${index - 1}`
      const prepared = `[${index}:v]${prepare}[s${index}]`
      return index === 0 ? [prepared] : [prepared, `[${below}][s${index}]overlay=${overlay}[o${index}]`]
    })
    .join(';')

const pictureOutput = ({ plan: { drawings } }: Takes, sources: number, target: string) => {
  const keys = drawings.flatMap(({ number }, place) => (number === 0 ? [`eq(n,${place})`] : []))
  const frames = ['-map', `[o${sources - 1}]`, '-frames:v', String(drawings.length)]
  return { target, options: [...frames, '-force_key_frames', `expr:${keys.join('+')}`, ...H264_OPTIONS] }
}

// Hardly anything moves, so looking for movement is time lost, and so are the finer ways to write what is left.
const FAST =
  'cabac=0:me=dia:merange=4:subme=0:partitions=none:8x8dct=0:weightp=0:no-deblock=1:ipratio=1:aq-mode=0:no-psy=1'

const H264_OPTIONS = [
  ...['-c:v', 'libx264', '-preset', 'superfast', '-tune', 'zerolatency', '-x264-params', FAST],
  // A fixed quantiser makes what stands still come out the same in the first picture of every second, so that one can
  // take the place of another. Two threads on any machine, each with its half of every picture: the bytes depend on the
  // number of threads, and must not depend on the number of processors.
  ...[
    '-qp',
    '23',
    '-threads',
    '2',
    '-slices',
    '2',
    '-g',
    '100000',
    '-sc_threshold',
    '0',
    '-flags:v',
    '+bitexact',
  ],
  ...['-colorspace', 'bt709', '-color_primaries', 'bt709', '-color_trc', 'bt709', '-color_range', 'tv'],
  ...['-f', 'h264'],
]
