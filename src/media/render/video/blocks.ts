import type { Area } from '../card/svg.js'

/** Pixels on a side of a macroblock, in which H.264 writes pictures: row by row, from the upper left corner. */
export const BLOCK = 16

/** How many blocks cover a length in pixels. */
export const blocksOver = (pixels: number): number => Math.ceil(pixels / BLOCK)

/** Rows of blocks, as wide as the picture. */
export interface Rows {
  /** From the top of the picture, from 0. */
  readonly first: number
  readonly count: number
}

/** The rows that an area in pixels touches. */
export const rowsUnder = ({ y, height }: Pick<Area, 'y' | 'height'>): Rows => {
  const first = Math.floor(y / BLOCK)
  return { first, count: blocksOver(y + height) - first }
}

/** Rows in pixels. The last of a picture may reach over its edge. */
export const areaOf = (
  { first, count }: Rows,
  { width, height }: { readonly width: number; readonly height: number },
): Area => {
  const y = first * BLOCK
  return { x: 0, y, width, height: Math.min(count * BLOCK, height - y) }
}
