import { n } from '../card/svg.js'
import { type Font, UNITS_PER_EM } from './font.js'
import { charactersOf, widthInEms } from './layout.js'

export interface TextStyle {
  /** Where the baseline begins, or ends where `align` is `end`. */
  readonly x: number
  readonly y: number
  /** Pixels to the em. */
  readonly size: number
  readonly fill: string
  /** Left out: `start`. */
  readonly align?: 'start' | 'middle' | 'end'
  /** Extra space between characters, in ems. */
  readonly trackingEm?: number
  /** How much bolder than the typeface is, in ems. */
  readonly boldEm?: number
}

/** One line of text as SVG paths, so that it looks the same on machines with other fonts and with none. */
export const drawText = (font: Font, text: string, style: TextStyle): string => {
  const { size, fill, trackingEm = 0, boldEm = 0 } = style
  const scale = size / UNITS_PER_EM
  let pen = 0
  const shapes = charactersOf(text).map((character) => {
    const { outline, advance } = font.glyph(character)
    const at = pen
    pen += advance + trackingEm * UNITS_PER_EM
    return outline === '' ? '' : `<path transform="translate(${n(at)})" d="${outline}"/>`
  })
  const bold =
    boldEm === 0 ? '' : ` stroke="${fill}" stroke-width="${boldEm * UNITS_PER_EM}" stroke-linejoin="round"`
  const x = style.x - shareBefore(style.align) * (pen - trackingEm * UNITS_PER_EM) * scale
  return `<g transform="translate(${n(x)} ${n(style.y)}) scale(${scale.toFixed(5)})" fill="${fill}"${bold}>${shapes.join('')}</g>`
}

const shareBefore = (align: TextStyle['align']): number =>
  align === 'end' ? 1 : align === 'middle' ? 0.5 : 0

/** How wide `letters` draws a text, in pixels. */
export const widthOf = (font: Font, text: string, size: number, trackingEm = 0): number =>
  (widthInEms(font, text) + trackingEm * Math.max(0, charactersOf(text).length - 1)) * size
