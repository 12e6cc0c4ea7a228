import type { VideoSpec } from '../../../core/media/spec.js'
import { brandSizeFor, marginFor } from '../card/layout.js'
import type { Palette } from '../card/palette.js'
import { type Area, moved, rect, rects } from '../card/svg.js'
import { drawText, widthOf } from '../text/draw-text.js'
import { CAPITAL_HEIGHT_EM, type Font } from '../text/font.js'
import type { Cell } from './cells.js'

/** The time code in the upper right corner: the second, of how many, and a bar with a part for each. */
export interface TimeCode {
  /** Whole pixels. */
  readonly area: Area
  /** What stands still of it. */
  readonly still: string
  /** What changes with every second. */
  readonly cells: readonly Cell[]
}

export const timeCodeOf = (font: Font, spec: VideoSpec, palette: Palette): TimeCode => {
  const { seconds, framesPerSecond } = spec
  const line = brandSizeFor(spec.width, spec.height)
  const margin = marginFor(spec.width, spec.height)
  const plate = plateOf(font, line * 1.45)
  const { width, height, digit, bar } = plate
  const x = Math.round(spec.width - margin - width)
  const y = Math.round(margin - (height - line) / 2)
  const secondOf = (frame: number) => Math.floor(frame / framesPerSecond)
  const digitAt = (left: number, numberOf: (second: number) => number): Cell => ({
    area: { x: x + left, y, width: digit, height: bar.y },
    draw: (frame) => drawDigit(font, plate, numberOf(secondOf(frame)) % 10, palette),
  })
  return {
    area: { x, y, width, height },
    still: moved(x, y, drawPlate(font, seconds, plate, palette)),
    cells: [
      digitAt(plate.seconds, (second) => Math.floor(second / 10)),
      digitAt(plate.seconds + digit, (second) => second),
      {
        area: { ...bar, x: x + bar.x, y: y + bar.y },
        draw: (frame) => drawBar(secondOf(frame), seconds, bar, palette),
      },
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
  readonly bar: Area
}

const TOTAL_EM = 0.72

const plateOf = (font: Font, size: number): Plate => {
  const height = Math.round(size * 1.75)
  const digit = Math.ceil(widthOf(font, '0', size))
  const minutes = Math.round(size * 0.45)
  const seconds = minutes + Math.ceil(widthOf(font, '00:', size))
  const total = seconds + 2 * digit + Math.round(size * 0.2)
  const end = total + Math.ceil(widthOf(font, '/ 00:00', size * TOTAL_EM))
  const width = end + minutes
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
    bar,
  }
}

const drawPlate = (font: Font, seconds: number, plate: Plate, palette: Palette): string => {
  const { width, height, size, baseline: y } = plate
  const total = { x: plate.total, y, size: size * TOTAL_EM, fill: palette.faintLetters }
  return [
    rect({ x: 0, y: 0, width, height }, palette.plate),
    drawText(font, '00:', { x: plate.minutes, y, size, fill: palette.letters }),
    drawText(font, `/ 00:${String(seconds).padStart(2, '0')}`, total),
  ].join('')
}

const drawDigit = (font: Font, plate: Plate, digit: number, palette: Palette): string => {
  const { baseline, size } = plate
  const ground = rect({ x: 0, y: 0, width: plate.digit, height: plate.bar.y }, palette.plate)
  return ground + drawText(font, String(digit), { x: 0, y: baseline, size, fill: palette.letters })
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
