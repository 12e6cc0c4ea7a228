import type { Raster } from '../inputs/bmp.js'
import type { Area } from '../scene/svg.js'

const BYTES_PER_PIXEL = 3

/** A part of a raster, as one of its own. */
export const cropped = (raster: Raster, { x, y, width, height }: Area): Raster => {
  const data = Buffer.allocUnsafe(width * height * BYTES_PER_PIXEL)
  copyRows(raster, { x, y, width, height }, { width, height, data }, { x: 0, y: 0 })
  return { width, height, data }
}

/** A copy of a raster, with parts of others laid on it in their order. */
export const withOnIt = (ground: Raster, pieces: readonly Piece[]): Raster => {
  const copy = { ...ground, data: Buffer.from(ground.data) }
  for (const { raster, part, at } of pieces) copyRows(raster, part, copy, at)
  return copy
}

export interface Piece {
  readonly raster: Raster
  readonly part: Area
  /** Where its upper left corner goes. */
  readonly at: Pick<Area, 'x' | 'y'>
}

const copyRows = (from: Raster, { x, y, width, height }: Area, onto: Raster, at: Piece['at']): void => {
  for (let row = 0; row < height; row++) {
    const start = ((y + row) * from.width + x) * BYTES_PER_PIXEL
    const target = ((at.y + row) * onto.width + at.x) * BYTES_PER_PIXEL
    from.data.copy(onto.data, target, start, start + width * BYTES_PER_PIXEL)
  }
}
