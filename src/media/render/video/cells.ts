import { type Area, moved } from '../card/svg.js'
import type { Raster } from '../input-pictures.js'
import { type Piece, paintRaster } from '../raster.js'

/** A place on the card that looks different at times of its own. */
export interface Cell {
  /** Whole pixels. */
  readonly area: Area
  /** The cell at a frame of the video, from 0, in its own coordinates. Few drawings differ, so that few have to be painted. */
  draw(frame: number): string
}

/** The cell in its place. */
export const cellAt = ({ area, draw }: Cell, frame: number): string => moved(area.x, area.y, draw(frame))

/** Cells as they look at a frame of the video. */
export type PaintedCells = (frame: number) => Piece[]

/** Paints all that cells look like at some frames: those of one size in one go, since each painting has its price. */
export const paintCells = async (
  cells: readonly Cell[],
  frames: readonly number[],
): Promise<PaintedCells> => {
  const drawings = cells.flatMap((cell) =>
    [...new Set(frames.map((frame) => cell.draw(frame)))].map((drawing) => ({ size: cell.area, drawing })),
  )
  const sizes = [...new Set(drawings.map(({ size }) => nameOf(size)))]
  const alike = sizes.map((size) => drawings.filter((each) => nameOf(each.size) === size))
  const painted = new Map((await Promise.all(alike.map(paintColumn))).flat())
  return (frame) =>
    cells.flatMap(({ area, draw }) => {
      const raster = painted.get(draw(frame))
      return raster === undefined ? [] : [{ raster, part: { ...area, x: 0, y: 0 }, at: area }]
    })
}

type Size = Pick<Raster, 'width' | 'height'>

const nameOf = ({ width, height }: Size): string => `${width}x${height}`

/** Drawings of one size, painted one below the other and cut apart again. */
const paintColumn = async (
  drawings: readonly { readonly size: Size; readonly drawing: string }[],
): Promise<[string, Raster][]> => {
  const { width, height } = drawings[0]?.size ?? { width: 0, height: 0 }
  const column = drawings.map(({ drawing }, index) => moved(0, index * height, drawing)).join('')
  const { data } = await paintRaster({ width, height: height * drawings.length, layers: [column] })
  const bytes = width * height * 3
  return drawings.map(({ drawing }, index) => [
    drawing,
    { width, height, data: data.subarray(index * bytes, (index + 1) * bytes) },
  ])
}
