import { ffmpegFailed } from '../ffmpeg.js'
import type { Raster } from '../input-pictures.js'
import { BLOCK, blocksOver } from './blocks.js'
import type { H264 } from './h264.js'
import { type Slice, sliceOf } from './slices.js'
import type { Strip, Strips } from './strips.js'

/** All pictures of a video's strips one below the other, so that the encoder is started once and sees one picture. */
export interface Sheet {
  readonly width: number
  /** Whole blocks. */
  readonly height: number
  /** Three bytes a pixel, in pieces. */
  readonly pixels: readonly Buffer[]
}

export const sheetOf = (strips: Strips<Raster>): Sheet => {
  const { whole, seconds, drawings } = strips
  const pictures = [whole, seconds, drawings].flatMap((strip) => strip.pictures)
  return {
    width: pictures[0]?.width ?? 0,
    height: BLOCK * pictures.reduce((sum, { height }) => sum + blocksOver(height), 0),
    pixels: pictures.flatMap(inWholeBlocks),
  }
}

/** Where a picture ends within a row of blocks, its last line goes on: it is not seen, and costs the least. */
const inWholeBlocks = ({ width, height, data }: Raster): Buffer[] => {
  const lastLine = data.subarray((height - 1) * width * 3)
  const missing = blocksOver(height) * BLOCK - height
  return [data, ...Array.from({ length: missing }, () => lastLine)]
}

/**
 * The slices of an encoded sheet by the pictures that they are of, each picture from top to bottom.
 *
 * @throws EmulatorError where there are not as many as there are rows
 */
export const cutApart = (strips: Strips<Raster>, { slices, sets }: H264): Strips<readonly Slice[]> => {
  const columns = blocksOver(strips.whole.pictures[0]?.width ?? 0)
  let at = 0
  const cut = ({ rows, pictures }: Strip<Raster>): Strip<readonly Slice[]> => ({
    rows,
    pictures: pictures.map(() => {
      const start = at
      at += rows.count
      return slices.slice(start, at).map((unit, index) => {
        const first = (rows.first + index) * columns
        return sliceOf(unit, sets, { first, blocks: columns, encodedAs: (start + index) * columns })
      })
    }),
  })
  const apart = { whole: cut(strips.whole), seconds: cut(strips.seconds), drawings: cut(strips.drawings) }
  if (slices.length !== at) throw ffmpegFailed('ffmpeg wrote another picture than it was asked for.')
  return apart
}
