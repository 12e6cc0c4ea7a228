import type { VideoSpec } from '../../../../core/media/spec.js'
import { chanceOf } from '../scene/chance.js'
import type { Palette } from '../scene/palette.js'
import { type Area, rect } from '../scene/svg.js'
import { streetTile } from '../scene/traffic.js'

/** A band that runs in one direction for ever: a tile laid end to end, which is back where it was after a second. */
export interface Band {
  /** Whole even numbers of pixels, as everything that moves: a block of colour in the video is 2 x 2 pixels. */
  readonly area: Area
  readonly runs: 'right' | 'up'
  readonly pixelsPerFrame: number
  readonly tileLength: number
  /** One tile in the area's upper left corner. */
  readonly tile: string
}

/** A place where frames differ: a drawing that all of them have, and cells on it that change at times of their own. */
export interface Patch {
  readonly area: Area
  readonly ground: string
  readonly cells: readonly Cell[]
}

export interface Cell {
  /** Within the patch, in whole pixels. */
  readonly area: Area
  /** The cell at a frame of the video, from 0, in its own coordinates. Few drawings differ, so that few have to be painted. */
  draw(frame: number): string
}

/** The nearest even number. */
export const even = (value: number): number => 2 * Math.round(value / 2)

/** The perforated edge of a film, upwards along the left side of the card. */
export const filmEdge = ({ width, height, framesPerSecond }: VideoSpec): Band => {
  const side = even(Math.min(width, height) * 0.045)
  const pixelsPerFrame = Math.max(2, even(height / 190))
  const perSecond = pixelsPerFrame * framesPerSecond
  const tileLength = perSecond / Math.min(3, Math.max(1, Math.round(perSecond / (side * 1.4))))
  const hole = { x: side * 0.24, y: tileLength * 0.25, width: side * 0.52, height: tileLength * 0.5 }
  return {
    area: { x: 0, y: 0, width: side, height },
    ...{ runs: 'up', pixelsPerFrame, tileLength },
    tile:
      rect({ x: 0, y: 0, width: side, height: tileLength }, '#0d0d10') +
      rect(hole, '#e9e4d8', `rx="${side * 0.1}"`),
  }
}

/** The traffic on the street, to the right: a third of the card's width a second. */
export const trafficBand = (spec: VideoSpec, street: Area, palette: Palette): Band => {
  const pixelsPerFrame = Math.max(2, even(spec.width / 3 / spec.framesPerSecond))
  const tileLength = pixelsPerFrame * spec.framesPerSecond
  const lane = { x: 0, y: 0, width: tileLength, height: street.height }
  const chance = chanceOf(spec.seed, 'traffic')
  return {
    area: street,
    ...{ runs: 'right', pixelsPerFrame, tileLength },
    tile: rect(lane, palette.street) + streetTile(tileLength, lane, palette, chance),
  }
}
