import type { VideoSpec } from '../../../core/media/spec.js'
import type { Palette } from '../card/palette.js'
import { type Area, moved, rect } from '../card/svg.js'
import { streetTile } from '../card/traffic.js'
import { randomOf } from '../random.js'
import { type Piece, paintRaster } from '../raster.js'

/** The street with its traffic, which runs to the right for ever: a tile laid end to end, back where it was after a second. */
export interface Street {
  /** Whole pixels. */
  readonly area: Area
  readonly pixelsPerFrame: number
  readonly tileLength: number
  /** One tile in the street's upper left corner. */
  readonly tile: string
}

/** Traffic at the speed of a third of the card's width a second. */
export const streetOf = (spec: VideoSpec, area: Area, palette: Palette): Street => {
  const pixelsPerFrame = Math.max(2, Math.round(spec.width / 3 / spec.framesPerSecond))
  const tileLength = pixelsPerFrame * spec.framesPerSecond
  const lane = { x: 0, y: 0, width: tileLength, height: area.height }
  const random = randomOf(spec.seed, 'traffic')
  const tile = rect(lane, palette.street) + streetTile(tileLength, lane, palette, random)
  return { area, pixelsPerFrame, tileLength, tile }
}

/** How far the traffic has run at a frame of the video, in pixels. */
const shiftAt = ({ pixelsPerFrame, tileLength }: Street, frame: number): number =>
  (frame * pixelsPerFrame) % tileLength

/** How long the street is drawn: one tile more than is seen, so that it can run for the length of a tile. */
const lengthOf = ({ area, tileLength }: Street): number =>
  Math.ceil(area.width / tileLength) * tileLength + tileLength

/** The street at its full length, from its upper left corner. */
const wholeStreet = (street: Street): string =>
  Array.from({ length: lengthOf(street) / street.tileLength }, (_, index) =>
    moved(index * street.tileLength, 0, street.tile),
  ).join('')

/** What is seen of it at a frame of the video. */
export const streetAt = (street: Street, frame: number): string => {
  const { x, y, width, height } = street.area
  const inner = moved(shiftAt(street, frame) - street.tileLength, 0, wholeStreet(street))
  return `<svg x="${x}" y="${y}" width="${width}" height="${height}">${inner}</svg>`
}

/** Paints it once; what is seen at a frame is a part of that. */
export const paintStreet = async (street: Street): Promise<(frame: number) => Piece> => {
  const { area, tileLength } = street
  const size = { width: lengthOf(street), height: area.height }
  const raster = await paintRaster({ ...size, layers: [wholeStreet(street)] })
  return (frame) => {
    const part = { ...area, x: tileLength - shiftAt(street, frame), y: 0 }
    return { raster, part, at: area }
  }
}
