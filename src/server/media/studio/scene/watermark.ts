import { drawText, widthOf } from '../lettering/letters.js'
import type { Font } from '../lettering/typeface.js'
import { typeSizeFor } from './stage.js'
import { type Area, n, rect } from './svg.js'

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
