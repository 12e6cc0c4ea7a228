import { fitText, LINE_HEIGHT_EM } from '../lettering/fit.js'
import { drawText } from '../lettering/letters.js'
import type { Font } from '../lettering/typeface.js'
import type { Palette } from './palette.js'
import type { Area } from './svg.js'

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
