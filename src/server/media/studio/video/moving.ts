import type { VideoSpec } from '../../../../core/media/spec.js'
import { letters, widthOf } from '../lettering/letters.js'
import { CAPITAL_HEIGHT_EM, type Typeface } from '../lettering/typeface.js'
import { chanceOf } from '../scene/chance.js'
import type { Palette } from '../scene/palette.js'
import { type Area, rect, rects } from '../scene/svg.js'
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

/** A place where every frame has a drawing of its own, in columns that change at times of their own. */
export interface Patch {
  readonly area: Area
  /** From left to right, together as wide as the area. */
  readonly columns: readonly Column[]
}

export interface Column {
  readonly width: number
  /** The column at a frame of the video, from 0, in its own coordinates. */
  draw(frame: number): string
}

const even = (value: number): number => 2 * Math.round(value / 2)

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

// While a second runs, only the frames' number changes. The picture under the seconds' number may then be exchanged
// without drawing anything anew, as long as no encoded block lies in both or moves from one to the other.
const GAP = 48

export interface TimeCodePlace {
  readonly right: number
  readonly y: number
  readonly size: number
}

/** The time code in the upper right corner: seconds of how many, and the number of the frame within the second. */
export const timeCode = (typeface: Typeface, spec: VideoSpec, at: TimeCodePlace, palette: Palette): Patch => {
  const { framesPerSecond } = spec
  const size = at.size * 1.45
  const height = even(size * 1.75)
  const clock = { width: even(size * 5.6), height, size }
  const frames = { width: even(size * 1.9), height, size }
  const width = clock.width + GAP + frames.width
  return {
    area: { x: even(at.right - width), y: even(at.y - (height - at.size) / 2), width, height },
    columns: [
      {
        width: clock.width + GAP,
        draw: (frame) =>
          drawClock(typeface, spec.seconds, Math.floor(frame / framesPerSecond), clock, palette),
      },
      {
        width: frames.width,
        draw: (frame) => drawFrameNumber(typeface, frame % framesPerSecond, frames, palette),
      },
    ],
  }
}

interface Plate {
  readonly width: number
  readonly height: number
  /** Pixels to the em. */
  readonly size: number
}

const twoDigits = (value: number): string => String(value).padStart(2, '0')

const baselineOf = ({ height, size }: Plate): number => height / 2 + (CAPITAL_HEIGHT_EM / 2) * size

const drawClock = (
  typeface: Typeface,
  seconds: number,
  second: number,
  plate: Plate,
  palette: Palette,
): string => {
  const { width, height, size } = plate
  const y = baselineOf(plate) - size * 0.08
  const left = size * 0.45
  const now = `00:${twoDigits(second)}`
  const after = left + widthOf(typeface, now, size) + size * 0.25
  const divider = { x: width + GAP * 0.4, y: height * 0.24, width: 2, height: height * 0.52 }
  const parts = Array.from({ length: seconds }, (_, index) => partOfBar(index, seconds, plate))
  return [
    rect({ x: 0, y: 0, width: width + GAP, height }, palette.plate),
    letters(typeface, now, { x: left, y, size, fill: palette.letters }),
    letters(typeface, `/ 00:${twoDigits(seconds)}`, {
      x: after,
      y,
      size: size * 0.72,
      fill: palette.faintLetters,
    }),
    rects(parts.slice(second + 1), palette.kerb),
    rects(parts.slice(0, second + 1), palette.accent),
    rect(divider, palette.kerb),
  ].join('')
}

const partOfBar = (index: number, count: number, { width, height, size }: Plate): Area => {
  const pitch = (width - size * 0.6) / count
  return { x: size * 0.45 + index * pitch, y: height - size * 0.28, width: pitch * 0.8, height: size * 0.11 }
}

const drawFrameNumber = (typeface: Typeface, frame: number, plate: Plate, palette: Palette): string => {
  const style = {
    x: plate.width / 2,
    y: baselineOf(plate),
    size: plate.size,
    fill: palette.accent,
    align: 'middle',
  } as const
  return (
    rect({ x: 0, y: 0, width: plate.width, height: plate.height }, palette.plate) +
    letters(typeface, twoDigits(frame), style)
  )
}
