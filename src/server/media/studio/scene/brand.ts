import { CAPITAL_HEIGHT_EM } from '../lettering/glyph.js'
import { drawText, type TextStyle, widthOf } from '../lettering/letters.js'
import type { Font } from '../lettering/typeface.js'
import type { Palette } from './palette.js'
import { moved, path, rect } from './svg.js'

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
