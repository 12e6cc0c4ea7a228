import type { VideoSpec } from '../../../../core/media/spec.js'
import { letters, widthOf } from '../lettering/letters.js'
import { CAPITAL_HEIGHT_EM, type Typeface } from '../lettering/typeface.js'
import type { Palette } from '../scene/palette.js'
import { brandSizeFor, marginFor } from '../scene/stage.js'
import { type Area, rect, rects } from '../scene/svg.js'
import { type Cell, even, type Patch } from './moving.js'

// While a second runs, only the frame's number changes. The picture under the seconds may then be exchanged without
// drawing anything anew, as long as no encoded block lies in both or moves from one to the other.
const GAP = 48

/** The time code in the upper right corner: the second, of how many, and the number of the frame within the second. */
export const timeCode = (typeface: Typeface, spec: VideoSpec, palette: Palette): Patch => {
  const line = brandSizeFor(spec.width, spec.height)
  const margin = marginFor(spec.width, spec.height)
  const plate = plateOf(typeface, line * 1.45)
  const { width, height, digit } = plate
  const area = { x: even(spec.width - margin - width), y: even(margin - (height - line) / 2), width, height }
  const { seconds, framesPerSecond } = spec
  const secondOf = (frame: number) => Math.floor(frame / framesPerSecond)
  const cellAt = (x: number, fill: string, numberOf: (frame: number) => number): Cell => ({
    area: { x, y: 0, width: digit, height: plate.bar.y },
    draw: (frame) => drawDigit(typeface, plate, numberOf(frame) % 10, fill, palette),
  })
  return {
    area,
    ground: drawGround(typeface, seconds, plate, palette),
    cells: [
      cellAt(plate.seconds, palette.letters, (frame) => Math.floor(secondOf(frame) / 10)),
      cellAt(plate.seconds + digit, palette.letters, secondOf),
      { area: plate.bar, draw: (frame) => drawBar(secondOf(frame), seconds, plate.bar, palette) },
      cellAt(plate.frames, palette.accent, (frame) => Math.floor((frame % framesPerSecond) / 10)),
      cellAt(plate.frames + digit, palette.accent, (frame) => frame % framesPerSecond),
    ],
  }
}

/** Where things are on the plate, in whole pixels from its left edge. */
interface Plate {
  readonly width: number
  readonly height: number
  /** Pixels to the em. */
  readonly size: number
  readonly baseline: number
  /** Pixels from one digit to the next. */
  readonly digit: number
  readonly minutes: number
  readonly seconds: number
  readonly total: number
  readonly divider: number
  readonly frames: number
  readonly bar: Area
}

const TOTAL_EM = 0.72

const plateOf = (typeface: Typeface, size: number): Plate => {
  const height = even(size * 1.75)
  const digit = Math.ceil(widthOf(typeface, '0', size))
  const minutes = Math.round(size * 0.45)
  const seconds = minutes + Math.ceil(widthOf(typeface, '00:', size))
  const total = seconds + 2 * digit + Math.round(size * 0.2)
  const end = total + Math.ceil(widthOf(typeface, '/ 00:00', size * TOTAL_EM))
  const frames = end + GAP
  const width = even(frames + 2 * digit + size * 0.45)
  const bar = {
    x: minutes,
    y: height - Math.round(size * 0.3),
    width: end - minutes,
    height: Math.ceil(size * 0.12),
  }
  const baseline = height / 2 + (CAPITAL_HEIGHT_EM / 2 - 0.08) * size
  return {
    width,
    height,
    size,
    baseline,
    digit,
    minutes,
    seconds,
    total,
    divider: end + GAP / 2,
    frames,
    bar,
  }
}

const drawGround = (typeface: Typeface, seconds: number, plate: Plate, palette: Palette): string => {
  const { width, height, size, baseline: y } = plate
  const total = { x: plate.total, y, size: size * TOTAL_EM, fill: palette.faintLetters }
  return [
    rect({ x: 0, y: 0, width, height }, palette.plate),
    letters(typeface, '00:', { x: plate.minutes, y, size, fill: palette.letters }),
    letters(typeface, `/ 00:${String(seconds).padStart(2, '0')}`, total),
    rect({ x: plate.divider, y: height * 0.24, width: 2, height: height * 0.52 }, palette.kerb),
  ].join('')
}

const drawDigit = (
  typeface: Typeface,
  plate: Plate,
  digit: number,
  fill: string,
  palette: Palette,
): string => {
  const { baseline, size } = plate
  const ground = rect({ x: 0, y: 0, width: plate.digit, height: plate.bar.y }, palette.plate)
  return ground + letters(typeface, String(digit), { x: 0, y: baseline, size, fill })
}

/** One part for each second; those that have begun are lit. */
const drawBar = (second: number, seconds: number, { width, height }: Area, palette: Palette): string => {
  const pitch = width / seconds
  const parts = Array.from({ length: seconds }, (_, index) => ({
    x: index * pitch,
    y: 0,
    width: pitch * 0.8,
    height,
  }))
  return (
    rect({ x: 0, y: 0, width, height }, palette.plate) +
    rects(parts.slice(second + 1), palette.kerb) +
    rects(parts.slice(0, second + 1), palette.accent)
  )
}
