import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type FfmpegRun, runFfmpeg } from '../ffmpeg.js'
import { type RenderContext, written } from '../render-context.js'
import { blocksOver } from './blocks.js'
import type { Sheet } from './sheet.js'

/** Encodes a sheet as one key picture of H.264 in a byte stream, with a slice for each row of blocks. */
export const encode = async (
  sheet: Sheet,
  framesPerSecond: number,
  context: RenderContext,
): Promise<Buffer> => {
  const { folder, signal } = context
  const [source, target] = [join(folder, 'sheet.rgb'), join(folder, 'sheet.h264')]
  await writeFile(source, sheet.pixels, { signal })
  await runFfmpeg(runOf(sheet, framesPerSecond, source, target), context)
  return written(target)
}

const runOf = (
  { width, height }: Sheet,
  framesPerSecond: number,
  source: string,
  target: string,
): FfmpegRun => ({
  inputs: [
    {
      source,
      options: [
        ...['-f', 'rawvideo', '-pixel_format', 'rgb24'],
        ...['-video_size', `${width}x${height}`, '-framerate', String(framesPerSecond)],
      ],
    },
  ],
  outputs: [{ target, options: ['-vf', TO_VIDEO, ...optionsFor(blocksOver(width)), '-f', 'h264'] }],
})

// The same matrix that the stream is labelled with; without it ffmpeg would take that of old television.
const TO_VIDEO = 'scale=out_color_matrix=bt709:out_range=tv:flags=area+accurate_rnd,format=yuv420p'

// Slices can go anywhere if nothing but what `slices.ts` follows is used: no arithmetic coding, no weights, no smoothing
// over the edges of blocks. The finer ways to write a block take longer.
const optionsFor = (blocksInRow: number): string[] => [
  ...['-c:v', 'libx264', '-preset', 'superfast', '-tune', 'zerolatency'],
  ...['-x264-params', [`slice-max-mbs=${blocksInRow}`, ...PLAIN].join(':')],
  // The bytes may depend on the number of threads, and must not depend on the number of processors.
  ...['-qp', '23', '-threads', '2', '-flags:v', '+bitexact'],
  ...['-colorspace', 'bt709', '-color_primaries', 'bt709', '-color_trc', 'bt709', '-color_range', 'tv'],
]

const PLAIN = [
  'cabac=0',
  '8x8dct=0',
  'partitions=none',
  'weightp=0',
  'no-deblock=1',
  'ipratio=1',
  'aq-mode=0',
  'no-psy=1',
]
