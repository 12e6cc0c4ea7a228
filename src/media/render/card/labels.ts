import { drawText, type TextStyle, widthOf } from '../text/draw-text.js'
import { CAPITAL_HEIGHT_EM, type Font } from '../text/font.js'
import { fitText, LINE_HEIGHT_EM } from '../text/layout.js'
import { typeSizeFor } from './layout.js'
import type { Palette } from './palette.js'
import { type Area, moved, n, path, rect } from './svg.js'

const TRACKING_EM = 0.16

/** The emulator's sign: a clapperboard, its name and, where there is room, what the viewer looks at. `x`, `y` is the upper left corner. */
export const brand = (
  font: Font,
  at: { readonly x: number; readonly y: number; readonly size: number; readonly width: number },
  what: string,
  palette: Palette,
): string => {
  const { size } = at
  const style = {
    x: size * 1.55,
    y: size * (0.5 + CAPITAL_HEIGHT_EM / 2),
    size,
    fill: palette.letters,
  } satisfies TextStyle
  const name = drawText(font, 'BACKLOT', { ...style, trackingEm: TRACKING_EM, boldEm: 0.035 })
  const after = style.x + widthOf(font, 'BACKLOT', size, TRACKING_EM) + size * 0.7
  const hasRoom = after + widthOf(font, what, size * 0.8) <= at.width
  const rest = hasRoom
    ? drawText(font, what, { ...style, x: after, size: size * 0.8, fill: palette.accent })
    : ''
  return moved(at.x, at.y, clapperboard(size, palette) + name + rest)
}

const clapperboard = (size: number, palette: Palette): string =>
  `<g transform="scale(${(size / 20).toFixed(4)})">` +
  rect({ x: 0, y: 7, width: 22, height: 13 }, palette.letters, 'rx="2"') +
  path('M0.4 4.6L20.6 -0.8L21.6 3L1.4 8.4z', palette.letters) +
  path('M4 3.6l3.6 -1l1.2 3.9l-3.6 1zM11.4 1.7l3.6 -1l1.2 3.9l-3.6 1z', palette.plate) +
  path('M8.6 10.2l6 3.3l-6 3.3z', palette.plate) +
  '</g>'

/** The prompt, as large as its area allows, from the area's upper left corner on. Nothing for an empty prompt. */
export const prompt = (
  font: Font,
  text: string,
  area: Area,
  sizes: { readonly smallest: number; readonly largest: number },
  palette: Palette,
): string => {
  const { lines, size } = fitText(font, text, { ...area, ...sizes })
  return lines
    .map((line, index) =>
      drawText(font, line, {
        x: area.x,
        y: area.y + size * (0.95 + index * LINE_HEIGHT_EM),
        size,
        fill: palette.letters,
      }),
    )
    .join('')
}

const MARK = 'AI生成'

export interface Watermark {
  readonly area: Area
  readonly svg: string
}

/** The mark in the bottom-right corner (§A parameters `watermark`, gap Z32). It brings its own ground, so that it can be read on anything. */
export const watermarkOf = (font: Font, width: number, height: number): Watermark => {
  const unit = typeSizeFor(width, height)
  const size = Math.max(13, unit * 1.2)
  const padding = size * 0.5
  const area = { width: widthOf(font, MARK, size) + 2 * padding, height: size * 1.55 }
  const x = width - area.width - unit * 0.6
  const y = height - area.height - unit * 0.6
  const ground = `fill-opacity="0.62" stroke="#fff" stroke-opacity="0.75" stroke-width="1" rx="${n(size * 0.3)}"`
  return {
    area: { ...area, x, y },
    svg:
      rect({ ...area, x, y }, '#000', ground) +
      drawText(font, MARK, { x: x + padding, y: y + size * 1.14, size, fill: '#fff' }),
  }
}
