import { type Area, rect, translated } from '../drawing.js'
import { CAPITAL_HEIGHT_EM, type Font } from './font.js'
import { marginFor, typeSizeFor } from './layout.js'
import type { Palette } from './palette.js'
import { drawText, widthOf } from './text.js'

/**
 * Seconds of a video, at the upper right of its card: `0:03 / 0:05`, so that seeks, cuts and lost pictures are seen. Its place and size are even, as
 * video takes them.
 */
export const secondsOf = (
  font: Font,
  { width, height, seconds }: { readonly width: number; readonly height: number; readonly seconds: number },
  palette: Palette,
) => {
  const size = typeSizeFor(width, height)
  const margin = marginFor(width, height)
  const padding = size * 0.5
  // Digits are equally wide.
  const labelWidth = even(widthOf(font, textOf(0, seconds), size) + 2 * padding)
  const area: Area = {
    x: even(width - margin - labelWidth),
    y: even(margin - size * 0.1),
    width: labelWidth,
    height: even(size * 1.6),
  }
  /** The label of a second, at the origin. */
  const labelOf = (second: number): string => {
    const baseline = area.height / 2 + (CAPITAL_HEIGHT_EM * size) / 2
    const style = { x: padding, y: baseline, size, fill: palette.text }
    return (
      rect({ x: 0, y: 0, width: area.width, height: area.height }, palette.plate) +
      drawText(font, textOf(second, seconds), style)
    )
  }
  return { area, labelOf, placedAt: (second: number) => translated(area.x, area.y, labelOf(second)) }
}

const textOf = (second: number, seconds: number): string => `${timeOf(second)} / ${timeOf(seconds)}`

const timeOf = (seconds: number): string =>
  `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`

const even = (pixels: number): number => 2 * Math.ceil(pixels / 2)
