import type { TitleCard } from '../../../core/media/spec.js'
import { drawText, widthOf } from '../text/draw-text.js'
import { CAPITAL_HEIGHT_EM, type Font } from '../text/font.js'
import { cutToWidth } from '../text/layout.js'
import type { Palette } from './palette.js'
import { rect } from './svg.js'

/** A name and a value, such as `SEED` and `42`. */
export type FooterItem = readonly [name: string, value: string]

/** What every card says, with `more` in front of the id. */
export const itemsOf = (card: TitleCard, more: readonly FooterItem[] = []): FooterItem[] => [
  ['MODEL', card.model],
  ['SIZE', card.size],
  ['SEED', String(card.seed)],
  ...(card.index === undefined ? [] : [['NO.', card.index] as const]),
  ...more,
  ['ID', card.id],
]

export interface Footer {
  /** Pixels, padding included, an even number. */
  readonly height: number
  draw(y: number, palette: Palette): string
}

export interface FooterRoom {
  /** Pixels of the whole card. */
  readonly width: number
  /** Where items begin, and how far from the right edge they end. */
  readonly left: number
  readonly right: number
  /** Pixels to the em. */
  readonly size: number
  /** Pixels at the right end of the last row that stay empty for the watermark. */
  readonly keepFree: number
}

interface Placed {
  readonly name: string
  readonly value: string
  readonly valueSize: number
  readonly x: number
  readonly valueX: number
}

const LINE_EM = 1.6
const PADDING_EM = 0.75
const NAME_EM = 0.74
const GAP_EM = 1.5
const SMALLEST_VALUE_EM = 0.78

/** The strip at the lower edge that says what made the picture, in as many rows as it needs. */
export const footerOf = (font: Font, items: readonly FooterItem[], room: FooterRoom): Footer => {
  const { width, size } = room
  const rows = rowsOf(font, items, room)
  const height = 2 * Math.ceil(((rows.length * LINE_EM + 2 * PADDING_EM) * size) / 2)
  return {
    height,
    draw: (y, palette) => {
      const texts = rows.flatMap((row, index) => {
        const baseline = y + (PADDING_EM + index * LINE_EM + LINE_EM / 2 + CAPITAL_HEIGHT_EM / 2) * size
        return row.map((item) => drawItem(font, item, baseline, size, palette))
      })
      return rect({ x: 0, y, width, height }, palette.plate) + texts.join('')
    },
  }
}

const rowsOf = (font: Font, items: readonly FooterItem[], room: FooterRoom): Placed[][] => {
  const end = room.width - room.right
  const rows: Placed[][] = [[]]
  let x = room.left
  for (const item of items) {
    let placed = placeItem(font, item, x, room)
    if (x > room.left && placed.end > end) {
      rows.push([])
      placed = placeItem(font, item, room.left, room)
    }
    rows.at(-1)?.push(placed)
    x = placed.end + GAP_EM * room.size
  }
  if (x - GAP_EM * room.size > end - room.keepFree) rows.push([])
  return rows
}

// An id that is a little too long for a narrow card is set smaller; one that is much too long is cut.
const placeItem = (
  font: Font,
  [name, value]: FooterItem,
  x: number,
  { width, left, right, size }: FooterRoom,
): Placed & { readonly end: number } => {
  const nameWidth = widthOf(font, `${name} `, size * NAME_EM)
  const most = width - right - left - nameWidth
  const wish = Math.min(size, most / Math.max(0.01, widthOf(font, value, 1)))
  const valueSize = Math.max(size * SMALLEST_VALUE_EM, wish)
  const shown = cutToWidth(font, value, most / valueSize + 0.001)
  const valueX = x + nameWidth
  return { name, value: shown, valueSize, x, valueX, end: valueX + widthOf(font, shown, valueSize) }
}

const drawItem = (font: Font, item: Placed, y: number, size: number, palette: Palette): string =>
  drawText(font, item.name, { x: item.x, y, size: size * NAME_EM, fill: palette.faintLetters }) +
  drawText(font, item.value, { x: item.valueX, y, size: item.valueSize, fill: palette.letters })
