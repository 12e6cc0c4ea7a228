import type { VideoSpec } from '../../../core/media/spec.js'
import { marginFor } from '../card/layout.js'
import type { Palette } from '../card/palette.js'
import { type Area, rect } from '../card/svg.js'
import { drawText, widthOf } from '../text/draw-text.js'
import { CAPITAL_HEIGHT_EM, type Font } from '../text/font.js'
import type { Cell } from './cells.js'

/** The number of the frame within its second, from 0: on a sign at the right end of the street, which the traffic passes behind. */
export const frameNumber = (
  font: Font,
  { width, height, framesPerSecond }: VideoSpec,
  street: Area,
  palette: Palette,
): Cell => {
  const sign = Math.round(street.height * 0.72)
  const size = sign / 1.2
  const digit = widthOf(font, '0', size)
  const plate = { x: 0, y: 0, width: Math.round(2 * digit + size * 0.8), height: sign }
  const style = { x: size * 0.4, y: sign / 2 + (CAPITAL_HEIGHT_EM / 2) * size, size, fill: palette.accent }
  return {
    area: {
      ...plate,
      x: Math.round(width - marginFor(width, height) - plate.width),
      y: Math.round(street.y + (street.height - sign) / 2),
    },
    draw: (frame) => {
      const number = String(frame % framesPerSecond).padStart(2, '0')
      return rect(plate, palette.plate) + drawText(font, number, style)
    },
  }
}
