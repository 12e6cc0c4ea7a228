import type { Area } from '../card/svg.js'
import type { Raster } from '../input-pictures.js'
import { cropped, type Painting, type Piece, paintRaster, withOnIt } from '../raster.js'
import type { Scene } from '../video-card.js'
import { areaOf, blocksOver, type Rows, rowsUnder } from './blocks.js'
import { paintCells } from './cells.js'
import { drawnFrames } from './second.js'
import { paintStreet } from './street.js'

/** Some rows of the video, and what they show at several times. */
export interface Strip<Picture> {
  readonly rows: Rows
  readonly pictures: readonly Picture[]
}

/** What a video is put together from: whole pictures, and of what changes on the card only the rows in which it does. */
export interface Strips<Picture> {
  /** The card, and after it the user's first and last frame, where there are such. */
  readonly whole: Strip<Picture>
  /** The rows of the time code: a picture for each second. */
  readonly seconds: Strip<Picture>
  /** The rows of the street: a picture for each drawing of a second. */
  readonly drawings: Strip<Picture>
}

/** Paints everything at once. */
export const paintStrips = async (
  scene: Scene,
  seconds: number,
  users: readonly (() => Promise<Painting>)[],
): Promise<Strips<Raster>> => {
  const { width, height, framesPerSecond, still, pictures } = scene
  const starts = Array.from({ length: seconds }, (_, second) => second * framesPerSecond)
  const drawn = drawnFrames(framesPerSecond)
  const [ground, codeAt, streetAt, numberAt, ...frames] = await Promise.all([
    paintRaster({ width, height, layers: [still, ...pictures] }),
    paintCells(scene.bySecond, starts),
    paintStreet(scene.street),
    paintCells(scene.byDrawing, drawn),
    ...users.map(async (user) => paintRaster(await user())),
  ])
  const strip = (around: Area, moments: readonly number[], piecesAt: (frame: number) => Piece[]) => {
    const rows = rowsUnder(around)
    const area = areaOf(rows, scene)
    const under = cropped(ground, area)
    const moved = ({ at, ...piece }: Piece) => ({ ...piece, at: { x: at.x, y: at.y - area.y } })
    return { rows, pictures: moments.map((frame) => withOnIt(under, piecesAt(frame).map(moved))) }
  }
  return {
    whole: { rows: { first: 0, count: blocksOver(height) }, pictures: [ground, ...frames] },
    seconds: strip(scene.timeCode, starts, codeAt),
    drawings: strip(scene.street.area, drawn, (frame) => [streetAt(frame), ...numberAt(frame)]),
  }
}
